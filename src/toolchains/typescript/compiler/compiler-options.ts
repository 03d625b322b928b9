// The compiler options of a module: its own tsconfig.json read as data, only what concerns the language, over a strict default.
import { posix } from "node:path";
import { parse, type ParseError } from "jsonc-parser";
import type { Place } from "../../port.ts";

export interface ModuleOptions {
  compilerOptions: Readonly<Record<string, unknown>>;
  /** What the module's configuration asks for and cannot have. */
  refused: Place[];
  /** What it asks for and does not need as long as everything compiles without. */
  leftOut: Place[];
}

/** Whatever leads out of the module (extends, paths, references, rootDirs, plugins) has no say here. */
export function moduleOptions(texts: ReadonlyMap<string, string>, hasNodeTypes: boolean): ModuleOptions {
  const { options, refused, leftOut } = ownOptions(texts, "tsconfig.json", []);
  const { ["paths"]: paths, ...sane } = options ?? STRICT;
  const types = [...(hasNodeTypes ? ["node"] : []), ...(hasGlobals(texts) ? ["vitest/globals"] : [])];
  return {
    compilerOptions: {
      target: "es2023",
      lib: ["es2023"],
      types,
      resolveJsonModule: true,
      ...sane,
      module: "esnext",
      moduleResolution: "bundler",
      moduleDetection: "force",
      allowImportingTsExtensions: true,
      noEmit: true,
      skipLibCheck: true,
      ...([...texts.keys()].some((path) => /\.[cm]?jsx?$/.test(path)) ? { allowJs: true } : {}),
      paths: { ...(isRecord(paths) ? paths : {}), "#modules/*": ["./modules/*/types/index.d.ts"] },
    },
    refused,
    leftOut,
  };
}

