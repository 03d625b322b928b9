// The one way to get a syntax tree and a type checker for a module; which compiler does it is known only here and below.
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { SourceFile } from "typescript/unstable/ast";
import type { Checker, Diagnostic, Program as NativeProgram, Snapshot } from "typescript/unstable/sync";
import { sha256Hex } from "../../../domain/canonical.ts";
import { CupelError } from "../../../domain/error.ts";
import type { Files, ModuleLayout, Place } from "../../port.ts";
import { packagesInUse } from "../packages-in-use.ts";
import { moduleOptions } from "./compiler-options.ts";
import { type CompilerProcess, startCompiler, VIRTUAL_ROOT } from "./compiler-process.ts";
import { moduleFiles, type ModuleView } from "./module-view.ts";
import { isCode, programFiles } from "./program-files.ts";
import { rememberingChecker } from "./remembering-checker.ts";
import { configOf, showFiles } from "./show-files.ts";

/** A module as the compiler sees it; valid only until `withProgram` returns. */
export interface Program {
  readonly layout: ModuleLayout;
  readonly checker: Checker;
  readonly texts: ReadonlyMap<string, string>;
  /** Options of the module's own configuration that were refused. */
  readonly refused: readonly Place[];
  /** Options that are missing, which explains errors where there are some. */
  readonly leftOut: readonly Place[];
  /** By path relative to the module. */
  file(path: string): SourceFile | undefined;
  /** The module's own code without tests and what only they import: the layout's sources and what these import. */
  sources(): SourceFile[];
  tests(): SourceFile[];
  /** All code of the module that takes part, tests and their parts too. */
  own(): SourceFile[];
  isSource(file: SourceFile): boolean;
  /** The path relative to the module, undefined for libraries and packages. */
  pathOf(file: SourceFile): string | undefined;
  diagnostics(path: string): readonly Diagnostic[];
  /** Not about a single file. */
  globalDiagnostics(): readonly Diagnostic[];
}

/** Extra files are seen on top of the module's own, for questions that are put as code. */
export function withProgram<T>(view: ModuleView, use: (program: Program) => T, extra: Files = {}): T {
  const texts = new Map([...moduleFiles(view), ...Object.entries(extra)]);
  const started = performance.now();
  try {
    return use(opened(view, texts));
  } catch (error) {
    if (!hasDied(error)) throw error;
    stop();
    throw new CupelError("cannot_start", "the compiler gave up on this module", {
      expected: "types that can be checked within a minute",
      hint: "look for types that refer to themselves without end",
      cause: error,
    });
  } finally {
    busyMs += performance.now() - started;
  }
}

/** Ends the compiler; the next question starts a new one. */
export function stopCompiler(): void {
  stop();
}

let compiler: CompilerProcess | undefined;
let busyMs = 0;
let places = 0;
/** What was opened lately, the newest last. */
let open: OpenProgram[] = [];
const MOST_OPEN = 6;
/** The limit of processor time counts over the life of the process, so it is renewed long before. */
const RENEW_AFTER_MS = 15_000;

interface OpenProgram {
  home: string;
  root: string;
  content: string;
  frame: string;
  snapshot: Snapshot;
  program: Program;
}

function opened(view: ModuleView, texts: ReadonlyMap<string, string>): Program {
  if (busyMs > RENEW_AFTER_MS) stop();
  compiler ??= startCompiler();
  const packages = view.packages ?? packagesInUse({}, view.directory);
  const home = mountPackages(compiler, packages);
  const hasNodeTypes = existsSync(join(packages, "@types/node/package.json"));
  const { compilerOptions, refused, leftOut } = moduleOptions(texts, hasNodeTypes);
  const { config, content, frame } = programFiles(view.layout, texts, compilerOptions);
  const known = open.find((each) => each.home === home && each.content === content);
  if (known !== undefined) return known.program;

  // A place that was closed is never opened again: the compiler could remember what was there.
  const root =
    open.find((each) => each.home === home && each.frame === frame)?.root ??
    `${home}/${sha256Hex(`${frame} ${(places += 1)}`)}`;

  const isFirst = open.length === 0;
  const closing = open.length < MOST_OPEN ? [] : open.splice(0, open.length - MOST_OPEN + 1);
  const used = new Set([root, ...open.map((each) => each.root)]);
  const gone = [...new Set(closing.map((each) => each.root))].filter((each) => !used.has(each));
  const snapshot = showFiles(compiler, {
    root,
    texts: new Map([...texts, ["tsconfig.json", config]]),
    gone,
  });
  for (const each of closing) each.snapshot.dispose();
  const project = snapshot.getProject(configOf(root));
  if (project === undefined) throw new Error("the compiler opened no project");
  const program = programOf({
    root,
    layout: view.layout,
    texts,
    refused,
    leftOut,
    program: project.program,
    checker: project.checker,
  });
  if (!isFirst && !showsAll(program)) {
    stop();
    return opened(view, texts);
  }
  open.push({ home, root, content, frame, snapshot, program });
  return program;
}

