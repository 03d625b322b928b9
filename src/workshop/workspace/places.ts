// Where the things of the workshop lie below a project, and which process holds a workspace.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { WorkspaceRecord } from "../../domain/run/workspace-record.ts";

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

export function thisProcess(): WorkspaceRecord["holder"] {
  return { pid: process.pid, startedAt: startOf(process.pid) ?? "unknown" };
}

/** A process id is given out again after a while; its start time tells the two apart. */
export function isAlive({ pid, startedAt }: WorkspaceRecord["holder"]): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return false;
  }
  return (startOf(pid) ?? "unknown") === startedAt;
}

/** In ticks since the machine started, together with which start of the machine; undefined without /proc. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    // The name of the program, in parentheses, may hold anything; the 20th word after it is the start.
    const ticks = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
    return `${boot} ${ticks ?? ""}`;
  } catch {
    return undefined;
  }
}
