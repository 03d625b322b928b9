// Keeps the workspaces of a thread for whoever looks for canaries in the end: a record of each from the moment an agent can
// be in it, and its files after it has been closed. Nothing here is ever seen by an agent.
import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { sha256Hex } from "../../domain/canonical.ts";
import { hasCode } from "../../domain/environment-error.ts";
import type { WorkspaceRecord } from "../../domain/run/workspace-record.ts";
import type { Workspace } from "./create.ts";
import { placesIn, placesOf, type Workshop, type WorkspacePlaces } from "./places.ts";
import { readRecord, writeRecord } from "./record-file.ts";
import { removeAll } from "./remove.ts";
import { foldersIn } from "./rubbish.ts";
import { salvage } from "./salvage.ts";

export interface Watched {
  record: WorkspaceRecord;
  /** Where its files are, or were. */
  tree: string;
}

/** From now on it is missed when it is gone; the same again is no change. */
export function watchWorkspace({ project }: Workshop, thread: string, { record }: Workspace): void {
  const place = placeOf(project, thread);
  mkdirSync(place, { recursive: true, mode: 0o700 });
  writeRecord(recordIn(place, record.id), record);
}

/** Instead of removing it: whatever was not taken back is safe in the hub, and its files stay to be looked at. */
export async function restWorkspace(
  workshop: Workshop,
  thread: string,
  { places }: { places: WorkspacePlaces },
): Promise<void> {
  const record = readRecord(places.record);
  await salvage(workshop, places, record);
  const place = placeOf(workshop.project, thread);
  mkdirSync(place, { recursive: true, mode: 0o700 });
  const rest = join(place, record.id);
  // Of a try that was begun again from the start.
  if (existsSync(rest)) await removeAll(rest);
  renameSync(places.directory, rest);
}

/** Every one that an agent of the thread can have been in, by name. */
export function watchedWorkspaces({ project }: Pick<Workshop, "project">, thread: string): Watched[] {
  const place = placeOf(project, thread);
  return recordsIn(place).map((name) => {
    const begun = readRecord(join(place, name));
    const rest = placesIn(join(place, begun.id));
    const places = existsSync(rest.directory) ? rest : placesOf(project, begun.id);
    // Its own record knows what was taken from it; where that is gone, it is missed all the same.
    const record = existsSync(places.record) ? readRecord(places.record) : begun;
    return { record, tree: places.tree };
  });
}

/** When nobody will look any more. */
export async function forgetWatched({ project }: Pick<Workshop, "project">, thread: string): Promise<void> {
  const place = placeOf(project, thread);
  if (existsSync(place)) await removeAll(place);
}

const LONG_AGO_MS = 30 * 24 * 60 * 60_000;

/** Of threads that halted and that nobody has gone on with for a month. */
export async function removeOldWatched(
  { project }: Pick<Workshop, "project">,
  now = Date.now(),
): Promise<void> {
  const home = watchedDirectory(project);
  for (const name of foldersIn(home)) {
    const place = join(home, name);
    const changed = lstatSync(place, { throwIfNoEntry: false })?.mtimeMs ?? now;
    if (now - changed > LONG_AGO_MS) await removeAll(place);
  }
}

function watchedDirectory(project: string): string {
  return join(project, ".cupel", "watched");
}

function placeOf(project: string, thread: string): string {
  return join(watchedDirectory(project), sha256Hex(thread).slice(0, 32));
}

const ENDING = ".json";

function recordIn(place: string, id: string): string {
  return join(place, `${id}${ENDING}`);
}

function recordsIn(place: string): string[] {
  try {
    return readdirSync(place)
      .filter((name) => name.endsWith(ENDING))
      .toSorted();
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
}
