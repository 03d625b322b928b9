// Removes what crashes left behind and what no agent's work is in.
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { hasCode } from "../../domain/environment-error.ts";
import { moveRef } from "../git/refs.ts";
import { tryGit } from "../git/git.ts";
import { stateOf } from "./holder.ts";
import { placesIn, UNFINISHED, workspacesDirectory } from "./places.ts";
import type { Workshop } from "./places.ts";
import { readRecord } from "./record-file.ts";
import { removeAll } from "./remove.ts";
import { IMPORTS } from "./take-back.ts";
import { walk } from "./walk.ts";

/** Workspaces that were being made or removed; how many bytes are free again. */
export async function removeRubbish({ project }: Workshop): Promise<number> {
  const parent = workspacesDirectory(project);
  let bytes = 0;
  for (const name of foldersIn(parent).filter((each) => each.startsWith(UNFINISHED))) {
    const directory = join(parent, name);
    if (!isAbandoned(directory)) continue;
    const size = sizeOf(directory);
    try {
      await removeAll(directory);
      bytes += size;
    } catch {
      // Somebody else is removing it, or the next time will do.
    }
  }
  return bytes;
}

/** One without a record is perhaps just getting it. */
function isAbandoned(directory: string): boolean {
  try {
    return stateOf(readRecord(placesIn(directory).record).holder) === "gone";
  } catch {
    const { mtimeMs } = lstatSync(directory, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
    return Date.now() - mtimeMs > A_WHILE_MS;
  }
}

const A_WHILE_MS = 10 * 60_000;

/** Commits that were on their way to a branch when their process was killed. */
export async function removeOldImports({ hub }: Workshop): Promise<void> {
  const format = "--format=%(committerdate:unix) %(objectname) %(refname)";
  const listed = await tryGit(["for-each-ref", format, IMPORTS], { gitDir: hub });
  for (const line of listed.stdout.split("\n").filter((each) => each !== "")) {
    const [seconds = "", commit = "", ref = ""] = line.split(" ");
    if (Date.now() - Number(seconds) * 1000 > A_WHILE_MS) await moveRef(hub, ref, commit, undefined);
  }
}

/** Real directories, by name; none where there is nothing. */
export function foldersIn(directory: string): string[] {
  try {
    const entries = readdirSync(directory, { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).toSorted();
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
}

export function sizeOf(directory: string): number {
  let bytes = 0;
  for (const entry of walk(directory, () => false, "look")) {
    if (entry.kind !== "unreachable") bytes += Number(entry.stat.blocks) * 512;
  }
  return bytes;
}
