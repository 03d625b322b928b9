// Tells which files of a folder are a TypeScript module's entry, sources, tests and configuration, without running any.
import { lstatSync } from "node:fs";
import { basename, join, posix, resolve } from "node:path";
import { isRealDirectory } from "../../workshop/sandbox/grants.ts";
import type { ModuleLayout } from "../port.ts";
import { filesOf, readRegular } from "./module-files.ts";

export type Detection = { kind: "module"; layout: ModuleLayout } | { kind: "no-module"; why: string };

const CODE = /\.[cm]?[jt]sx?$/;

export function detectLayout(folder: string): Detection {
  if (!isRealDirectory(folder)) return none(notReal(folder));
  const found = filesOf(folder);
  if (typeof found === "string") return none(found);
  const odd = found.odd.find((path) => /^(?:src|tests?)(?:\/|$)/.test(path) || CODE.test(path));
  if (odd !== undefined) return none(`${odd} is a link or a special file; put a regular file there`);

  const read = (path: string) => readRegular(join(folder, path))?.toString("utf8") ?? "";
  const setup = setupFiles(found.files, read);
  const roles = new Map(found.files.map((path) => [path, setup.has(path) ? "setup" : roleOf(path, read)]));
  const having = (...wanted: (Role | "setup")[]) =>
    found.files.filter((path) => wanted.some((role) => roles.get(path) === role));
  const sources = sourcesAmong(having("source"), having("test"), read);
  if (sources.length === 0) return none("there is no code beside tests and configuration; put it into src/");
  const entry = manifestEntry(read("package.json"), sources) ?? entryOf(folder, sources);
  if (entry === undefined) return none(unclearEntry(sources));
  const others = sources.filter((path) => path !== entry);
  const tests = having("test");
  const configuration = found.files.filter(
    (path) => roles.get(path) !== undefined && !tests.includes(path) && !sources.includes(path),
  );
  return { kind: "module", layout: { entry, sources: [entry, ...others], tests, configuration } };
}

function none(why: string): Detection {
  return { kind: "no-module", why };
}

function notReal(folder: string): string {
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  if (stat === undefined) return `${folder} is not there`;
  const isLink = stat.isSymbolicLink();
  return isLink ? `${folder} is a link; name the folder it leads to` : `${folder} is not a directory`;
}

export type Role = "source" | "test" | "configuration";

const TYPES_ONLY = /\.d(?:\.\w+)?\.[cm]?ts$/;
const TEST_NAME = /\.(?:test|spec)\.[cm]?[jt]sx?$/;
const TEST_FOLDER = /(?:^|\/)(?:tests?|__tests__)\//;
const CONFIGURATION =
  /^(?:(?:vitest|vite)\.[\w.-]+|tsconfig[\w.-]*\.json|package\.json|[\w.-]+\.config\.[cm]?[jt]s|\.[\w-]+rc\.[cm]?js)$/;

/** What a file is by its name; undefined for data and prose. */
export function roleOf(path: string, read: (path: string) => string): Role | undefined {
  if (TYPES_ONLY.test(path) || CONFIGURATION.test(path)) return "configuration";
  if (!CODE.test(path)) return undefined;
  if (TEST_NAME.test(path)) return "test";
  if (!TEST_FOLDER.test(path)) return "source";
  // In a folder of tests the content decides too, so that no test hides behind an unusual name. What tests import
  // beside the module decides what they find, like a setup file.
  return /^(?:test|it|describe|suite)\b[\w.]*\(/m.test(read(path)) ? "test" : "configuration";
}

/**
 * What lies in src/, what any of it or a test names, and where there is no src/ the code at the top. Scripts and
 * examples beside it are no sources; static rules refuse a source that imports what is none.
 */
function sourcesAmong(
  code: readonly string[],
  tests: readonly string[],
  read: (path: string) => string,
): string[] {
  if (!code.some((path) => path.startsWith("src/"))) return [...code];
  const taken = new Set(code.filter((path) => path.startsWith("src/")));
  for (const path of new Set([...taken, ...tests]))
    for (const each of namedIn(path, read(path), code)) taken.add(each);
  for (const path of taken) for (const each of namedIn(path, read(path), code)) taken.add(each);
  return code.filter((path) => taken.has(path));
}

function namedIn(from: string, text: string, code: readonly string[]): string[] {
  const named = [...text.matchAll(/["'`](\.{1,2}\/[^"'`\n]+)["'`]/g)].map(([, name = ""]) =>
    posix.join(posix.dirname(from), name).replace(CODE, ""),
  );
  return code.filter((path) =>
    named.some((name) => [name, `${name}/index`].includes(path.replace(CODE, ""))),
  );
}

/** As far as the configuration says it in plain text; code that computes it is not run. */
function setupFiles(files: readonly string[], read: (path: string) => string): ReadonlySet<string> {
  const settings = files.filter((path) => /^vite(?:st)?\.config\./.test(path));
  const named = settings.flatMap((path) => {
    const lists = [...read(path).matchAll(/\bsetupFiles\b["']?\s*:\s*(\[[^\]]*\]|["'`][^"'`]*["'`])/g)];
    return lists.flatMap(([, list = ""]) =>
      [...list.matchAll(/["'`]([^"'`]+)["'`]/g)].map(([, name = ""]) => name),
    );
  });
  return new Set(named.map((name) => posix.normalize(name)).filter((name) => files.includes(name)));
}

const ENTRY_NAMES = ["index", "main", "mod", "lib"];
const ENDINGS = ["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs"];

/** Code lies in src/; where nothing does, beside its tests in the folder itself. */
function entryOf(folder: string, sources: readonly string[]): string | undefined {
  const home = homeOf(sources);
  const candidates = sources.filter((path) => posix.dirname(path) === home);
  const names = [...ENTRY_NAMES, basename(resolve(folder))];
  const likely = names.flatMap((name) => ENDINGS.map((ending) => posix.join(home, `${name}.${ending}`)));
  return (
    likely.find((path) => candidates.includes(path)) ?? (candidates.length === 1 ? candidates[0] : undefined)
  );
}

function homeOf(sources: readonly string[]): string {
  return ["src", ".", "lib"].find((home) => sources.some((path) => posix.dirname(path) === home)) ?? "src";
}

function unclearEntry(sources: readonly string[]): string {
  const home = homeOf(sources);
  const wanted = posix.join(home, "index.ts");
  const where = home === "." ? "the folder" : `${home}/`;
  return `nothing in ${where} is the entry: name the file that callers import ${wanted}, or name it in package.json as "exports"`;
}

/** What the manifest names as the code for callers, where that is a source and not something that is built first. */
function manifestEntry(text: string, sources: readonly string[]): string | undefined {
  const manifest = parsedObject(text);
  const named = [manifest["source"], ...targetsOf(manifest["exports"]), manifest["module"], manifest["main"]];
  const paths = named.flatMap((name) => (typeof name === "string" ? [posix.normalize(name)] : []));
  return paths.find((path) => sources.includes(path));
}

/** Of `exports` in all its forms: a text, conditions, or conditions below ".". */
function targetsOf(exported: unknown, depth = 0): string[] {
  if (typeof exported === "string") return [exported];
  if (typeof exported !== "object" || exported === null || depth > MOST_DEPTH) return [];
  const entries = Object.entries(exported).filter(([key]) => key === "." || !key.startsWith("."));
  return entries.flatMap(([, target]) => targetsOf(target, depth + 1));
}

const MOST_DEPTH = 5;

function parsedObject(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}
