// A copy of a module where it can be run and changed: what was read once lies in memory, so forks never see what
// commands have done to an earlier copy.
import { rmdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { sha256Hex } from "../../domain/canonical.ts";
import { CupelError } from "../../domain/error.ts";
import { type Execution, openExecution } from "../../workshop/execution/execution.ts";
import type { SandboxedResult } from "../../workshop/sandbox/port.ts";
import type { Edits, Files, ModuleLayout, Site, SiteCommand, SiteRequest, SiteResult } from "../port.ts";
import type { ToolchainContext } from "./context.ts";
import { TOOLS } from "./inside-script.ts";
import { type Role, roleOf } from "./layout.ts";
import { filesOf, readRegular } from "./module-files.ts";
import { packagesInUse } from "./packages-in-use.ts";
import { withinModule } from "./tsconfig-copy.ts";

type Contents = ReadonlyMap<string, Uint8Array | string>;

/** What all copies of one module share. */
interface Origin {
  context: ToolchainContext;
  request: SiteRequest;
  packages: string;
  copies: number;
}

export async function openSite(context: ToolchainContext, request: SiteRequest): Promise<Site> {
  const contents = contentsOf(request.folder);
  const missing = filesOfLayout(request.layout).find((path) => !contents.has(path));
  if (missing !== undefined)
    throw refusal(`${missing} is not a file of ${request.folder}`, "a layout made of it");
  const packages = packagesInUse(context, request.folder);
  return copy({ context, request, packages, copies: 0 }, request.layout, contents);
}

async function copy(origin: Origin, layout: ModuleLayout, contents: Contents): Promise<Site> {
  const { context, request, packages } = origin;
  const root = resolve(request.directory);
  const execution = await openExecution({
    directory: join(root, String(origin.copies++)),
    files: Object.fromEntries(contents),
    packages,
    sandbox: context.sandbox,
    canaries: [],
    ...(request.dependencies === undefined ? {} : { dependencies: request.dependencies }),
  });
  return {
    layout,
    directory: execution.directory,
    inside: context.sandbox.inside(execution.directory),
    level: context.sandbox.level,
    files: () => textsOf(filesOfLayout(layout), contents),
    data: () => textsOf(dataBeside(layout, contents), contents),
    key: (without = []) => {
      const none = Object.fromEntries(without.map((path) => [path, null]));
      return keyOf(origin, layoutAfter(layout, none), contentsAfter(contents, none));
    },
    fork: async (edits) => copy(origin, layoutAfter(layout, edits), contentsAfter(contents, edits)),
    run: (command) => run(execution, command),
    remove: async () => {
      await execution.remove();
      removeIfEmpty(root);
    },
  };
}

function keyOf({ request, packages }: Origin, layout: ModuleLayout, contents: Contents): string {
  const files = [...contents].map(([path, content]) => `${path} ${sha256Hex(content)}`).toSorted();
  const tools = ["vitest", "fast-check"].map((name) => manifestIn(packages, name));
  const builds = (request.dependencies ?? []).map(({ name, directory }) => [name, ...hashesIn(directory)]);
  return sha256Hex(JSON.stringify([layout, files, tools, builds]));
}

function manifestIn(packages: string, name: string): string | undefined {
  return readRegular(join(packages, name, "package.json"))?.toString("utf8");
}

function hashesIn(directory: string): string[] {
  const found = filesOf(directory);
  if (typeof found === "string") throw refusal(`${directory} cannot be read: ${found}`, "a built package");
  return found.files
    .toSorted()
    .map((path) => `${path} ${sha256Hex(readRegular(join(directory, path)) ?? "")}`);
}

function contentsOf(folder: string): Contents {
  const found = filesOf(folder);
  if (typeof found === "string") throw refusal(`${folder} cannot be copied: ${found}`, "an ordinary folder");
  const contents = new Map<string, Uint8Array | string>();
  for (const path of found.files) {
    const bytes = readRegular(join(folder, path));
    if (bytes === undefined) throw refusal(`${path} of ${folder} cannot be read`, "a regular, readable file");
    contents.set(path, /^tsconfig[\w.-]*\.json$/.test(path) ? withinModule(path, bytes, found.files) : bytes);
  }
  return contents;
}

function filesOfLayout({ sources, tests, configuration }: ModuleLayout): string[] {
  return [...new Set([...sources, ...tests, ...configuration])];
}

function dataBeside(layout: ModuleLayout, contents: Contents): string[] {
  const known = new Set(filesOfLayout(layout));
  return [...contents.keys()].filter((path) => path.endsWith(".json") && !known.has(path));
}

function textsOf(paths: readonly string[], contents: Contents): Files {
  return Object.fromEntries(
    paths.flatMap((path) => {
      const content = contents.get(path);
      if (content === undefined) return [];
      return [[path, typeof content === "string" ? content : Buffer.from(content).toString("utf8")]];
    }),
  );
}

/** Files that an edit takes away leave the layout; new ones join it as what they are by their names. */
function layoutAfter(layout: ModuleLayout, edits: Edits): ModuleLayout {
  const stays = (path: string) => edits[path] !== null;
  const { entry, sources, tests, configuration } = layout;
  if (!stays(entry)) throw refusal(`the edits take the entry ${entry} away`, "an entry that stays");
  const known = new Set(filesOfLayout(layout));
  const fresh = Object.keys(edits).filter(
    (path) => stays(path) && !known.has(path) && !path.startsWith(`${TOOLS}/`),
  );
  const having = (role: Role) => fresh.filter((path) => roleOf(path, (of) => edits[of] ?? "") === role);
  return {
    entry,
    sources: [...sources.filter(stays), ...having("source")],
    tests: [...tests.filter(stays), ...having("test")],
    configuration: [...configuration.filter(stays), ...having("configuration")],
  };
}

function contentsAfter(contents: Contents, edits: Edits): Contents {
  const after = new Map(contents);
  for (const [path, text] of Object.entries(edits)) {
    if (text === null) after.delete(path);
    else after.set(path, text);
  }
  return after;
}

async function run(execution: Execution, command: SiteCommand): Promise<SiteResult> {
  const { timeoutMs, args, stdin, env, signal, memoryBytes = MEMORY_BYTES, access = "write" } = command;
  const result = await execution.run({
    command: command.command,
    args,
    access,
    network: "none",
    timeoutMs,
    limits: { memoryBytes, processes: PROCESSES, fileBytes: FILE_BYTES, cpuSeconds: cpuSeconds(timeoutMs) },
    ...(stdin === undefined ? {} : { stdin }),
    ...(env === undefined ? {} : { env }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (result.kind === "not-found")
    throw new CupelError("cannot_start", `${command.command} cannot be started in the sandbox`, {
      expected: "a program that the sandbox sees",
      hint: "cupel doctor",
    });
  return siteResult(result);
}

/** Of each process. */
const MEMORY_BYTES = 3 * 1024 ** 3;
const PROCESSES = 400;
const FILE_BYTES = 64 * 1024 ** 2;

/** A process with several threads uses time faster than the clock; it never needs more than this. */
function cpuSeconds(timeoutMs: number): number {
  return Math.ceil(timeoutMs / 1000) * 8 + 10;
}

function siteResult(result: Exclude<SandboxedResult, { kind: "not-found" }>): SiteResult {
  const { stdout, stderr, overflow } = result;
  const outputBytes =
    overflow === undefined
      ? Buffer.byteLength(stdout) + Buffer.byteLength(stderr)
      : overflow.stdoutBytes + overflow.stderrBytes;
  const output = { stdout, stderr, outputBytes };
  switch (result.kind) {
    case "exited":
      return { kind: "exited", code: result.code, ...output };
    case "killed":
      return { kind: "killed", signal: result.signal, ...output };
    case "timed-out":
      return { kind: "timed-out", afterMs: result.afterMs, ...output };
    case "cancelled":
      return { kind: "cancelled", ...output };
  }
}

function removeIfEmpty(directory: string): void {
  try {
    rmdirSync(directory);
  } catch {
    // Other copies are still in use.
  }
}

function refusal(message: string, expected: string): CupelError {
  return new CupelError("usage", message, { expected });
}
