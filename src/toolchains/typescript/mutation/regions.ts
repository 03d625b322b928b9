// Cuts sources into functions that give notice whenever they run, and the rest, so that an answer about a mutant can
// outlive a change in code that was never run for it.
import ts from "typescript6";
import { sha256Hex } from "../../../domain/canonical.ts";
import type { Unjudged } from "./instrument.ts";
import { isWithin, type Place } from "./place.ts";

export interface Regions {
  /** Hash of what always counts of a file: everything but its regions. */
  restOf(file: string): string | undefined;
  /** Hashes of the functions, by file and name. */
  hashes: ReadonlyMap<string, string>;
  /** For each mutant the place of its region in `names`, or -1. */
  ofMutant: readonly number[];
  names: readonly string[];
}

export function cutIntoRegions(
  files: Readonly<Record<string, string>>,
  sources: readonly string[],
  mutants: readonly Unjudged[],
): Regions {
  const rests = new Map<string, string>();
  const hashes = new Map<string, string>();
  const bodies = new Map<string, { name: string; place: Place }[]>();
  for (const path of sources) {
    const own = mutants.filter(({ file }) => file === path);
    const cut = cutFile(path, files[path] ?? "", own);
    rests.set(path, cut.rest);
    bodies.set(path, cut.regions);
    for (const { name, hash } of cut.regions) hashes.set(name, hash);
  }
  const names = [...hashes.keys()];
  const numbers = new Map(names.map((name, number) => [name, number]));
  const ofMutant = mutants.map(({ file, place }) => {
    const around = (bodies.get(file) ?? []).find((body) => isWithin(place, body.place));
    return numbers.get(around?.name ?? "") ?? -1;
  });
  return { restOf: (file) => rests.get(file), hashes, ofMutant, names };
}

interface Body {
  name: string;
  node: ts.ConciseBody;
  place: Place;
}

interface Cut {
  rest: string;
  regions: { name: string; hash: string; place: Place }[];
}

function cutFile(path: string, text: string, mutants: readonly Unjudged[]): Cut {
  const file = parse(path, text);
  const announced = new Set(mutants.map(({ place }) => spelled(place)));
  const found = file.statements.flatMap((statement) => bodiesIn(statement, file, path));
  const names = found.map(({ name }) => name);
  // Without a switch in front of it a function would run unnoticed; of two with one name nobody knows which ran.
  const bodies = found.filter(
    ({ name, place }) => announced.has(spelled(place)) && names.indexOf(name) === names.lastIndexOf(name),
  );
  const rest = bodies.toReversed().reduce((left, { node }) => {
    const mark = ts.isBlock(node) ? "{}" : "0";
    return left.slice(0, node.getStart(file)) + mark + left.slice(node.end);
  }, text);
  return {
    rest: sha256Hex(printed(path, rest)),
    regions: bodies.map(({ name, node, place }) => {
      const code = isJsx(path)
        ? text.slice(node.getStart(file), node.end)
        : PRINTER.printNode(ts.EmitHint.Unspecified, node, file);
      return { name, place, hash: sha256Hex(code) };
    }),
  };
}

function parse(path: string, text: string): ts.SourceFile {
  const kind = isJsx(path) ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false, kind);
}

/** Without comments and layout, which decide nothing. */
const PRINTER = ts.createPrinter({ removeComments: true });

function printed(path: string, text: string): string {
  return isJsx(path) ? text : PRINTER.printFile(parse(path, text));
}

/** There a comment can tell how to compile. */
function isJsx(path: string): boolean {
  return path.endsWith("x");
}

/** Functions that stand at the top of a file, and methods of classes that do. */
function bodiesIn(statement: ts.Statement, file: ts.SourceFile, path: string): Body[] {
  const body = (name: string, node: ts.ConciseBody | undefined): Body[] =>
    node === undefined ? [] : [{ name: `${path} ${name}`, node, place: placeOf(node, file) }];
  if (ts.isFunctionDeclaration(statement)) return body(statement.name?.text ?? "default", statement.body);
  if (ts.isClassDeclaration(statement)) {
    const owner = statement.name?.text ?? "default";
    return statement.members.flatMap((member) => {
      if (!ts.isMethodDeclaration(member) && !ts.isAccessor(member)) return [];
      const name =
        ts.isIdentifier(member.name) || ts.isPrivateIdentifier(member.name) ? member.name.text : "";
      const kind = ts.isMethodDeclaration(member) ? "" : ts.isGetAccessor(member) ? "get " : "set ";
      return name === "" ? [] : body(`${owner}.${kind}${name}`, member.body);
    });
  }
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap(({ name, initializer }) => {
    if (initializer === undefined || !ts.isIdentifier(name)) return [];
    const isFunction = ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer);
    return isFunction ? body(name.text, initializer.body) : [];
  });
}

function placeOf(node: ts.Node, file: ts.SourceFile): Place {
  const at = (position: number) => {
    const { line, character } = file.getLineAndCharacterOfPosition(position);
    return { line, column: character };
  };
  return { start: at(node.getStart(file)), end: at(node.end) };
}

function spelled({ start, end }: Place): string {
  return [start.line, start.column, end.line, end.column].join(" ");
}
