// The directory of the demo: a git repository with a SPEC.md, and beside it the script that plays the agents.
import { createRequire } from "node:module";
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { environmentError, hasCode } from "../domain/environment-error.ts";
import { CupelError } from "../domain/error.ts";
import { git } from "../workshop/git/git.ts";
import { type CommandResult, runCommand } from "../workshop/process/run-command.ts";

const PACKAGED = fileURLToPath(new URL("../../demo", import.meta.url));
/** No part of the product: below .cupel, which git does not see. */
const BESIDE = join(".cupel", "demo");
const SCRIPT = join(BESIDE, "script.jsonl");

/** What the demo's person says to the halt. */
export const PREPARED_ANSWER = join(BESIDE, "amendment.json");

/** Beside the product, not in it. */
export const REPORT = "report.html";

export interface DemoProject {
  directory: string;
  /** Whether it was there already, begun by an earlier demo. */
  begun: boolean;
}

/** Whole or not at all: a demo that was killed while it was laid out has left nothing under its name. */
export async function openDemo(wanted: string | undefined): Promise<DemoProject> {
  const directory = resolve(wanted ?? (await mkdtemp(join(tmpdir(), "cupel-demo-"))));
  if (existsSync(join(directory, SCRIPT))) return { directory, begun: true };
  assertFree(directory);
  await mkdir(dirname(directory), { recursive: true });
  const draft = await mkdtemp(join(dirname(directory), `.${basename(directory)}-`));
  try {
    await layOut(draft);
    await rename(draft, directory);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw environmentError(directory, error);
  }
  return { directory, begun: false };
}

function assertFree(directory: string): void {
  let entries: string[];
  try {
    entries = readdirSync(directory);
  } catch (cause) {
    if (hasCode(cause, "ENOENT")) return;
    throw notFree(directory, "is no directory");
  }
  if (entries.length > 0) throw notFree(directory, "is not empty");
}

function notFree(directory: string, why: string): CupelError {
  return new CupelError("already_exists", `${directory} ${why}, so the demo leaves it alone`, {
    expected: "a directory that is not there yet, or is empty, or holds a demo that was begun",
    hint: "cupel demo --dir ANOTHER, or without --dir for a temporary one",
  });
}

async function layOut(directory: string): Promise<void> {
  await mkdir(join(directory, BESIDE), { recursive: true });
  for (const name of ["SPEC.md", "cupel.config.json"])
    await copyFile(join(PACKAGED, name), join(directory, name));
  for (const name of ["script.jsonl", "amendment.json"])
    await copyFile(join(PACKAGED, name), join(directory, BESIDE, name));
  await writeFile(join(directory, ".cupel", ".gitignore"), "*\n");
  await writeFile(join(directory, ".gitignore"), `node_modules\n${REPORT}\n`);
  await git(["init", "--quiet", directory]);
  await git(["-C", directory, "add", "--all"]);
  await git(["-C", directory, "commit", "--quiet", "--message", "what I want"]);
}

/** What a released product needs for its own tests, out of what came with Cupel: no download. */
const TEST_TOOLS = ["vitest", "fast-check"];
const TIMEOUT_MS = 5 * 60_000;

/** `npm test` as anybody would type it. */
export async function testDemo(directory: string, signal: AbortSignal): Promise<CommandResult> {
  await linkPackages(directory);
  const { PATH = "" } = process.env;
  return runCommand("npm", ["test", "--silent"], {
    cwd: directory,
    env: { PATH, HOME: homedir(), NO_COLOR: "1", npm_config_update_notifier: "false" },
    timeoutMs: TIMEOUT_MS,
    signal,
  });
}

/** Links one by one, so that `npm install` replaces them without reaching into Cupel's own. */
async function linkPackages(directory: string): Promise<void> {
  const { resolve: find } = createRequire(import.meta.url);
  await mkdir(join(directory, "node_modules", ".bin"), { recursive: true });
  for (const name of TEST_TOOLS) {
    const place = realpathSync(dirname(find(`${name}/package.json`)));
    await link(place, join(directory, "node_modules", name));
  }
  await link(join("..", "vitest", "vitest.mjs"), join(directory, "node_modules", ".bin", "vitest"));
}

async function link(to: string, path: string): Promise<void> {
  await symlink(to, path).catch((cause: unknown) => {
    if (!hasCode(cause, "EEXIST")) throw environmentError(path, cause);
  });
}

export function preparedAnswer(directory: string): unknown {
  return JSON.parse(readFileSync(join(directory, PREPARED_ANSWER), "utf8"));
}
