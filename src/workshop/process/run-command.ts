// The only spawner: runs one command with a scrubbed environment and reports how it ended as a value.
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import { statSync } from "node:fs";
import { Socket } from "node:net";
import { PassThrough } from "node:stream";
import type { Readable, Writable } from "node:stream";
import { capture } from "./capture.ts";
import { outputsClosed, silence, statusOf, unrefPipes } from "./command-pipes.ts";
import { coverInherited } from "./descriptors.ts";
import { limitedCommand } from "./limits.ts";
import type { Limits } from "./limits.ts";
import { endTree, groupEmpties, leftoversOf, MARKER } from "./process-tree.ts";
import { cannotStart, noSuchDirectory } from "./start-errors.ts";

export type { Limits };

export type CommandResult = Ending & Output;

/** How a command ended. `not-found`: it could not be started at all. */
export type Ending =
  | { kind: "exited"; code: number }
  | { kind: "killed"; signal: string }
  | { kind: "timed-out"; afterMs: number }
  | { kind: "cancelled" }
  | { kind: "not-found"; command: string };

export interface Output {
  stdout: string;
  stderr: string;
  /** Bytes that the command wrote, where the text above holds fewer; `kept` is the address of all of them. */
  overflow?: { stdoutBytes: number; stderrBytes: number; kept?: string };
}

export interface CommandOptions {
  timeoutMs: number;
  /** Replaces the environment; nothing is inherited. */
  env: Readonly<Record<string, string>>;
  cwd?: string;
  stdin?: string | Uint8Array;
  signal?: AbortSignal;
  limits?: Partial<Limits>;
  /** Looks for processes that left the command's group also when it ended by itself; costs some milliseconds. */
  thorough?: boolean;
  /** How many bytes of each output the result holds. */
  outputLimit?: number;
  /** Takes all of stdout, then all of stderr, when they are longer than the result holds; returns their address. */
  keep?: (output: Uint8Array) => Promise<string>;
}

export type RunCommand = (
  command: string,
  args: readonly string[],
  options: CommandOptions,
) => Promise<CommandResult>;

/** A command that is talked to while it runs. */
export interface RunningCommand {
  stdin: Writable;
  stdout: Readable;
  stderr: Readable;
  ended: Promise<Ending>;
  /** Ends it and everything it started. */
  kill(): void;
  /** Lets the harness exit while it still runs. */
  unref(): void;
}

export type StartOptions = Omit<CommandOptions, "stdin" | "keep" | "timeoutMs"> & { timeoutMs?: number };

/** A command with pipes besides the standard three: 3 is read, 4 and up are fed with `inputs`. */
export interface WiredCommand extends RunningCommand {
  /** What was written to descriptor 3; whole once the command has ended. */
  status(): string;
}

const OUTPUT_LIMIT = 1_000_000;

export const runCommand: RunCommand = async (command, args, options) =>
  collect(startCommand(command, args, options), options);

export function startCommand(
  command: string,
  args: readonly string[],
  options: StartOptions,
): RunningCommand {
  return startWired(command, args, options, undefined);
}

/** Feeds a started command, takes its output and waits for its end. */
export async function collect(
  running: RunningCommand,
  options: Pick<CommandOptions, "stdin" | "outputLimit" | "keep">,
): Promise<CommandResult> {
  const { outputLimit = OUTPUT_LIMIT, keep } = options;
  const stdout = capture(running.stdout, outputLimit, keep !== undefined);
  const stderr = capture(running.stderr, outputLimit, keep !== undefined);
  try {
    running.stdin.end(options.stdin);
    const ending = await running.ended;
    const result = { ...ending, stdout: stdout.text(), stderr: stderr.text() };
    if (!stdout.cut() && !stderr.cut()) return result;
    const overflow = { stdoutBytes: stdout.bytes(), stderrBytes: stderr.bytes() };
    if (keep === undefined) return { ...result, overflow };
    const kept = await keep(Buffer.concat([stdout.whole(), stderr.whole()]));
    return { ...result, overflow: { ...overflow, kept } };
  } finally {
    running.stdout.destroy();
    running.stderr.destroy();
    stdout.close();
    stderr.close();
  }
}

