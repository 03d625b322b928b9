// Runs the built command line as a user would.
import { spawnSync } from "node:child_process";
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
