// The state store of a project, for doors that look into it.
import type { FsckReport } from "../store/fsck-report.ts";
import { tail } from "../store/local/journal.ts";
import { checkStateStore, openStateStore } from "../store/state-store.ts";
import type { StateStore } from "../store/state-store.ts";

/** The state store of a project that has one. */
export function openStore(directory: string): StateStore {
  return openStateStore(directory, { durability: "normal", missing: "refuse" });
}

export function checkStore(directory: string, options: { repair: boolean }): Promise<FsckReport> {
  return checkStateStore(directory, options);
}

export { tail };
