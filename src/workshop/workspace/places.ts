// Where the things of the workshop lie below a project.
import { join } from "node:path";

export interface Workshop {
  /** The directory of the project. */
  project: string;
  /** The bare repository that all work goes through. */
  hub: string;
}

export function workshopOf(project: string): Workshop {
  return { project, hub: join(project, ".cupel", "hub.git") };
}

export interface WorkspacePlaces {
  directory: string;
  record: string;
  /** What the agent sees; nothing else is mounted in its sandbox. */
  tree: string;
  baseline: string;
}

/** Begins the names of workspaces that have no record yet; what a crash leaves of them holds nothing. */
export const UNFINISHED = ".new-";

export function workspacesDirectory(project: string): string {
  return join(project, ".cupel", "workspaces");
}

export function placesOf(project: string, id: string): WorkspacePlaces {
  return placesIn(join(workspacesDirectory(project), id));
}

export function placesIn(directory: string): WorkspacePlaces {
  return {
    directory,
    record: join(directory, "workspace.json"),
    tree: join(directory, "tree"),
    baseline: join(directory, "baseline"),
  };
}
