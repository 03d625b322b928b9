// Reads from a module's text which exports can be called with generated inputs, and what those look like.
import ts from "typescript6";
import type { Site } from "../../port.ts";
import type { CallableFunction, CompareJob } from "../inside/inner-job.ts";
import { mayRemember } from "./equivalence-state.ts";
import type { TypeNames } from "./input-shapes.ts";
import type { Place } from "./place.ts";
import { type Export, exportsOf } from "./parameter-shapes-exports.ts";
import { baseOf, callableClass, hidesState, isErrorName } from "./parameter-shapes-class.ts";
import { parameterShapes } from "./parameter-shapes-list.ts";

export interface Callables {
  functions: CallableFunction[];
  /** Exported things with code in them that cannot be called this way. */
  uncallable: string[];
  /** Where the code of exported functions and classes stands. */
  holders: Holder[];
  innerClasses: string[];
  hints: CompareJob["hints"];
}

export interface Holder {
  name: string;
  file: string;
  place: Place;
  /** By calls of it alone: "no" when it cannot be called, "with-others" when what it does may show elsewhere. */
  tells: "all" | "with-others" | "no";
}

const MOST_HINTS = 500;

export function callablesOf(site: Site): Callables {
  const files = site.files();
  const parse = (path: string) => ts.createSourceFile(path, files[path] ?? "", ts.ScriptTarget.Latest, true);
  const sources = site.layout.sources.map((path) => parse(path));
  const exports = sources.flatMap((file) => exportsOf(file));
  const classes = sources.flatMap((file) => file.statements.filter((each) => ts.isClassDeclaration(each)));
  const names = collectTypes(sources);
  const unmakeable = new Set<string>();
  let found = describe(exports, names);
  // Whatever wants an instance of a class that cannot be made, cannot be called either.
  for (let more = newlyUncallable(); more.length > 0; more = newlyUncallable()) {
    for (const name of more) unmakeable.add(name);
    found = describe(exports, new Map([...names].filter(([name]) => !unmakeable.has(name))));
  }

  const extended = new Set(classes.flatMap((node) => baseOf(node) ?? []));
  const remembers = mayRemember(sources);
  const holders = exports.flatMap(({ name, node }): Holder[] => {
    const isCallable = found.functions.some((each) => each.name === name) && !found.twice.has(name);
    const tells = !isCallable ? "no" : remembers || extended.has(name) ? "with-others" : "all";
    return [{ name, file: node.getSourceFile().fileName, place: placeOf(node), tells }];
  });
  const exported = new Set<ts.Node>(exports.map(({ node }) => node));
  const inner = classes.filter((node) => !exported.has(node));
  const classNames = classes.map((node) => node.name?.text ?? "");
  const isOnly = (name: string) => classNames.indexOf(name) === classNames.lastIndexOf(name);
  const innerClasses = inner
    .filter((node) => baseOf(node) === undefined && !hidesState(node))
    .flatMap(({ name }) => (name !== undefined && isOnly(name.text) ? [name.text] : []));
  const tests = site.layout.tests.map((path) => parse(path));
  return {
    functions: found.functions,
    uncallable: found.uncallable,
    holders,
    innerClasses,
    hints: hintsOf(sources, tests),
  };

  function newlyUncallable(): string[] {
    const callable = new Set(found.functions.map(({ name }) => name));
    return classes.flatMap(({ name }) =>
      name === undefined || callable.has(name.text) || unmakeable.has(name.text) ? [] : [name.text],
    );
  }
}

function collectTypes(sources: readonly ts.SourceFile[]): TypeNames {
  const names = new Map<string, ts.InterfaceDeclaration | ts.TypeAliasDeclaration | ts.ClassDeclaration>();
  for (const statement of sources.flatMap((file) => [...file.statements])) {
    if (
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement) ||
      ts.isClassDeclaration(statement)
    )
      if (statement.name !== undefined) names.set(statement.name.text, statement);
  }
  return names;
}

interface Described {
  functions: CallableFunction[];
  uncallable: string[];
  twice: Set<string>;
}

function describe(exports: readonly Export[], names: TypeNames): Described {
  const functions = new Map<string, CallableFunction>();
  const uncallable: string[] = [];
  const twice = new Set<string>();
  for (const each of exports) {
    const callables = functions.has(each.name) ? undefined : callablesIn(each, names);
    // Two of one name: nobody knows which one callers get.
    if (functions.has(each.name)) twice.add(each.name);
    const { code } = each;
    // Errors are seen when they are thrown.
    const isError = code !== undefined && ts.isClassDeclaration(code) && isErrorName(baseOf(code) ?? "");
    if (callables === undefined && !isError) uncallable.push(each.name);
    for (const callable of callables ?? []) functions.set(callable.name, callable);
  }
  return { functions: [...functions.values()], uncallable, twice };
}

function callablesIn({ name, key, code }: Export, names: TypeNames): CallableFunction[] | undefined {
  if (code === undefined) return undefined;
  if (ts.isClassDeclaration(code)) return callableClass(code, name, key, names);
  if (code.asteriskToken !== undefined) return undefined;
  const parameters = parameterShapes(code, names);
  if (parameters === undefined) return undefined;
  return [{ name, ...(key === name ? {} : { path: [key] }), parameters }];
}

function placeOf(node: ts.Node): Place {
  const file = node.getSourceFile();
  const at = (position: number) => {
    const { line, character } = file.getLineAndCharacterOfPosition(position);
    return { line, column: character };
  };
  return { start: at(node.getStart(file)), end: at(node.end) };
}

/** Numbers of the code itself count as much as all those of its tests: its boundaries are among them. */
function hintsOf(sources: readonly ts.SourceFile[], tests: readonly ts.SourceFile[]): CompareJob["hints"] {
  const [own, others] = [literalsOf(sources), literalsOf(tests)];
  const times = own.numbers.length === 0 ? 0 : Math.ceil(others.numbers.length / own.numbers.length);
  const again = Array.from({ length: times }, () => own.numbers).flat();
  const strings = [...new Set([...own.strings, ...others.strings])];
  return {
    numbers: [...again, ...own.numbers, ...others.numbers].slice(0, MOST_HINTS),
    strings: strings.slice(0, MOST_HINTS),
  };
}

/** What code asks for is found only by who gives it. */
export function literalsOf(files: readonly ts.SourceFile[]): CompareJob["hints"] {
  const numbers = new Set<number>();
  const strings = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isNumericLiteral(node)) numbers.add(Number(node.text));
    else if (ts.isStringLiteralLike(node) && !ts.isImportDeclaration(node.parent))
      strings.add(node.text.slice(0, 200));
    else if (ts.isRegularExpressionLiteral(node)) strings.add(node.text.slice(1, node.text.lastIndexOf("/")));
    ts.forEachChild(node, visit);
  };
  for (const file of files) visit(file);
  return { numbers: [...numbers], strings: [...strings] };
}
