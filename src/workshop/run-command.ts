// Runs one command and reports how it ended as a value.
import { spawn } from "node:child_process";

export type CommandResult =
  | { kind: "exited"; code: number; stdout: string; stderr: string }
  | { kind: "killed"; signal: string; stdout: string; stderr: string }
  | { kind: "timed-out"; afterMs: number; stdout: string; stderr: string }
  | { kind: "not-found"; command: string };

export interface CommandOptions {
  timeoutMs: number;
  /** Replaces the environment; nothing is inherited. */
  env: Record<string, string>;
}

const OUTPUT_LIMIT = 1_000_000;

export type RunCommand = (command: string, args: string[], options: CommandOptions) => Promise<CommandResult>;

export const runCommand: RunCommand = (command, args, { timeoutMs, env }) =>
  new Promise((resolve, reject) => {
    // A group of its own, so that a time-out also ends the children of the command.
    const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "pipe"], detached: true });
    const stdout = capture(child.stdout);
    const stderr = capture(child.stderr);
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    }, timeoutMs);

    child.on("error", (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      if (error.code === "ENOENT" || error.code === "EACCES") resolve({ kind: "not-found", command });
      else reject(error);
    });
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      const output = { stdout: stdout(), stderr: stderr() };
      if (timedOut) resolve({ kind: "timed-out", afterMs: timeoutMs, ...output });
      else if (code === null) resolve({ kind: "killed", signal: signal ?? "unknown", ...output });
      else resolve({ kind: "exited", code, ...output });
    });
  });

function capture(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on("data", (chunk: Buffer) => {
    if (size < OUTPUT_LIMIT) chunks.push(chunk.subarray(0, OUTPUT_LIMIT - size));
    size += chunk.length;
  });
  return () => Buffer.concat(chunks).toString("utf8");
}