/** `test` and `expect` without an import; the runner's configuration is only read. */
function hasGlobals(texts: ReadonlyMap<string, string>): boolean {
  const configuration = [...texts].filter(([path]) => /^vite(?:st)?\.config\.[cm]?[jt]s$/.test(path));
  return configuration.some(([, text]) => /\bglobals["']?\s*:\s*true\b/.test(text));
}

/** What the compiler itself takes where nothing is said; code that anybody wrote was never checked with more. */
const STRICT: Readonly<Record<string, unknown>> = { strict: true };

/** Not here: what is unused or unreachable, which is untidy but compiles, and which stubs leave behind. */
const SWITCHES = new Set([
  "allowJs",
  "allowSyntheticDefaultImports",
  "alwaysStrict",
  "checkJs",
  "emitDecoratorMetadata",
  "erasableSyntaxOnly",
  "esModuleInterop",
  "exactOptionalPropertyTypes",
  "experimentalDecorators",
  "isolatedModules",
  "noFallthroughCasesInSwitch",
  "noImplicitAny",
  "noImplicitOverride",
  "noImplicitReturns",
  "noImplicitThis",
  "noPropertyAccessFromIndexSignature",
  "noUncheckedIndexedAccess",
  "resolveJsonModule",
  "strict",
  "strictBindCallApply",
  "strictBuiltinIteratorReturn",
  "strictFunctionTypes",
  "strictNullChecks",
  "strictPropertyInitialization",
  "useDefineForClassFields",
  "useUnknownInCatchVariables",
  "verbatimModuleSyntax",
]);
const WORDS: Readonly<Record<string, RegExp>> = {
  target: /^es(?:next|20\d\d|6)$/i,
  jsx: /^(?:preserve|react|react-jsx|react-jsxdev|react-native)$/i,
  jsxFactory: /^[\w$.]+$/,
  jsxFragmentFactory: /^[\w$.]+$/,
  jsxImportSource: /^@?[a-z0-9][\w.-]*(?:\/[a-z0-9][\w.-]*)?$/i,
};
const LISTS: Readonly<Record<string, RegExp>> = {
  lib: /^[a-z0-9.]+$/i,
  types: /^@?[a-z0-9][\w.-]*(?:\/[a-z0-9][\w.-]*)*$/i,
};

/** Where the copy of a module keeps what its configuration extended outside of it. */
export const OUTSIDE = "extends (left out)";

type Own = { options: Record<string, unknown> | undefined; refused: Place[]; leftOut: Place[] };

function ownOptions(texts: ReadonlyMap<string, string>, file: string, seen: readonly string[]): Own {
  const text = texts.get(file);
  if (text === undefined) return { options: undefined, refused: [], leftOut: [] };
  const errors: ParseError[] = [];
  const config: unknown = parse(text, errors, { allowTrailingComma: true });
  if (errors.length > 0 || !isRecord(config))
    return { options: {}, refused: [place(file, "is not JSON")], leftOut: [] };
  const base = inherited(texts, config["extends"], file, [...seen, file]);
  const listed = config["compilerOptions"];
  const { kept, refused } = languageOptions(isRecord(listed) ? listed : {}, file);
  const paths = isRecord(listed) ? ownPaths(listed, posix.dirname(file)) : undefined;
  return {
    options: { ...base.options, ...kept, ...(paths === undefined ? {} : { paths }) },
    refused: [...base.refused, ...refused],
    leftOut: [...base.leftOut, ...leftOut(config[OUTSIDE], file)],
  };
}

/** Those that stay in the module; the others lead nowhere. */
function ownPaths(
  { paths, baseUrl }: Readonly<Record<string, unknown>>,
  folder: string,
): Record<string, string[]> | undefined {
  if (!isRecord(paths)) return undefined;
  const from = posix.join(folder, typeof baseUrl === "string" ? baseUrl : ".");
  const kept = Object.entries(paths).map(([name, targets]) => {
    const texts = Array.isArray(targets) ? targets.filter((each) => typeof each === "string") : [];
    const inside = texts.map((each) => posix.join(from, each)).filter(staysHere);
    return [name, inside.map((each) => `./${each}`)] as const;
  });
  return Object.fromEntries(kept.filter(([, targets]) => targets.length > 0));
}

function staysHere(path: string): boolean {
  return !path.startsWith("/") && path.split("/")[0] !== "..";
}

function leftOut(extended: unknown, file: string): Place[] {
  if (extended === undefined) return [];
  const why = `extends ${JSON.stringify(extended)}, which is no file of the module and was left out: copy its options`;
  return [place(file, why)];
}

function inherited(
  texts: ReadonlyMap<string, string>,
  asked: unknown,
  file: string,
  seen: readonly string[],
): Own {
  const all: Own = { options: {}, refused: [], leftOut: [] };
  const bases: unknown[] = Array.isArray(asked) ? asked : [asked];
  for (const base of asked === undefined ? [] : bases) {
    const target = typeof base === "string" ? baseFile(base, file) : undefined;
    if (target === undefined || !texts.has(target) || seen.includes(target)) {
      const why = `extends ${JSON.stringify(base)}, which is no file of the module: copy its options`;
      all.refused.push(place(file, why));
      continue;
    }
    const { options, refused, leftOut: missing } = ownOptions(texts, target, seen);
    all.options = { ...all.options, ...options };
    all.refused.push(...refused);
    all.leftOut.push(...missing);
  }
  return all;
}

function baseFile(asked: string, file: string): string | undefined {
  const name = /^(\.{1,2}\/[\w./-]+?)(?:\.json)?$/.exec(asked)?.[1];
  return name === undefined ? undefined : `${posix.join(posix.dirname(file), name)}.json`;
}

function languageOptions(
  listed: Readonly<Record<string, unknown>>,
  file: string,
): { kept: Record<string, unknown>; refused: Place[] } {
  const kept: Record<string, unknown> = {};
  const refused: Place[] = [];
  for (const [name, value] of Object.entries(listed)) {
    if (!SWITCHES.has(name) && !Object.hasOwn(WORDS, name) && !Object.hasOwn(LISTS, name)) continue;
    if (isSane(name, value)) kept[name] = value;
    else refused.push(place(file, `has no usable value for ${name}: ${JSON.stringify(value)}`));
  }
  return { kept, refused };
}

function isSane(name: string, value: unknown): boolean {
  if (SWITCHES.has(name)) return typeof value === "boolean";
  const form = WORDS[name];
  if (form !== undefined) return typeof value === "string" && form.test(value);
  const item = LISTS[name];
  return Array.isArray(value) && value.every((each) => typeof each === "string" && item?.test(each));
}

function place(file: string, message: string): Place {
  return { file, line: 1, message: `${file} ${message}` };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
