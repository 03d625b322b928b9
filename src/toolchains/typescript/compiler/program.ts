// The one way to get a syntax tree and a type checker for a module; which compiler does it is known only here and below.
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { SourceFile } from "typescript/unstable/ast";
import type { Checker, Diagnostic, Program as NativeProgram, Snapshot } from "typescript/unstable/sync";
import { canonicalHash, sha256Hex } from "../../../domain/canonical.ts";
import { CupelError } from "../../../domain/error.ts";
import type { Files, ModuleLayout, Place } from "../../port.ts";
import { packagesInUse } from "../packages-in-use.ts";
import { moduleOptions } from "./compiler-options.ts";
import { type CompilerProcess, startCompiler, VIRTUAL_ROOT } from "./compiler-process.ts";
import { moduleFiles, type ModuleView } from "./module-view.ts";
import { rememberingChecker } from "./remembering-checker.ts";

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
/** What was opened lately, the newest last. */
let open: { root: string; snapshot: Snapshot; program: Program }[] = [];
const MOST_OPEN = 6;
/** The limit of processor time counts over the life of the process, so it is renewed long before. */
const RENEW_AFTER_MS = 15_000;

function opened(view: ModuleView, texts: ReadonlyMap<string, string>): Program {
  if (busyMs > RENEW_AFTER_MS) stop();
  compiler ??= startCompiler();
  const packages = view.packages ?? packagesInUse({}, view.directory);
  const home = mountPackages(compiler, packages);
  const root = `${home}/${canonicalHash([layoutKey(view.layout), [...texts]])}`;
  const known = open.find((each) => each.root === root);
  if (known !== undefined) return known.program;

  const hasNodeTypes = existsSync(join(packages, "@types/node/package.json"));
  const { compilerOptions, refused, leftOut } = moduleOptions(texts, hasNodeTypes);
  const files = [...texts.keys()].filter((path) => isProgramFile(path, view.layout, compilerOptions));
  const configFile = `${root}/tsconfig.json`;
  compiler.mount(root, new Map([...texts, ["tsconfig.json", JSON.stringify({ compilerOptions, files })]]));
  const closing = open.length < MOST_OPEN ? [] : open.splice(0, open.length - MOST_OPEN + 1);
  const snapshot = compiler.api.updateSnapshot({
    openProjects: [configFile],
    closeProjects: closing.map((each) => `${each.root}/tsconfig.json`),
  });
  for (const each of closing) {
    each.snapshot.dispose();
    compiler.unmount(each.root);
  }
  const project = snapshot.getProject(configFile);
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
  open.push({ root, snapshot, program });
  return program;
}

function layoutKey({ entry, sources, tests, configuration }: ModuleLayout): unknown {
  return { entry, sources: [...sources], tests: [...tests], configuration: [...configuration] };
}

function isCode(path: string): boolean {
  return !path.startsWith("modules/") && path !== QUESTION && !/\.d\.[cm]?ts$|\.json$/.test(path);
}

/** Where a question that is put as code is seen. */
export const QUESTION = ".cupel-question.ts";

/** Sources, tests and what declares types for them; JavaScript only where it is part of the layout. */
function isProgramFile(
  path: string,
  layout: ModuleLayout,
  options: Readonly<Record<string, unknown>>,
): boolean {
  if (layout.sources.includes(path) || layout.tests.includes(path)) {
    return /\.[cm]?tsx?$/.test(path) || (options["allowJs"] === true && /\.[cm]?jsx?$/.test(path));
  }
  return !path.startsWith("modules/") && (path === QUESTION || /\.d\.[cm]?ts$/.test(path));
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
