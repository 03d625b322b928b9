// Reads a module's configuration without running it, and says what of it the inner runner cannot honour.
import { parse as parseJsonWithComments } from "jsonc-parser";
import type { Files, Site } from "../../port.ts";

export interface Honoured {
  kind: "honoured";
  globals: boolean;
  testTimeoutMs: number | undefined;
}

export type Configuration = Honoured | { kind: "unsupported"; why: string };

/** Of no consequence for what a test finds. */
const HARMLESS = new Set([
  "allowOnly",
  "api",
  "bail",
  "cache",
  "coverage",
  "css",
  "dangerouslyIgnoreUnhandledErrors",
  "disableConsoleIntercept",
  "fileParallelism",
  "hideSkippedTests",
  "hookTimeout",
  "logHeapUsage",
  "maxConcurrency",
  "maxWorkers",
  "minWorkers",
  "name",
  "onConsoleLog",
  "open",
  "outputFile",
  "passWithNoTests",
  "pool",
  "poolOptions",
  "printConsoleTrace",
  "reporters",
  "silent",
  "slowTestThreshold",
  "teardownTimeout",
  "typecheck",
  "ui",
  "update",
  "watch",
]);

/** A file can ask for its own environment in a comment. */
const ENVIRONMENT = /@(?:vitest|jest)-environment\s+([\w./@-]+)/;

export async function readConfiguration(site: Site): Promise<Configuration> {
  const files = site.files();
  const names = Object.keys(files);
  const workspace = names.find((name) => /^vitest\.(?:workspace|projects)\.\w+$/.test(name));
  if (workspace !== undefined) return { kind: "unsupported", why: `${workspace}: workspaces` };
  for (const test of site.layout.tests) {
    const asked = ENVIRONMENT.exec(files[test] ?? "")?.[1];
    if (asked !== undefined && asked !== "node")
      return { kind: "unsupported", why: `${test}: the environment ${asked}` };
  }
  const config =
    names.find((name) => /^vitest\.config\.[cm]?[jt]s$/.test(name)) ??
    names.find((name) => /^vite\.config\.[cm]?[jt]s$/.test(name));
  if (config === undefined) return { kind: "honoured", globals: false, testTimeoutMs: undefined };
  const { settingsOf } = await import("./runner-settings.ts");
  const settings = settingsOf(config, files[config] ?? "");
  if (settings === undefined)
    return { kind: "unsupported", why: `${config} is not a plain object, so only vitest can read it` };
  return honour(config, settings, site);
}

function honour(config: string, settings: ReadonlyMap<string, unknown>, site: Site): Configuration {
  const honoured: Honoured = { kind: "honoured", globals: false, testTimeoutMs: undefined };
  for (const [key, value] of settings) {
    if (key === "globals" && typeof value === "boolean") honoured.globals = value;
    else if (key === "testTimeout" && typeof value === "number") honoured.testTimeoutMs = value;
    else if (!HARMLESS.has(key) && !isAsUsual(key, value, site.layout.tests))
      return { kind: "unsupported", why: `${config}: test.${key}` };
  }
  return honoured;
}

/** What changes nothing here, because it says what holds anyway. */
function isAsUsual(key: string, value: unknown, tests: readonly string[]): boolean {
  switch (key) {
    case "environment":
      return value === "node";
    case "isolate":
      return value === true;
    case "root":
      return value === ".";
    case "include":
      return matchesAll(value, tests);
    case "exclude":
      return !matchesSome(value, tests);
    default:
      return false;
  }
}

function matchesAll(globs: unknown, paths: readonly string[]): boolean {
  return Array.isArray(globs) && paths.every((path) => globs.some((glob) => matches(glob, path)));
}

function matchesSome(globs: unknown, paths: readonly string[]): boolean {
  return !Array.isArray(globs) || paths.some((path) => globs.some((glob) => matches(glob, path)));
}

function matches(glob: unknown, path: string): boolean {
  if (typeof glob !== "string") return false;
  let pattern = "";
  for (const [piece = ""] of glob
    .replace(/^\.\//, "")
    .matchAll(/\*\*\/|\*\*|\*|\?|\{[^{}]*\}|\[[^\]]*\]|[^*?{[]+|./g)) {
    if (piece === "**/") pattern += "(?:.*/)?";
    else if (piece === "**") pattern += ".*";
    else if (piece === "*") pattern += "[^/]*";
    else if (piece === "?") pattern += "[^/]";
    else if (piece.startsWith("{") && piece.endsWith("}"))
      pattern += `(?:${piece.slice(1, -1).split(",").map(literally).join("|")})`;
    else if (piece.startsWith("[") && piece.endsWith("]")) pattern += piece;
    else pattern += literally(piece);
  }
  try {
    return new RegExp(`^${pattern}$`).test(path);
  } catch {
    return false;
  }
}

function literally(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

const COMPILER_KEYS = [
  "experimentalDecorators",
  "useDefineForClassFields",
  "verbatimModuleSyntax",
  "jsx",
  "jsxFactory",
  "jsxFragmentFactory",
  "jsxImportSource",
];

/** What of the module's tsconfig.json decides what code does; what it extends is not read. */
export function compilerSettings(files: Files): string {
  const parsed: unknown = parseJsonWithComments(files["tsconfig.json"] ?? "{}");
  const options: unknown = isObject(parsed) ? parsed["compilerOptions"] : undefined;
  const kept = isObject(options)
    ? Object.entries(options).filter(([key]) => COMPILER_KEYS.includes(key))
    : [];
  return JSON.stringify({ compilerOptions: Object.fromEntries(kept) });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
