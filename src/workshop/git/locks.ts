// Waits for the lock files of git, and clears away one that a killed process left.
import { linkSync, readdirSync, readlinkSync, renameSync, statSync, unlinkSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CupelError } from "../../domain/error.ts";
import type { CommandResult } from "../process/run-command.ts";
import { tryGit } from "./git.ts";
import type { GitCall } from "./git.ts";

/** Together a little over six seconds; a lock is held for milliseconds. */
const WAITS_MS = [5, 10, 20, 40, 80, 160, 320, 640, 1000, 1000, 1000, 1000, 1000];

/** So old is no lock of a process that still works. */
const STALE_MS = 5000;

/** Like `tryGit`, but a lock that another process holds is waited for. */
export async function tryGitLocked(
  args: readonly string[],
  call: GitCall & { gitDir: string },
): Promise<CommandResult> {
  for (const wait of WAITS_MS) {
    const result = await tryGit(args, call);
    const lock = lockIn(result);
    if (lock === undefined) return result;
    if (!removeStale(call.gitDir, lock)) await sleep(wait);
  }
  const result = await tryGit(args, call);
  const lock = lockIn(result);
  if (lock === undefined) return result;
  throw new CupelError("git_failed", `another process holds ${lock}, or was killed while it did`, {
    hint: `when no git runs in ${call.gitDir}: rm '${lock.replaceAll("'", `'\\''`)}'`,
  });
}

function lockIn(result: CommandResult): string | undefined {
  if (result.kind === "exited" && result.code === 0) return undefined;
  return /Unable to create '([^]+?\.lock)': File exists/i.exec(result.stderr)?.[1];
}

/** Removes a lock of this repository that is old and that no process has open. */
export function removeStale(gitDir: string, lock: string): boolean {
  if (!resolve(lock).startsWith(resolve(gitDir) + sep)) return false;
  try {
    const seen = statSync(lock);
    if (Date.now() - seen.mtimeMs < STALE_MS || isOpenSomewhere(lock)) return false;
    // Moved first, so that of two processes that clear it away neither removes a lock made in between.
    const aside = `${lock}.${process.pid}.stale`;
    renameSync(lock, aside);
    if (statSync(aside).ino !== seen.ino) linkSync(aside, lock);
    unlinkSync(aside);
    return true;
  } catch {
    return false;
  }
}

/** Where nobody can tell, it counts as open. */
function isOpenSomewhere(path: string): boolean {
  const processes = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return processes.some((pid) => openFiles(pid).includes(resolve(path)));
}

function openFiles(pid: string): string[] {
  try {
    const directory = join("/proc", pid, "fd");
    return readdirSync(directory).map((fd) => linkTarget(join(directory, fd)));
  } catch {
    return [];
  }
}

function linkTarget(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
