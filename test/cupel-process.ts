// Runs the built command line as a user would.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

export const BIN = fileURLToPath(new URL("../bin/cupel.js", import.meta.url));

export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

export function cupelIn(directory: string, args: string[], env: Record<string, string> = {}): Ended {
  const result = spawnSync(process.execPath, [BIN, ...args], {
    cwd: directory,
    env: { PATH: process.env["PATH"] ?? "", ...env },
    encoding: "utf8",
    timeout: 30_000,
  });
  return { code: result.status, out: result.stdout, err: result.stderr };
}

/** The same beside others: for two at once, and for what must be told something while it runs. */
export function startCupel(
  directory: string,
  args: string[],
  env: Record<string, string> = {},
  timeout = 60_000,
): { child: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd: directory,
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
    timeout,
  });
  const said = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said.out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said.err += text));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, ...said }));
  });
  return { child, ended };
}
