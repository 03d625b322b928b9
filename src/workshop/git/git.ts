// Runs plain git so that no configuration, hook or credential of the person or of an agent takes part.
import { CupelError } from "../../domain/error.ts";
import { runCommand, startCommand } from "../process/run-command.ts";
import type { CommandResult, RunningCommand } from "../process/run-command.ts";

const TIMEOUT_MS = 10 * 60_000;

/** Settings that hold whatever the repository says; later ones win over its own file. */
const SETTINGS: Readonly<Record<string, string>> = {
  "core.hooksPath": "/dev/null",
  "core.fsmonitor": "false",
  "core.attributesFile": "/dev/null",
  "core.autocrlf": "false",
  "core.symlinks": "true",
  "core.quotePath": "false",
  "commit.gpgSign": "false",
  "tag.gpgSign": "false",
  "gc.auto": "0",
  "maintenance.auto": "false",
  "protocol.allow": "never",
  "protocol.file.allow": "always",
  "submodule.recurse": "false",
  "advice.detachedHead": "false",
  "init.defaultBranch": "main",
};

/** One repository, by its git directory; a work tree only where one is named. */
export interface GitCall {
  gitDir?: string;
  stdin?: string | Uint8Array;
  env?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
}

/** Runs git and returns its stdout; anything but exit 0 throws `git_failed` with what git said. */
export async function git(args: readonly string[], call: GitCall = {}): Promise<string> {
  const result = await tryGit(args, call);
  if (result.kind === "exited" && result.code === 0) return result.stdout;
  throw gitError(args, result);
}

/** For commands whose exit code is an answer. */
export function tryGit(args: readonly string[], call: GitCall = {}): Promise<CommandResult> {
  const { gitDir, stdin, env, signal } = call;
  return runCommand("git", inRepository(gitDir, args), {
    timeoutMs: TIMEOUT_MS,
    env: { ...gitEnvironment(), ...env },
    outputLimit: 1 << 30,
    ...(stdin === undefined ? {} : { stdin }),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** For git commands that are fed while they run. */
export function startGit(args: readonly string[], call: Omit<GitCall, "stdin">): RunningCommand {
  return startCommand("git", inRepository(call.gitDir, args), {
    env: { ...gitEnvironment(), ...call.env },
    ...(call.signal === undefined ? {} : { signal: call.signal }),
  });
}

export function gitError(args: readonly string[], result: CommandResult): CupelError {
  const said = result.stderr.trim() || result.stdout.trim();
  const how = result.kind === "exited" ? `exit ${result.code}` : result.kind;
  const full = /No space left on device|Disk quota exceeded/i.test(said);
  if (full) {
    return new CupelError("store_full", `git ${args[0] ?? ""}: the disk is full; nothing was changed`, {
      hint: "free some space and run the same command again",
    });
  }
  return new CupelError("git_failed", `git ${args.slice(0, 3).join(" ")}: ${how}${said ? `: ${said}` : ""}`, {
    hint:
      result.kind === "not-found" ? "cupel doctor" : "cupel clean --dry-run (shows what the workshop holds)",
  });
}

function inRepository(gitDir: string | undefined, args: readonly string[]): string[] {
  return gitDir === undefined ? [...args] : [`--git-dir=${gitDir}`, ...args];
}

/** Settings go by environment, since they then also reach the processes that git starts. */
function gitEnvironment(): Record<string, string> {
  const entries = Object.entries(SETTINGS);
  const env: Record<string, string> = {
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    HOME: "/nonexistent",
    LC_ALL: "C.UTF-8",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_AUTHOR_NAME: IDENTITY.name,
    GIT_AUTHOR_EMAIL: IDENTITY.email,
    GIT_COMMITTER_NAME: IDENTITY.name,
    GIT_COMMITTER_EMAIL: IDENTITY.email,
    GIT_CONFIG_COUNT: String(entries.length),
  };
  entries.forEach(([key, value], index) => {
    env[`GIT_CONFIG_KEY_${index}`] = key;
    env[`GIT_CONFIG_VALUE_${index}`] = value;
  });
  return env;
}

/** The harness commits, never the agent and never in the person's name. */
export const IDENTITY = { name: "Cupel", email: "cupel@localhost" } as const;
