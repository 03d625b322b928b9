// Starts the writer process for a test, and tells what it had acknowledged by the time it ended.
import { spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("./writer-process.suite.ts", import.meta.url));

export interface WriterEnd {
  /** Complete lines only. */
  lines: string[];
  code: number | null;
}

export interface Writer {
  /** Resolves when a line that starts with `start` was printed, or the process ended. */
  said(start: string): Promise<void>;
  kill(): void;
  ended: Promise<WriterEnd>;
}

/** `prefix` is a command that runs another one, for example with less of something. */
export function startWriter(args: (string | number)[], prefix: string[] = []): Writer {
  const command = [...prefix, process.execPath, "--import", "tsx", SCRIPT, ...args.map(String)];
  // Into a file: a pipe fills up while we are busy, and the writer would fail instead of waiting.
  const directory = mkdtempSync(join(tmpdir(), "cupel-writer-"));
  const file = join(directory, "said");
  const output = openSync(file, "a+");
  const child = spawn(command[0] ?? "", command.slice(1), { stdio: ["ignore", output, "inherit"] });
  closeSync(output);
  const running = () => child.exitCode === null && child.signalCode === null;
  const lines = () => readFileSync(file, "utf8").split("\n").slice(0, -1);
  const ended = new Promise<WriterEnd>((resolve, reject) => {
    child.on("error", reject).on("close", (code) => {
      resolve({ lines: lines(), code });
      rmSync(directory, { recursive: true });
    });
  });
  return {
    said: async (start) => {
      while (running() && !lines().some((line) => line.startsWith(start))) await sleep(2);
    },
    kill: () => void child.kill("SIGKILL"),
    ended,
  };
}
