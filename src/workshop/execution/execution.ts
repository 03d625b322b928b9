// The harness's own place to run code together with its built dependencies; no agent ever works in it.
import { constants, copyFileSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { staysInside } from "../../domain/artifact/context-pack.ts";
import { CupelError } from "../../domain/error.ts";
import { CANARY_FILE, type CanaryFilter, canaryFilter, type Found } from "../blindness/canary.ts";
import { isGitName } from "../git/byte-path.ts";
import { isRealDirectory } from "../sandbox/grants.ts";
import type { Mount, Sandbox, SandboxedCommand, SandboxedResult } from "../sandbox/port.ts";
import { removeAll } from "../workspace/remove.ts";

export interface ExecutionRequest {
  /** Where it is made; nothing may be there yet. */
  directory: string;
  /** A directory whose files are copied; its history and its canary are not. */
  source?: string;
  /** Files by their paths, on top of those of `source`. */
  files?: Readonly<Record<string, string | Uint8Array>>;
  /** Built packages, seen at `modules/<name>`, read-only. */
  dependencies?: readonly { name: string; directory: string }[];
  /** Installed packages, seen at `node_modules`, read-only. */
  packages?: string;
  sandbox: Sandbox;
  /** What must not be seen in any output. */
  canaries: readonly string[];
}

export type ExecutedCommand = Omit<SandboxedCommand, "workspace" | "mounts">;

/** Outputs without canaries; `canariesFound` says which were there, by their place in the list. */
export type ExecutedResult = SandboxedResult & { canariesFound: Found };

export interface Execution {
  directory: string;
  run(command: ExecutedCommand): Promise<ExecutedResult>;
  remove(): Promise<void>;
}

export async function openExecution(request: ExecutionRequest): Promise<Execution> {
  const { sandbox, source, files = {} } = request;
  const directory = resolve(request.directory);
  const mounts = mountsOf(request);
  for (const path of Object.keys(files)) checkPath(path, mounts);
  makeNew(directory);
  try {
    if (source !== undefined) copyTree({ from: resolve(source), to: directory, mounts, left: MOST_BYTES });
    for (const [path, content] of Object.entries(files)) write(directory, path, content);
    for (const { at } of mounts) mkdirSync(join(directory, at), { recursive: true });
    await sandbox.handOver(directory);
  } catch (error) {
    await removeAll(directory);
    throw error;
  }
  const filter = canaryFilter(request.canaries);
  return {
    directory,
    run: (command) => runFiltered(sandbox, { ...command, workspace: directory, mounts }, filter),
    remove: () => removeAll(directory),
  };
}

function mountsOf({ dependencies = [], packages, sandbox }: ExecutionRequest): Mount[] {
  const mounts = dependencies.map(({ name, directory }): Mount => {
    if (!/^\w[\w.@-]*$/.test(name)) {
      throw refusal(`${JSON.stringify(name)} is no name of a dependency`, "letters, digits, _, -, . and @");
    }
    return { from: resolve(directory), at: `modules/${name}` };
  });
  if (packages !== undefined) mounts.push({ from: resolve(packages), at: "node_modules" });
  for (const { from, at } of mounts) {
    if (!isRealDirectory(from))
      throw refusal(`${from} cannot be seen at ${at}`, "a directory that is not a link");
    if (sandbox.level !== "none" && !isOpenToOthers(from)) {
      throw refusal(
        `${from} is closed to other users, as one of whom commands run`,
        "mode 755",
        `chmod 755 ${from}`,
      );
    }
    if (mounts.filter((other) => other.at === at).length > 1)
      throw refusal(`two things would be seen at ${at}`, "one");
  }
  return mounts;
}

/** As root, commands run as somebody else. */
function isOpenToOthers(directory: string): boolean {
  return process.getuid?.() !== 0 || (lstatSync(directory).mode & 0o005) === 0o005;
}

function checkPath(path: string, mounts: readonly Mount[]): void {
  if (!staysInside(path)) {
    throw refusal(
      `the path ${JSON.stringify(path)} leads out of the place`,
      "a relative path without . and ..",
    );
  }
  for (const { at } of mounts) {
    const inTheWay = path === at || path.startsWith(`${at}/`) || at.startsWith(`${path}/`);
    if (inTheWay) throw refusal(`the file ${path} is in the way of what is mounted at ${at}`, "another path");
  }
}

function makeNew(directory: string): void {
  mkdirSync(dirname(directory), { recursive: true });
  try {
    mkdirSync(directory);
  } catch (cause) {
    throw new CupelError("already_exists", `${directory} cannot be made anew`, {
      expected: "a place where nothing is yet",
      cause,
    });
  }
}

/** The place is new and the harness made every directory in it, so no link can be on the way. */
function write(directory: string, path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(directory, path)), { recursive: true });
  writeFileSync(join(directory, path), content, { flag: "wx" });
}

interface Copying {
  from: string;
  to: string;
  mounts: readonly Mount[];
  /** How many bytes may still be copied; a file with holes can claim to be larger than any disk. */
  left: number;
}

function copyTree(copying: Copying, folder = ""): void {
  const { from, to, mounts } = copying;
  if (!isRealDirectory(join(from, folder))) throw refusal(`${join(from, folder)} is not a directory`, "one");
  for (const name of readdirSync(join(from, folder))) {
    const path = folder === "" ? name : `${folder}/${name}`;
    if (isGitName(name) || path === CANARY_FILE) continue;
    const stat = lstatSync(join(from, path), { throwIfNoEntry: false });
    if (stat?.isDirectory() === true) {
      mkdirSync(join(to, path));
      copyTree(copying, path);
    } else if (stat?.isFile() === true) {
      checkPath(path, mounts);
      copying.left -= stat.size;
      if (copying.left < 0) throw refusal(`${from} is too large to be copied`, `at most ${MOST_BYTES} bytes`);
      copyFileSync(join(from, path), join(to, path), constants.COPYFILE_EXCL);
    } else
      throw refusal(`${JSON.stringify(path)} of ${from} cannot be copied`, "regular files only, no links");
  }
}

const MOST_BYTES = 2 ** 30;

async function runFiltered(
  sandbox: Sandbox,
  command: SandboxedCommand,
  filter: CanaryFilter,
): Promise<ExecutedResult> {
  const { keep } = command;
  const kept: Found = [];
  const result = await sandbox.run({
    ...command,
    ...(keep === undefined
      ? {}
      : {
          keep: (output) => {
            const { bytes, found } = filter.bytes(output);
            kept.push(...found);
            return keep(bytes);
          },
        }),
  });
  const [stdout, stderr] = [filter.text(result.stdout), filter.text(result.stderr)];
  const canariesFound = unique([...stdout.found, ...stderr.found, ...kept]);
  return { ...result, stdout: stdout.text, stderr: stderr.text, canariesFound };
}

function unique(found: Found): Found {
  return [...new Map(found.map((each) => [`${each.canary} ${each.disguise}`, each])).values()];
}

function refusal(message: string, expected: string, hint?: string): CupelError {
  return new CupelError("usage", message, { expected, ...(hint === undefined ? {} : { hint }) });
}
