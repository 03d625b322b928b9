// Brings the files of the store back to what the database says, and clears away what interrupted writes left behind.
import { rmSync, statSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { CupelError } from "../domain/error.ts";
import { TEMPORARY_PREFIX, writeAtomically } from "./atomic-file.ts";
import { expectedFiles, filesBelow, FOLDERS, hashesBelow } from "./fsck-files.ts";
import { checkProject } from "./fsck-project.ts";
import { checkRows } from "./fsck-rows.ts";
import type { FsckInput } from "./fsck.ts";

/** Younger leftovers stay: they may belong to a write that is just under way. */
const YOUNG_MS = 10 * 60_000;

/** Refused while somebody works; removes nothing as long as the database itself has a problem. */
export async function repair(input: FsckInput, now: number): Promise<void> {
  assertNobodyWorks(input, now);
  const { sql, payloads, root } = input;
  const [rows, project] = sql.snapshot(() => [checkRows(sql), checkProject(sql)] as const);
  const expected = expectedFiles({ ...rows, state: project.state });
  const found = await hashesBelow(root);
  for (const [path, { hash, text }] of expected) {
    if (found.get(path) === hash) continue;
    const content = text ?? (await payloads.get(`sha256:${hash}`).catch(() => undefined));
    if (content !== undefined) await writeAtomically(join(root, path), content, "full");
  }
  if (rows.problems.length + project.problems.length > 0) return;
  for (const folder of [...FOLDERS, "payloads"]) {
    for (const path of await filesBelow(join(root, folder), () => true)) {
      const stray = folder !== "payloads" && !expected.has(relative(root, path));
      const halfWritten = basename(path).startsWith(TEMPORARY_PREFIX);
      if ((stray || halfWritten) && statSync(path).mtimeMs < now - YOUNG_MS) rmSync(path);
    }
  }
}

function assertNobodyWorks({ sql }: FsckInput, now: number): void {
  const held = sql.get("SELECT name, holder FROM leases WHERE holder IS NOT NULL AND expires_at > ?", [now]);
  if (held === undefined) return;
  throw new CupelError(
    "store_busy",
    `${String(held["holder"])} works on ${String(held["name"])}; nothing was repaired`,
    {
      expected: "a store on which nobody works",
      hint: "wait until it has ended and run cupel store fsck --repair again",
    },
  );
}
