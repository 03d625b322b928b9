// Takes a workspace over from a process that is gone; of several that want it, one gets it.
import { join } from "node:path";
import { mkdirSync } from "node:fs";
import { hasCode } from "../../domain/environment-error.ts";
import { CupelError } from "../../domain/error.ts";
import type { WorkspaceRecord } from "../../domain/run/workspace-record.ts";
import { lockFile } from "../process/file-lock.ts";
import { isThisProcess, stateOf, thisProcess } from "./holder.ts";
import type { HolderState } from "./holder.ts";
import type { WorkspacePlaces } from "./places.ts";
import { workspacesDirectory } from "./places.ts";
import { readRecord, writeRecord } from "./record-file.ts";

export type Claim =
  | { kind: "claimed"; record: WorkspaceRecord }
  | { kind: "held"; by: WorkspaceRecord["holder"]; state: HolderState }
  | { kind: "gone" };

/** `foreign`: also from a process of another container, on a person's word that it is gone. */
export async function claim(project: string, places: WorkspacePlaces, foreign = false): Promise<Claim> {
  const now = readIfThere(places.record);
  // Nobody takes it away from a process that lives, so only what could be somebody else's is waited for.
  if (now === undefined) return { kind: "gone" };
  if (isThisProcess(now.holder)) return { kind: "claimed", record: now };
  return locked(project, () => {
    const record = readIfThere(places.record);
    if (record === undefined) return { kind: "gone" };
    const state = stateOf(record.holder);
    const free = isThisProcess(record.holder) || state === "gone" || (foreign && state === "elsewhere");
    if (!free) return { kind: "held", by: record.holder, state };
    const claimed = { ...record, holder: thisProcess() };
    writeRecord(places.record, claimed);
    return { kind: "claimed", record: claimed };
  });
}

/** Held for moments only. */
async function locked<T>(project: string, work: () => T): Promise<T> {
  const directory = workspacesDirectory(project);
  mkdirSync(directory, { recursive: true });
  const file = join(directory, LOCK);
  const lock = await lockFile(file, 30);
  if (lock.kind === "taken") {
    throw new CupelError("store_busy", `${file} is held by another process for too long`, {
      hint: "wait until the other cupel command has ended",
    });
  }
  try {
    return work();
  } finally {
    if (lock.kind === "held") await lock.release();
  }
}

/** Not the name of a workspace. */
export const LOCK = ".lock";

function readIfThere(path: string): WorkspaceRecord | undefined {
  try {
    return readRecord(path);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}
