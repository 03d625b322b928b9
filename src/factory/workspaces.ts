// The workspaces of a project, for the door that clears up.
import { clean, listWorkspaces as workspacesIn } from "../workshop/workspace/clean.ts";
import type { CleaningResult, WorkspaceState } from "../workshop/workspace/clean.ts";
import { workshopOf } from "../workshop/workspace/places.ts";
import { projectAround } from "./project.ts";

export function listWorkspaces(directory: string): Promise<WorkspaceState[]> {
  return workspacesIn(workshopOf(projectAround(directory)));
}

export function cleanWorkspaces(directory: string, options: { foreign: boolean }): Promise<CleaningResult> {
  return clean(workshopOf(projectAround(directory)), options);
}
