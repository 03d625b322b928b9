// Lists the workspaces of a project and removes those that nobody holds any more, once their work is safe.
import { WorkspaceId } from "../../domain/run/workspace-record.ts";
import type { WorkspaceRecord } from "../../domain/run/workspace-record.ts";
import { claim } from "./claim.ts";
import { stateOf as holderState } from "./holder.ts";
import { hasOwnObjects } from "./own-commits.ts";
import { placesOf, workspacesDirectory } from "./places.ts";
import type { Workshop } from "./places.ts";
import { readRecord } from "./record-file.ts";
import { removeWorkspace } from "./remove.ts";
import { foldersIn, removeOldImports, removeRubbish, sizeOf } from "./rubbish.ts";
import { unsavedWork } from "./salvage.ts";
import type { Salvaged } from "./salvage.ts";
import { removeOldWatched } from "./watched.ts";

export type WorkspaceState = { id: string } & (
  | ({ state: "stale" } & Made & Unsaved)
  /** Its process lives, here or in another container; nobody looks into it. */
  | ({ state: "in-use" | "in-use-elsewhere"; pid: number } & Made)
  /** Its record cannot be read, or something in it cannot be looked at. */
  | { state: "damaged"; why: string }
);

type Made = Pick<WorkspaceRecord, "role" | "runId" | "createdAt">;

interface Unsaved {
  /** Changed files that the hub does not have yet. */
  unsavedFiles: number;
  /** Whether the agent's own repository holds something of the agent. */
  unsavedCommits: boolean;
  bytes: number;
}

export interface Cleaned {
  id: string;
  outcome:
    | { kind: "removed"; salvaged: Salvaged; bytes: number }
    | { kind: "in-use"; pid: number; elsewhere: boolean }
    /** Another process has removed it meanwhile. */
    | { kind: "gone" }
    /** Its work could not be made safe, so it stays. */
    | { kind: "kept"; why: string };
}

export interface CleaningResult {
  cleaned: Cleaned[];
  rubbishBytes: number;
}

export async function listWorkspaces({ project }: Workshop): Promise<WorkspaceState[]> {
  const states: WorkspaceState[] = [];
  for (const id of workspaceIds(project)) states.push(await stateOf(project, id));
  return states;
}

/** `foreign`: also those of processes in other containers, on a person's word that they are gone. */
export async function clean(workshop: Workshop, { foreign = false } = {}): Promise<CleaningResult> {
  const cleaned: Cleaned[] = [];
  for (const id of workspaceIds(workshop.project)) {
    cleaned.push({ id, outcome: await cleanOne(workshop, id, foreign) });
  }
  await removeOldImports(workshop);
  await removeOldWatched(workshop);
  return { cleaned, rubbishBytes: await removeRubbish(workshop) };
}

async function cleanOne(workshop: Workshop, id: string, foreign: boolean): Promise<Cleaned["outcome"]> {
  const places = placesOf(workshop.project, id);
  try {
    const claimed = await claim(workshop.project, places, foreign);
    switch (claimed.kind) {
      case "gone":
        return { kind: "gone" };
      case "held":
        return { kind: "in-use", pid: claimed.by.pid, elsewhere: claimed.state === "elsewhere" };
      case "claimed": {
        const bytes = sizeOf(places.directory);
        return { kind: "removed", salvaged: await removeWorkspace(workshop, { places }), bytes };
      }
    }
  } catch (error) {
    return { kind: "kept", why: messageOf(error) };
  }
}

async function stateOf(project: string, id: string): Promise<WorkspaceState> {
  const places = placesOf(project, id);
  try {
    const record = readRecord(places.record);
    const { role, runId, createdAt, holder } = record;
    const made = { id, role, runId, createdAt };
    const state = holderState(holder);
    if (state === "alive") return { ...made, state: "in-use", pid: holder.pid };
    if (state === "elsewhere") return { ...made, state: "in-use-elsewhere", pid: holder.pid };
    const { edits } = await unsavedWork(places, record, "look");
    return {
      ...made,
      state: "stale",
      unsavedFiles: edits.length,
      unsavedCommits: hasOwnObjects(places, record, "look"),
      bytes: sizeOf(places.directory),
    };
  } catch (error) {
    return { id, state: "damaged", why: messageOf(error) };
  }
}

function workspaceIds(project: string): string[] {
  return foldersIn(workspacesDirectory(project)).filter((name) => WorkspaceId.safeParse(name).success);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
}
