// The state store of a project, for doors that look into it.
import type { FsckReport } from "../store/fsck-report.ts";
import { tail } from "../store/local/journal.ts";
import { checkStateStore, openStateStore } from "../store/state-store.ts";
import type { StateStore } from "../store/state-store.ts";

/** The state store of a project that has one; closed again whatever comes of the work. */
export async function withStore<T>(directory: string, work: (store: StateStore) => Promise<T>): Promise<T> {
  const store = openStateStore(directory, { durability: "normal", missing: "refuse" });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

export function checkStore(directory: string, options: { repair: boolean }): Promise<FsckReport> {
  return checkStateStore(directory, options);
}

export { tail };