export function startWired(
  command: string,
  args: readonly string[],
  options: StartOptions,
  inputs: readonly (string | Uint8Array)[] | undefined,
): WiredCommand {
  const { signal, timeoutMs, thorough = false } = options;
  if (signal?.aborted === true) return neverStarted({ kind: "cancelled" });
  const limited = limitedCommand(command, args, options);
  if (limited === undefined) return neverStarted({ kind: "not-found", command });
  const marker = randomUUID();
  const child = launch(limited.command, limited.args, options, marker, inputs);
  const tree = child.pid === undefined ? undefined : { marker, root: child.pid, session: child.pid };

  let because: Ending | undefined;
  let killed: Promise<void> | undefined;
  const end = (ending: Ending) => {
    if (tree === undefined || child.exitCode !== null || child.signalCode !== null) return;
    because ??= ending;
    killed ??= endTree(tree);
  };
  const cancel = () => end({ kind: "cancelled" });
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => end({ kind: "timed-out", afterMs: timeoutMs }), Math.min(timeoutMs, 2 ** 31 - 1));
  if (signal !== undefined) {
    // Many commands may share one signal, which is no leak.
    setMaxListeners(0, signal);
    signal.addEventListener("abort", cancel, { once: true });
  }

  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const ended = endOf(child, command, options.cwd).then(async (ending) => {
    if (tree === undefined) return ending;
    if (killed === undefined && (thorough || !(await groupEmpties(tree.root))))
      killed = endTree(leftoversOf(tree));
    await killed;
    await outputsClosed(closed, child, tree);
    return because ?? ending;
  });
  const over = () => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", cancel);
  };
  // Whoever asks for the end gets the error; nobody asking must not end the harness.
  ended.then(over, over);
  return {
    stdin: child.stdin ?? new PassThrough(),
    stdout: child.stdout ?? silence(),
    stderr: child.stderr ?? silence(),
    status: statusOf(child, inputs !== undefined),
    ended,
    kill: cancel,
    unref: () => {
      child.unref();
      timer?.unref();
      unrefPipes(child);
    },
  };
}

function launch(
  command: string,
  args: readonly string[],
  { env, cwd }: StartOptions,
  marker: string,
  inputs: readonly (string | Uint8Array)[] | undefined,
): ChildProcess {
  const extra = inputs === undefined ? [] : ["pipe" as const, ...inputs.map(() => "pipe" as const)];
  try {
    const child = spawn(command, args, {
      env: { ...env, [MARKER]: marker },
      stdio: coverInherited(["pipe", "pipe", "pipe", ...extra]),
      // A group of its own, so that signals for the harness do not reach it.
      detached: true,
      ...(cwd === undefined ? {} : { cwd }),
    });
    // A command that does not read its input closes the pipe; how it ended is what counts.
    for (const pipe of child.stdio ?? []) pipe?.on("error", () => undefined);
    inputs?.forEach((input, index) => {
      const pipe = child.stdio?.[4 + index];
      if (pipe instanceof Socket) pipe.end(input);
    });
    return child;
  } catch (cause) {
    throw cannotStart(command, cause);
  }
}

function endOf(child: ChildProcess, command: string, cwd: string | undefined): Promise<Ending> {
  return new Promise((resolve, reject) => {
    child.on("error", (error: NodeJS.ErrnoException) => {
      if (!NOT_FOUND.includes(error.code ?? "")) reject(cannotStart(command, error));
      else if (cwd !== undefined && !isDirectory(cwd)) reject(noSuchDirectory(command, cwd));
      else resolve({ kind: "not-found", command });
    });
    child.once("exit", (code, signal) => {
      resolve(code === null ? { kind: "killed", signal: signal ?? "unknown" } : { kind: "exited", code });
    });
  });
}

const NOT_FOUND = ["ENOENT", "EACCES", "ENOTDIR", "ELOOP", "ENAMETOOLONG"];

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function neverStarted(ending: Ending): WiredCommand {
  return {
    stdin: new PassThrough().resume(),
    stdout: silence(),
    stderr: silence(),
    ended: Promise.resolve(ending),
    status: () => "",
    kill: () => undefined,
    unref: () => undefined,
  };
}
