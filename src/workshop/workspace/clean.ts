// Lists the workspaces of a project and removes those that nobody holds any more, once their work is safe.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { WorkspaceRecord } from "../../domain/run/workspace-record.ts";
import { hasOwnObjects } from "./own-commits.ts";
import { isAlive, placesIn, placesOf, UNFINISHED, workspacesDirectory } from "./places.ts";
import type { Workshop } from "./places.ts";
import { readRecord } from "./record-file.ts";
import { removeAll, removeWorkspace } from "./remove.ts";
import { unsavedChanges } from "./salvage.ts";
import type { Salvaged } from "./salvage.ts";
import { walk } from "./walk.ts";

export interface WorkspaceState {
  id: string;
  role: WorkspaceRecord["role"] | undefined;
  runId: string | undefined;
  createdAt: string | undefined;
  /** `in-use`: its process lives; `stale`: it does not; `damaged`: its record cannot be read. */
  state: "in-use" | "stale" | "damaged";
  /** Changed files that the hub does not have yet. */
  unsavedFiles: number;
  /** Whether the agent made commits of its own. */
  unsavedCommits: boolean;
  bytes: number;
}

export type Cleaned = WorkspaceState &
  (
    | { outcome: "removed"; salvaged: Salvaged }
    /** In use, or its work could not be made safe. */
    | { outcome: "kept"; why: string }
  );

export function listWorkspaces({ project }: Workshop): WorkspaceState[] {
  return names(project)
    .filter((name) => !name.startsWith(UNFINISHED))
    .map((id) => stateOf(project, id));
}

export async function clean(workshop: Workshop): Promise<{ cleaned: Cleaned[]; rubbishBytes: number }> {
  const cleaned: Cleaned[] = [];
  for (const state of listWorkspaces(workshop))
    cleaned.push({ ...state, ...(await cleanOne(workshop, state)) });
  return { cleaned, rubbishBytes: await removeRubbish(workshop) };
}

type Outcome = Cleaned extends infer One
  ? One extends WorkspaceState
    ? Omit<One, keyof WorkspaceState>
    : never
  : never;

async function cleanOne(workshop: Workshop, { id, state }: WorkspaceState): Promise<Outcome> {
  if (state === "in-use") return { outcome: "kept", why: "in use" };
  const places = placesOf(workshop.project, id);
  if (state === "damaged") return { outcome: "kept", why: `${places.record} cannot be read` };
  try {
    return { outcome: "removed", salvaged: await removeWorkspace(workshop, { places }) };
  } catch (error) {
    return { outcome: "kept", why: error instanceof Error ? error.message : String(error) };
  }
}

function stateOf(project: string, id: string): WorkspaceState {
  const places = placesOf(project, id);
  const bytes = sizeOf(places.directory);
  let record: WorkspaceRecord;
  try {
    record = readRecord(places.record);
  } catch {
    return {
      id,
      role: undefined,
      runId: undefined,
      createdAt: undefined,
      state: "damaged",
      unsavedFiles: 0,
      unsavedCommits: false,
      bytes,
    };
  }
  const { role, runId, createdAt } = record;
  const unsavedFiles = unsavedChanges(places, record).length;
  return {
    id,
    role,
    runId,
    createdAt,
    state: isAlive(record.holder) ? "in-use" : "stale",
    unsavedFiles,
    unsavedCommits: hasOwnObjects(places, record),
    bytes,
  };
}

/** What a crash left of workspaces that were being made or removed; no agent's work is in it. */
async function removeRubbish({ project }: Workshop): Promise<number> {
  let bytes = 0;
  for (const name of names(project).filter((each) => each.startsWith(UNFINISHED))) {
    const directory = join(workspacesDirectory(project), name);
    if (isBeingMade(directory)) continue;
    bytes += sizeOf(directory);
    await removeAll(directory);
  }
  return bytes;
}

function isBeingMade(directory: string): boolean {
  try {
    return isAlive(readRecord(placesIn(directory).record).holder);
  } catch {
    return false;
  }
}

function names(project: string): string[] {
  const directory = workspacesDirectory(project);
  return existsSync(directory) ? readdirSync(directory).toSorted() : [];
}

function sizeOf(directory: string): number {
  let bytes = 0;
  for (const entry of walk(directory, () => false)) {
    if (entry.kind !== "unreachable") bytes += Number(entry.stat.blocks) * 512;
  }
  return bytes;
}
