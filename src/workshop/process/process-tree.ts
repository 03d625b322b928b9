// Ends a command with everything it started, also what moved to a session of its own or lost its parent.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Every command has this variable, so that its orphans can be told from other processes. */
export const MARKER = "CUPEL_COMMAND";

const PATIENCE_MS = 2000;

export interface Tree {
  marker: string;
  /** The command's own process, as long as it is not collected: after that its number may be another's. */
  root?: number;
  /** Named after the command's process; only while some process is in it. */
  session?: number;
}

/** Stops all before killing any, since the children of a dead process can no longer be found through it. */
export async function endTree(tree: Tree): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (let pause = 1; ; pause *= 2) {
    const members = freeze(tree);
    for (const pid of members) signal(pid, "SIGKILL");
    // All there is to do where the system has no /proc.
    if (tree.session !== undefined) signal(-tree.session, "SIGKILL");
    if (members.size === 0 || Date.now() > deadline) return;
    await sleep(Math.min(pause, 50));
  }
}

/** What can still be found of a command whose own process has ended and is collected. */
export function leftoversOf({ marker, root }: Tree): Tree {
  return root !== undefined && groupHasMembers(root) ? { marker, session: root } : { marker };
}

/**
 * Whether nothing lives of a group a moment after its command ended: a sandbox that goes takes that long. The dead can
 * wait for longer until the first process of the machine collects them.
 */
export async function groupEmpties(root: number): Promise<boolean> {
  for (let pause = 1; groupHasMembers(root); pause *= 2) {
    if (pause > 1 && !listProcesses().some(({ group, alive }) => alive && group === root)) return true;
    if (pause > MOMENT_MS) return false;
    await sleep(pause);
  }
  return true;
}

const MOMENT_MS = 16;

/** Cheap; false for a group that has no process any more, not even a dead one. */
export function groupHasMembers(root: number): boolean {
  return signal(-root, 0);
}

/** What the kernel counts against a user's limit of processes. */
export function threadsOfUser(user: number | undefined): number {
  return listProcesses()
    .filter(({ pid }) => statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid === user)
    .reduce((sum, { threads }) => sum + threads, 0);
}

function freeze(tree: Tree): Set<number> {
  const frozen = new Set<number>();
  for (;;) {
    const found = membersOf(tree, frozen).filter((pid) => !frozen.has(pid));
    if (found.length === 0) return frozen;
    for (const pid of found) {
      signal(pid, "SIGSTOP");
      frozen.add(pid);
    }
  }
}

/** Living processes only: a dead one that nobody has collected yet does nothing and cannot be killed. */
function membersOf(tree: Tree, known: ReadonlySet<number>): number[] {
  const processes = listProcesses();
  const members = new Set<number>(tree.root === undefined ? known : [tree.root, ...known]);
  for (const { pid, session } of processes) {
    if (session === tree.session || carries(pid, tree.marker)) members.add(pid);
  }
  for (let size = -1; size !== members.size;) {
    size = members.size;
    for (const { pid, parent } of processes) if (members.has(parent)) members.add(pid);
  }
  return processes
    .filter(({ pid, alive }) => alive && pid !== process.pid && members.has(pid))
    .map(({ pid }) => pid);
}

interface Process {
  pid: number;
  parent: number;
  group: number;
  session: number;
  threads: number;
  alive: boolean;
}

function listProcesses(): Process[] {
  return readdirOrNone("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = readOrNone(`/proc/${name}/stat`);
      if (stat === "") return [];
      // The name of the program comes first, in brackets, and may itself hold brackets and spaces.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      const [state = "", parent, group, session] = fields;
      return [
        {
          pid: Number(name),
          parent: Number(parent),
          group: Number(group),
          session: Number(session),
          threads: Number(fields[17]),
          alive: !/[ZXx]/.test(state),
        },
      ];
    });
}

function carries(pid: number, marker: string): boolean {
  return readOrNone(`/proc/${pid}/environ`).includes(`${MARKER}=${marker}`);
}

/** Whether it arrived. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

function readdirOrNone(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

/** Processes come and go, and those of others are closed to us. */
function readOrNone(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