/** Whether the compiler has what it was shown, and nothing of what was there before. */
export function showsAll({ texts, file }: Pick<Program, "texts" | "file">): boolean {
  return [...texts].every(([path, text]) => withoutMark(file(path)?.text ?? text) === withoutMark(text));
}

/** The mark of byte order at the beginning of some files is not part of their text. */
function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, "");
}

function mountPackages(to: CompilerProcess, packages: string): string {
  const lock = join(packages, ".package-lock.json");
  const changed = statSync(existsSync(lock) ? lock : packages).mtimeMs;
  const home = `${VIRTUAL_ROOT}/${sha256Hex(`${packages}\n${changed}`).slice(0, 16)}`;
  to.mountPackages(`${home}/node_modules`, packages);
  return home;
}

interface Opened {
  root: string;
  layout: ModuleLayout;
  texts: ReadonlyMap<string, string>;
  refused: readonly Place[];
  leftOut: readonly Place[];
  program: NativeProgram;
  checker: Checker;
}

function programOf({ root, layout, texts, refused, leftOut, program, checker }: Opened): Program {
  const file = (path: string): SourceFile | undefined => program.getSourceFile(`${root}/${path}`);
  const files = (paths: readonly string[]): SourceFile[] =>
    paths.flatMap((path) => {
      const found = file(path);
      return found === undefined ? [] : [found];
    });
  const pathOf = ({ fileName }: SourceFile): string | undefined =>
    fileName.startsWith(`${root}/`) ? fileName.slice(root.length + 1) : undefined;
  const listed = [...layout.sources, ...layout.tests];
  const imported = program
    .getSourceFileNames()
    .flatMap((name) => (name.startsWith(`${root}/`) ? [name.slice(root.length + 1)] : []))
    .filter((path) => isCode(path) && !listed.includes(path));
  const own = [...listed, ...imported.toSorted()];
  const isSourcePath = (path: string): boolean =>
    own.includes(path) && !layout.tests.includes(path) && !layout.configuration.includes(path);
  return {
    layout,
    checker: rememberingChecker(checker, (source) => pathOf(source) !== undefined),
    texts,
    refused,
    leftOut,
    file,
    sources: () => files(own.filter(isSourcePath)),
    tests: () => files(layout.tests),
    own: () => files(own),
    isSource: (file) => isSourcePath(pathOf(file) ?? ""),
    pathOf,
    diagnostics: (path) => [
      ...program.getSyntacticDiagnostics(`${root}/${path}`),
      ...program.getSemanticDiagnostics(`${root}/${path}`),
    ],
    globalDiagnostics: () => [
      ...program.getConfigFileParsingDiagnostics(),
      ...program.getProgramDiagnostics(),
      ...program.getGlobalDiagnostics(),
    ],
  };
}

function stop(): void {
  open = [];
  busyMs = 0;
  const ended = compiler;
  compiler = undefined;
  try {
    ended?.close();
  } catch {
    // It is dead already, which is all that was wanted.
  }
}

/** A dead process shows as a broken pipe or an unexpected end of its output. */
function hasDied(error: unknown): boolean {
  return error instanceof Error && /EPIPE|EOF|EAGAIN|closed|end of|panic|no project/i.test(error.message);
}
