// What an agent changed in its workspace, found by looking at the files and never by asking the agent's repository.
import { lstatSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { CupelError } from "../../domain/error.ts";
import { covers } from "../../domain/run/workspace-record.ts";
import type { WorkspaceRecord } from "../../domain/run/workspace-record.ts";
import { toBytePath } from "../git/byte-path.ts";
import type { BytePath } from "../git/byte-path.ts";
import { blobId, readBaseline } from "./baseline.ts";
import type { Version } from "./baseline.ts";
import type { WorkspacePlaces } from "./places.ts";
import { readLink, readRegular, walk } from "./walk.ts";
import type { FoundEntry } from "./walk.ts";

export interface Change {
  path: BytePath;
  /** Undefined when it is gone. */
  now: (Version & { kind: FoundEntry["kind"]; bytes: number }) | undefined;
  /** Undefined when it is new. */
  before: Version | undefined;
}

/** `closed`: whether folders that the agent closed are opened; a mere look leaves everything as it is. */
export async function changesIn(
  places: WorkspacePlaces,
  record: WorkspaceRecord,
  closed: "look" | "open" = "open",
): Promise<Change[]> {
  if (!lstatSync(places.tree).isDirectory()) {
    throw new CupelError("store_damaged", `${places.tree} is no longer a folder; nothing in it is believed`);
  }
  const { versions, isUntouched } = readBaseline(places.baseline);
  const gone = new Set(versions.keys());
  const changes: Change[] = [];
  for (const entry of walk(places.tree, notWork(record, versions), closed)) {
    gone.delete(entry.path);
    if (isUntouched(entry)) continue;
    const before = versions.get(entry.path);
    const now = versionOf(places.tree, entry, record.base);
    if (before?.id === now.id && before.mode === now.mode) continue;
    changes.push({ path: entry.path, now, before });
    // An agent can leave many large files; the harness has other things to do as well.
    await setImmediate();
  }
  for (const path of gone) changes.push({ path, now: undefined, before: versions.get(path) });
  return changes.toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

/** The agent's own repository, and scratch; a file in the place of the repository is work like any other. */
function notWork(
  { scratch }: WorkspaceRecord,
  versions: ReadonlyMap<BytePath, Version>,
): (path: BytePath, isDirectory: boolean) => boolean {
  const scratchPaths = scratch.map((path) => toBytePath(path));
  const isScratch = (path: BytePath) =>
    scratchPaths.some((folder) => covers(folder, path) || folder === `${path}/`);
  return (path, isDirectory) => (path === ".git" && isDirectory) || (isScratch(path) && !versions.has(path));
}

/** As one word, for comparing and for records. */
export function describe(now: Change["now"]): string | null {
  return now === undefined ? null : `${now.mode} ${now.id}`;
}

export function contentOf(tree: string, { path, now }: Change): Buffer {
  return now?.kind === "link" ? readLink(tree, path) : readRegular(tree, path);
}

function versionOf(tree: string, entry: FoundEntry, like: string): NonNullable<Change["now"]> {
  const { kind, path } = entry;
  switch (kind) {
    case "link": {
      const target = readLink(tree, path);
      return { kind, mode: "120000", id: blobId(target, like), bytes: target.length };
    }
    case "file": {
      const mode = (entry.stat.mode & 0o100n) === 0n ? "100644" : "100755";
      return { kind, mode, id: blobId(readRegular(tree, path), like), bytes: Number(entry.stat.size) };
    }
    case "other":
    case "unreachable":
      return { kind, mode: "000000", id: "", bytes: 0 };
  }
}
