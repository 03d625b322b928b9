// Runs `cupel verify` as a person does, several at a time, on small modules.
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";
import { BIN } from "./cupel-process.ts";
import type { Ended } from "./cupel-process.ts";

/** One for the whole file, since tests that run at once share it. */
const PLACE = mkdtempSync(join(tmpdir(), "cupel-test-"));
afterAll(() => rmSync(PLACE, { recursive: true, force: true }));

let made = 0;

/** A new directory with these files. */
export function placeWith(files: Readonly<Record<string, string>>): string {
  const place = join(PLACE, String(made++));
  mkdirSync(place);
  writeInto(place, files);
  return place;
}

export function writeInto(place: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(place, path)), { recursive: true });
    writeFileSync(join(place, path), text);
  }
}

export interface Running {
  child: ChildProcess;
  out: () => string;
  err: () => string;
  ended: Promise<Ended>;
}

export function startVerify(
  directory: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Running {
  const child = spawn(process.execPath, [BIN, "verify", ...args], {
    cwd: directory,
    // What is remembered is this file's own.
    env: {
      PATH: process.env["PATH"] ?? "",
      XDG_CACHE_HOME: join(PLACE, "cache"),
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 110_000,
  });
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
  const ended = new Promise<Ended>((resolve) => {
    child.once("close", (code) => resolve({ code, out, err }));
  });
  return { child, out: () => out, err: () => err, ended };
}

export function verifyIn(directory: string, args: readonly string[]): Promise<Ended> {
  return startVerify(directory, args).ended;
}

export const CODE = `export function double(value: number): number {
  return value * 2;
}
`;

export const TESTS = `import { expect, test } from "vitest";
import { double } from "../src/index.ts";

test.each([
  [2, 4],
  [-3, -6],
])("doubles %d", (value, expected) => {
  expect(double(value)).toBe(expected);
});
`;

/** A module that every gate accepts, below a folder of this name. */
export function moduleAt(
  folder: string,
  files: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const all = { "src/index.ts": CODE, "test/double.test.ts": TESTS, ...files };
  return Object.fromEntries(Object.entries(all).map(([path, text]) => [`${folder}/${path}`, text]));
}
