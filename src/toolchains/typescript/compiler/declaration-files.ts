// Declarations of a module, as callers of its compiled package see them. The native compiler cannot hand them out, so the
// older one does; it is loaded only here.
import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import type TypeScript from "typescript6";
import type { CompilerHost, CompilerOptions, SourceFile as TsSourceFile } from "typescript6";
import type { Files, Place } from "../../port.ts";
import { packagesInUse } from "../packages-in-use.ts";
import { moduleOptions } from "./compiler-options.ts";
import { packageFiles, type PackageFiles } from "./package-files.ts";
import type { ModuleView } from "./module-view.ts";

export type Declarations = { kind: "compiled"; files: Files } | { kind: "broken"; errors: Place[] };

const ROOT = "/module";
const libraryFiles = new Map<string, TsSourceFile>();

export async function declarations(
  view: ModuleView,
  texts: ReadonlyMap<string, string>,
): Promise<Declarations> {
  const { default: ts } = await import("typescript6");
  const packages = view.packages ?? packagesInUse({}, view.directory);
  const hasNodeTypes = existsSync(join(packages, "@types/node/package.json"));
  const { compilerOptions } = moduleOptions(texts, hasNodeTypes);
  const { options } = ts.convertCompilerOptionsFromJson(
    { ...compilerOptions, noEmit: false, declaration: true, emitDeclarationOnly: true, stripInternal: true },
    ROOT,
  );
  const written = new Map<string, string>();
  const library = ts.getDefaultLibFilePath(options);
  const host = closedHost({
    ts,
    directory: packages,
    texts,
    packages: packageFiles(`${ROOT}/node_modules`, packages),
    library,
    written,
  });
  const program = ts.createProgram({
    rootNames: [`${ROOT}/${view.layout.entry}`],
    options: fixed(options),
    host,
  });
  const { diagnostics } = program.emit(undefined, undefined, undefined, true);
  if (diagnostics.length > 0) {
    const errors = diagnostics.map(({ messageText }) => ({
      file: view.layout.entry,
      line: 1,
      message: ts.flattenDiagnosticMessageText(messageText, " "),
    }));
    return { kind: "broken", errors };
  }
  return { kind: "compiled", files: reachable(view.layout.entry, written) };
}

type Compiler = typeof TypeScript;

function closedHost(closed: Closed): CompilerHost {
  const { ts, texts, packages, library, written } = closed;
  const read = (path: string): string | undefined => {
    if (path.startsWith(`${ROOT}/node_modules/`)) return packages.read(path);
    if (path.startsWith(`${ROOT}/`)) return texts.get(path.slice(ROOT.length + 1));
    return posix.dirname(path) === posix.dirname(library) ? ts.sys.readFile(path) : undefined;
  };
  const holds = (directory: string): boolean =>
    [...texts.keys()].some((each) => `${ROOT}/${each}`.startsWith(`${directory}/`));
  return {
    readFile: read,
    fileExists: (path) => read(path) !== undefined,
    directoryExists: (path) => packages.kind(path) === "directory" || holds(path),
    getDirectories: () => [],
    realpath: (path) => packages.real(path) ?? path,
    getSourceFile: (path, language) => {
      const text = read(path);
      return text === undefined ? undefined : parsedFile(closed, path, text, language);
    },
    writeFile: (path, text) => void written.set(path, text),
    getDefaultLibFileName: () => library,
    getDefaultLibLocation: () => posix.dirname(library),
    getCurrentDirectory: () => ROOT,
    getCanonicalFileName: (name) => name,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => "\n",
  };
}

/** Files of libraries and packages are the same for every module. */
function parsedFile(
  { ts, directory }: Closed,
  path: string,
  text: string,
  language: Parameters<CompilerHost["getSourceFile"]>[1],
): TsSourceFile {
  const isOwn = path.startsWith(`${ROOT}/`) && !path.startsWith(`${ROOT}/node_modules/`);
  const key = `${directory}\n${path}`;
  const before = isOwn ? undefined : libraryFiles.get(key);
  if (before?.text === text) return before;
  const parsed = ts.createSourceFile(path, text, language);
  if (!isOwn) libraryFiles.set(key, parsed);
  return parsed;
}

function fixed(given: CompilerOptions): CompilerOptions {
  return { ...given, configFilePath: `${ROOT}/tsconfig.json`, rootDir: ROOT, outDir: "/types" };
}

interface Closed {
  ts: Compiler;
  /** Where the packages are on the machine. */
  directory: string;
  texts: ReadonlyMap<string, string>;
  packages: PackageFiles;
  library: string;
  written: Map<string, string>;
}

/** Only what the entry's declarations lead to; the rest would tell how the module is built. */
function reachable(entry: string, written: ReadonlyMap<string, string>): Files {
  const home = posix.dirname(entry);
  const files: Record<string, string> = {};
  const waiting = [declarationOf(entry)];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const name = `types/${posix.relative(home, next)}`;
    const text = written.get(`/types/${next}`);
    if (text === undefined || Object.hasOwn(files, name)) continue;
    files[name] = text.replaceAll(
      RELATIVE,
      (_, before: string, path: string) => `${before}"${withoutEnding(path)}.js"`,
    );
    for (const [, , path = ""] of text.matchAll(RELATIVE))
      waiting.push(declarationOf(posix.join(posix.dirname(next), path)));
  }
  const main = `types/${posix.basename(declarationOf(entry))}`;
  if (main !== "types/index.d.ts") {
    const text = files[main] ?? "";
    const also = /export default|as default/.test(text)
      ? `export { default } from "./${posix.basename(main, ".d.ts")}.js";\n`
      : "";
    files["types/index.d.ts"] = `export * from "./${posix.basename(main, ".d.ts")}.js";\n${also}`;
  }
  return files;
}

const RELATIVE = /(\bfrom\s*|\bimport\s*\(?\s*)["'](\.{1,2}\/[^"']+)["']/g;

function withoutEnding(path: string): string {
  return path.replace(/\.[cm]?[jt]sx?$/, "");
}

function declarationOf(path: string): string {
  return `${withoutEnding(path)}.d.ts`;
}
