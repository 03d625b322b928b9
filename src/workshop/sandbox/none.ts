// No sandbox: commands run on the machine as it is, with a scrubbed environment and limits and nothing more.
import { lstatSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { CupelError } from "../../domain/error.ts";
import { DEFAULT_LIMITS } from "../process/limits.ts";
import { threadsOfUser } from "../process/process-tree.ts";
import { collect, startCommand } from "../process/run-command.ts";
import type { Limits, RunningCommand } from "../process/run-command.ts";
import { checkGrants } from "./grants.ts";
import type { Grants } from "./grants.ts";
import type { Sandbox, SandboxedCommand } from "./port.ts";

export function none(): Sandbox {
  return {
    level: "none",
    inside: (workspace) => resolve(workspace),
    run: async (command) => ({ ...(await collect(launch(command), command)), sandbox: "none" }),
    start: launch,
    handOver: async () => undefined,
  };
}

function launch(command: SandboxedCommand): RunningCommand {
  const grants = checkGrants(command);
  const { timeoutMs, signal } = command;
  const unmount = mount(grants);
  const home = mkdtempSync(join(tmpdir(), "cupel-home-"));
  const leave = () => {
    unmount();
    rmSync(home, { recursive: true, force: true });
  };
  try {
    const running = startCommand(command.command, command.args, {
      env: {
        PATH: searchPath(),
        HOME: home,
        TMPDIR: home,
        ...command.env,
      },
      cwd: join(grants.workspace, grants.cwd),
      timeoutMs,
      limits: onTopOfOthers({ ...DEFAULT_LIMITS, ...command.limits }),
      thorough: true,
      ...(signal === undefined ? {} : { signal }),
    });
    const ended = running.ended.finally(leave);
    ended.catch(() => undefined);
    return { ...running, ended };
  } catch (error) {
    leave();
    throw error;
  }
}

/** Without places that depend on where a command stands: an agent decides what lies there. */
function searchPath(): string {
  const places = (process.env["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(":");
  return places.filter((place) => isAbsolute(place)).join(":");
}

/** The kernel counts all that a user runs, so what runs already comes on top. */
function onTopOfOthers(limits: Limits): Limits {
  return { ...limits, processes: limits.processes + threadsOfUser(process.getuid?.()) };
}

/** How many running commands use each link: two may run in one workspace, and the last one takes it away. */
const users = new Map<string, number>();

/** Links to what the mounted directories hold, each inside its mount point, for the time of the command. */
function mount({ workspace, mounts }: Grants): () => void {
  const made: string[] = [];
  const unmount = () => {
    for (const place of made) release(place);
  };
  try {
    for (const { from, at } of mounts) {
      for (const name of readdirSync(from)) {
        const place = join(workspace, at, name);
        link(join(from, name), place);
        made.push(place);
      }
    }
    return unmount;
  } catch (error) {
    unmount();
    throw error;
  }
}

function link(target: string, place: string): void {
  const found = lstatSync(place, { throwIfNoEntry: false });
  if (found === undefined) symlinkSync(target, place);
  // The same link may be in use, or have been left by a harness that was killed.
  else if (!found.isSymbolicLink() || readlinkSync(place) !== target)
    throw new CupelError("usage", `${place} is in the way of a mount; nothing was started`, {
      expected: "a mount point that holds nothing else",
    });
  users.set(place, (users.get(place) ?? 0) + 1);
}

function release(place: string): void {
  const left = (users.get(place) ?? 1) - 1;
  if (left > 0) return void users.set(place, left);
  users.delete(place);
  // The command may have put something else there, which stays for all to see.
  if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() === true) unlinkSync(place);
}
