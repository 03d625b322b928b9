// The compiler options of a module: its own tsconfig.json read as data, only what concerns the language, over a strict default.
import { parse, type ParseError } from "jsonc-parser";
import type { Place } from "../../port.ts";

export interface ModuleOptions {
  compilerOptions: Readonly<Record<string, unknown>>;
  /** What the module's configuration asks for and cannot have. */
  refused: Place[];
}

/** Whatever leads to other files (extends, paths, references, rootDirs, plugins) has no say here. */
export function moduleOptions(texts: ReadonlyMap<string, string>, hasNodeTypes: boolean): ModuleOptions {
  const { options, refused } = ownOptions(texts, "tsconfig.json", []);
  const sane = options === undefined ? STRICT : options;
  return {
    compilerOptions: {
      target: "es2023",
      lib: ["es2023"],
      types: hasNodeTypes ? ["node"] : [],
      resolveJsonModule: true,
      ...sane,
      module: "esnext",
      moduleResolution: "bundler",
      moduleDetection: "force",
      allowImportingTsExtensions: true,
      noEmit: true,
      skipLibCheck: true,
      ...([...texts.keys()].some((path) => /\.[cm]?jsx?$/.test(path)) ? { allowJs: true } : {}),
      paths: { "#modules/*": ["./modules/*/types/index.d.ts"] },
    },
    refused,
  };
}

const STRICT = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
};

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
  jsxImportSource: /^@?[a-z0-9][\w.-]*(?:\/[a-z0-9][\w.-]*)?$/i,
};
const LISTS: Readonly<Record<string, RegExp>> = {
  lib: /^[a-z0-9.]+$/i,
  types: /^@?[a-z0-9][\w.-]*(?:\/[a-z0-9][\w.-]*)*$/i,
};

type Own = { options: Record<string, unknown> | undefined; refused: Place[] };

function ownOptions(texts: ReadonlyMap<string, string>, file: string, seen: readonly string[]): Own {
  const text = texts.get(file);
  if (text === undefined) return { options: undefined, refused: [] };
  const errors: ParseError[] = [];
  const config: unknown = parse(text, errors, { allowTrailingComma: true });
  if (errors.length > 0 || !isRecord(config)) return { options: {}, refused: [place(file, "is not JSON")] };
  const base = inherited(texts, config["extends"], file, [...seen, file]);
  const listed = config["compilerOptions"];
  const { kept, refused } = languageOptions(isRecord(listed) ? listed : {}, file);
  return { options: { ...base.options, ...kept }, refused: [...base.refused, ...refused] };
}

function inherited(
  texts: ReadonlyMap<string, string>,
  asked: unknown,
  file: string,
  seen: readonly string[],
): Own {
  if (asked === undefined) return { options: {}, refused: [] };
  const name = typeof asked === "string" ? /^\.\/([\w./-]+?)(?:\.json)?$/.exec(asked)?.[1] : undefined;
  const target = name === undefined ? undefined : `${name}.json`;
  if (target === undefined || !texts.has(target) || seen.includes(target)) {
    const why = `extends ${JSON.stringify(asked)}, which is no file of the module: copy its options`;
    return { options: {}, refused: [place(file, why)] };
  }
  return ownOptions(texts, target, seen);
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
