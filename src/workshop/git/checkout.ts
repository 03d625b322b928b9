// Runs git in the person's own checkout: with the person's settings, but starting nothing that those settings name.
import { runCommand } from "../process/run-command.ts";
import type { CommandResult } from "../process/run-command.ts";
import { gitError } from "./git.ts";

const TIMEOUT_MS = 10 * 60_000;

/**
 * The person's configuration counts here (line endings, safe.directory, ignored files), but hooks, file monitors and
 * filters may be files of the work tree, which agents write. None of them runs, whoever configured it.
 */
const OVERRIDES: Readonly<Record<string, string>> = {
  "core.hooksPath": "/dev/null",
  "core.fsmonitor": "false",
  "core.alternateRefsCommand": "true",
  "core.pager": "cat",
  "core.quotePath": "false",
  "gc.auto": "0",
  "maintenance.auto": "false",
  "fetch.writeCommitGraph": "false",
  "submodule.recurse": "false",
  "fetch.recurseSubmodules": "false",
  "protocol.allow": "never",
  "protocol.file.allow": "always",
  "status.submoduleSummary": "false",
  "color.ui": "false",
};

/** What the person's environment may say about where configuration lies and who they are. */
const INHERITED = [
  "HOME",
  "XDG_CONFIG_HOME",
  "GIT_CONFIG_GLOBAL",
  "GIT_CONFIG_SYSTEM",
  "GIT_CONFIG_NOSYSTEM",
  "SUDO_UID",
];

export interface CheckoutCall {
  stdin?: string | Uint8Array;
  env?: Readonly<Record<string, string>>;
}

/** The person's checkout, with the filters that its configuration defines switched off. */
export interface Checkout {
  directory: string;
  settings: Readonly<Record<string, string>>;
}

/** For the directory of a git repository. */
export async function openCheckout(directory: string): Promise<Checkout> {
  const plain = { directory, settings: OVERRIDES };
  const listed = await tryCheckoutGit(plain, [
    "config",
    "--null",
    "--name-only",
    "--get-regexp",
    "^filter\\.",
  ]);
  const drivers = new Set(
    [...listed.stdout.matchAll(/filter\.([^\0]+)\.[^.\0]+\0/g)].map(([, name = ""]) => name),
  );
  const off = [...drivers].flatMap((name) => [
    [`filter.${name}.clean`, ""],
    [`filter.${name}.smudge`, ""],
    [`filter.${name}.process`, ""],
    [`filter.${name}.required`, "false"],
  ]);
  return { directory, settings: { ...OVERRIDES, ...Object.fromEntries(off) } };
}

/** Runs git there and returns its stdout; anything but exit 0 throws `git_failed`. */
export async function checkoutGit(
  checkout: Checkout,
  args: readonly string[],
  call: CheckoutCall = {},
): Promise<string> {
  const result = await tryCheckoutGit(checkout, args, call);
  if (result.kind === "exited" && result.code === 0) return result.stdout;
  throw gitError(args, result);
}

/** For commands whose exit code is an answer. */
export function tryCheckoutGit(
  checkout: Checkout,
  args: readonly string[],
  call: CheckoutCall = {},
): Promise<CommandResult> {
  return runCommand("git", args, {
    cwd: checkout.directory,
    timeoutMs: TIMEOUT_MS,
    env: { ...environment(checkout.settings), ...call.env },
    outputLimit: 1 << 28,
    ...(call.stdin === undefined ? {} : { stdin: call.stdin }),
  });
}

function environment(settings: Readonly<Record<string, string>>): Record<string, string> {
  const env: Record<string, string> = {
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    LC_ALL: "C.UTF-8",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_CONFIG_COUNT: String(Object.keys(settings).length),
  };
  for (const name of INHERITED) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  Object.entries(settings).forEach(([key, value], index) => {
    env[`GIT_CONFIG_KEY_${index}`] = key;
    env[`GIT_CONFIG_VALUE_${index}`] = value;
  });
  return env;
}
