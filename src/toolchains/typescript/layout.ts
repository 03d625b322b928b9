// Tells which files of a folder are a TypeScript module's entry, sources, tests and configuration, without running any.
import { basename, join, posix } from "node:path";
import { isRealDirectory } from "../../workshop/sandbox/grants.ts";
import type { ModuleLayout } from "../port.ts";
import { filesOf, readRegular } from "./module-files.ts";

export type Detection = { kind: "module"; layout: ModuleLayout } | { kind: "no-module"; why: string };

const CODE = /\.[cm]?[jt]sx?$/;

export function detectLayout(folder: string): Detection {
  if (!isRealDirectory(folder)) return none(`${folder} is not a directory`);
  const found = filesOf(folder);
  if (typeof found === "string") return none(found);
  const odd = found.odd.find((path) => /^(?:src|tests?)(?:\/|$)/.test(path) || CODE.test(path));
  if (odd !== undefined) return none(`${odd} is a link or a special file; put a regular file there`);
  if (!found.files.some((path) => path.startsWith("src/"))) return none("there are no files in src/");

  const read = (path: string) => readRegular(join(folder, path))?.toString("utf8") ?? "";
  const setup = setupFiles(found.files, read);
  const roles = new Map(found.files.map((path) => [path, setup.has(path) ? "setup" : roleOf(path, read)]));
  const having = (...wanted: (Role | "setup")[]) =>
    found.files.filter((path) => wanted.some((role) => roles.get(path) === role));
  const sources = having("source");
  const entry = entryOf(folder, sources);
  if (entry === undefined)
    return none("nothing in src/ is the entry: name the file that callers import src/index.ts");
  const others = sources.filter((path) => path !== entry);
  const [tests, configuration] = [having("test"), having("configuration", "setup")];
  return { kind: "module", layout: { entry, sources: [entry, ...others], tests, configuration } };
}

function none(why: string): Detection {
  return { kind: "no-module", why };
}

export type Role = "source" | "test" | "configuration";

const TYPES_ONLY = /\.d(?:\.\w+)?\.[cm]?ts$/;
const TEST_NAME = /\.(?:test|spec)\.[cm]?[jt]sx?$/;
const TEST_FOLDER = /(?:^|\/)(?:tests?|__tests__)\//;
const CONFIGURATION =
  /^(?:(?:vitest|vite)\.[\w.-]+|tsconfig[\w.-]*\.json|package\.json|[\w.-]+\.config\.[cm]?[jt]s)$/;

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

function entryOf(folder: string, sources: readonly string[]): string | undefined {
  const inSrc = sources.filter((path) => posix.dirname(path) === "src");
  const names = [...ENTRY_NAMES, basename(folder)];
  const likely = names.flatMap((name) => ENDINGS.map((ending) => `src/${name}.${ending}`));
  return likely.find((path) => inSrc.includes(path)) ?? (inSrc.length === 1 ? inSrc[0] : undefined);
}
