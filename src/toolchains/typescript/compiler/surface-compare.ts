// Compares what a module exports with the entry points of its contract: the compiler judges the types, nothing is run.
import {
  isNewExpression,
  isStringLiteral,
  isTupleTypeNode,
  isTypeAliasDeclaration,
  type SourceFile,
} from "typescript/unstable/ast";
import { SignatureKind, type Symbol as TypeSymbol, SymbolFlags, type Type } from "typescript/unstable/sync";
import type { EntryPoint } from "../../../domain/contract/contract.ts";
import type { Surface, SurfaceDifference, SurfaceEntry } from "../../port.ts";
import { exportedDeclarations } from "./declarations.ts";
import { errorExtras } from "./error-extras.ts";
import type { ModuleView } from "./module-view.ts";
import { QUESTION } from "./program-files.ts";
import { type Program, withProgram } from "./program.ts";
import { sameType } from "./same-type.ts";
import { exportsOf, isAsync, resolved, surfaceOf } from "./surface.ts";
import { genericsOfClass, namesOfGenerics } from "./signature-text.ts";
import { everyNode } from "./syntax.ts";
import { TypeSpeller } from "./type-spelling.ts";

export interface SurfaceComparison {
  compared: number;
  differences: SurfaceDifference[];
}

export function compareSurface(view: ModuleView, entryPoints: readonly EntryPoint[]): SurfaceComparison {
  const { names, surface, members } = withProgram(view, (program) => ({
    names: exportedTypeNames(program),
    surface: surfaceOf(program),
    members: entryPoints.map(({ name }) => memberOf(program, name, entryPoints)),
  }));
  const question = questionFor({ entry: view.layout.entry, names, entryPoints, members });
  return withProgram(view, (program) => comparison(program, { surface, entryPoints, members }), {
    [QUESTION]: question,
  });
}

/** The signatures of the contract may use every type that the module exports. */
function exportedTypeNames(program: Program): string[] {
  return exportsOf(program).flatMap((symbol) => {
    const { flags } = resolved(program, symbol);
    return (flags & SymbolFlags.Type) !== 0 && IDENTIFIER.test(symbol.name) && symbol.name !== "default"
      ? [symbol.name]
      : [];
  });
}

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** What an instance has, asked for beside the signature: of the same type parameters, and with its class for `this`. */
interface Member {
  generics: string;
  own: string;
}

function memberOf(program: Program, name: string, entryPoints: readonly EntryPoint[]): Member | undefined {
  const [owner = "", member] = name.split(".");
  if (member === undefined || instanceMember(program, owner, member) === undefined) return undefined;
  const generics = genericsOfClass(owner, entryPoints);
  const given = generics === "" ? "" : `<${namesOfGenerics(generics).join(", ")}>`;
  return { generics, own: `${owner}${given}[${JSON.stringify(member)}]` };
}

interface Question {
  entry: string;
  names: readonly string[];
  entryPoints: readonly EntryPoint[];
  members: readonly (Member | undefined)[];
}

function questionFor({ entry, names, entryPoints, members }: Question): string {
  const lines = entryPoints.map(({ signature }, index) => {
    const { generics, own } = members[index] ?? { generics: "" };
    const type = own === undefined ? signature : `[\n${signature}\n, ${own}]`;
    return `export type Expected${index}${generics} =\n${type}\n;`;
  });
  return [`import type { ${names.join(", ")} } from ${JSON.stringify(`./${entry}`)};`, ...lines].join("\n");
}

function comparison(
  program: Program,
  { surface, entryPoints, members }: Pick<Question, "entryPoints" | "members"> & { surface: Surface },
): SurfaceComparison {
  const expected = expectedTypes(program, { entryPoints, members });
  const differences = entryPoints.flatMap((entryPoint, index) =>
    compareEntry({ program, surface, entryPoint, entryPoints, ...expected[index] }),
  );
  return {
    compared: entryPoints.length,
    differences: [
      ...differences,
      ...extras(surface, entryPoints),
      ...errorExtras(program, surface, entryPoints),
    ],
  };
}

/** Undefined where a signature is no type, or one that refers to something unknown. */
function expectedTypes(
  program: Program,
  { entryPoints, members }: Pick<Question, "entryPoints" | "members">,
): Expected[] {
  const file = program.file(QUESTION);
  const none = entryPoints.map(() => ({}));
  if (file === undefined || file.statements.length !== entryPoints.length + 1) return none;
  const problems = program.diagnostics(QUESTION);
  return entryPoints.map((_, index) => {
    const statement = file.statements[index + 1];
    const unknown = {};
    if (statement === undefined || !isTypeAliasDeclaration(statement)) return unknown;
    if (statement.name.text !== `Expected${index}`) return unknown;
    if (problems.some(({ pos }) => pos >= statement.pos && pos <= statement.end)) return unknown;
    const { checker } = program;
    if (members[index] === undefined) return { expected: checker.getTypeFromTypeNode(statement.type) };
    const [expected, own, ...more] = isTupleTypeNode(statement.type) ? statement.type.elements : [];
    if (expected === undefined || own === undefined || more.length > 0) return unknown;
    return { expected: checker.getTypeFromTypeNode(expected), own: checker.getTypeFromTypeNode(own) };
  });
}

interface Expected {
  expected?: Type | undefined;
  /** What was found, where it is asked for beside the signature. */
  own?: Type | undefined;
}

interface Pair extends Expected {
  program: Program;
  surface: Surface;
  entryPoint: EntryPoint;
  entryPoints: readonly EntryPoint[];
}

function compareEntry({
  program,
  surface,
  entryPoint,
  entryPoints,
  expected,
  own,
}: Pair): SurfaceDifference[] {
  const { name, signature } = entryPoint;
  const found = own ?? foundType(program, name);
  const entry = surface.entries.find((each) => each.name === name.split(".")[0]);
  if (found === undefined || entry === undefined)
    return [{ entry: name, what: "missing", expected: signature, found: "nothing of that name is exported" }];
  const place = { file: entry.file, line: entry.line };
  const spelled = name.includes(".") ? spell(program, found) : entry.signature;
  if (expected === undefined) {
    const why =
      "the signature in the contract is no type, or one that uses types which the module does not export";
    return [{ entry: name, what: "signature", expected: signature, found: why, ...place }];
  }
  const errors = compareErrors(program, { entryPoint, entry, entryPoints }).map((each) => ({
    ...each,
    ...place,
  }));
  if (mode(program, expected) !== mode(program, found)) {
    const modes = { expected: mode(program, expected), found: mode(program, found) };
    return [{ entry: name, what: "mode", ...modes, ...place }, ...errors];
  }
  if (sameType(program, expected, found)) return errors;
  return [{ entry: name, what: "signature", expected: signature, found: spelled, ...place }, ...errors];
}

function foundType(program: Program, name: string): Type | undefined {
  const [first = "", member] = name.split(".");
  const symbol = exportsOf(program).find((each) => each.name === first);
  if (symbol === undefined) return undefined;
  const target: TypeSymbol = resolved(program, symbol);
  const { checker } = program;
  const value = (target.flags & SymbolFlags.Value) !== 0;
  const own = value ? checker.getTypeOfSymbol(target) : checker.getDeclaredTypeOfSymbol(target);
  if (member === undefined || own === undefined) return own;
  const property = instanceMember(program, first, member) ?? checker.getPropertyOfType(own, member);
  return property === undefined ? undefined : checker.getTypeOfSymbol(property);
}

function instanceMember(program: Program, owner: string, member: string): TypeSymbol | undefined {
  const symbol = exportsOf(program).find(({ name }) => name === owner);
  if (symbol === undefined) return undefined;
  const target: TypeSymbol = resolved(program, symbol);
  if ((target.flags & SymbolFlags.Class) === 0) return undefined;
  return program.checker.getPropertyOfType(program.checker.getDeclaredTypeOfSymbol(target), member);
}

function spell(program: Program, type: Type): string {
  return new TypeSpeller(program, exportedDeclarations(program), true).type(type);
}

function mode({ checker }: Program, type: Type): "async" | "sync" {
  const signatures = checker.getSignaturesOfType(type, SignatureKind.Call);
  return signatures.some((each) => isAsync(checker.getReturnTypeOfSignature(each))) ? "async" : "sync";
}

/**
 * An error that is a code or a variant is never thrown, and one that a promise is rejected with is only made; but the
 * name of both must be written in the sources. What the members of a class throw may be said of them alone.
 */
function compareErrors(
  program: Program,
  { entryPoint, entry, entryPoints }: Pick<Pair, "entryPoint" | "entryPoints"> & { entry: SurfaceEntry },
): SurfaceDifference[] {
  if (entryPoint.name.includes(".")) return [];
  const written = new Set(program.sources().flatMap((file) => namesIn(file)));
  const missing = entryPoint.errors.filter((name) => !entry.throws.includes(name) && !written.has(name));
  const declared = entryPoints
    .filter(({ name }) => name === entryPoint.name || name.startsWith(`${entryPoint.name}.`))
    .flatMap(({ errors }) => errors);
  const undeclared = entry.throws.filter((name) => !declared.includes(name));
  if (missing.length === 0 && undeclared.length === 0) return [];
  return [{ entry: entryPoint.name, what: "errors", expected: list(declared), found: list(entry.throws) }];
}

function list(names: readonly string[]): string {
  return names.length === 0 ? "none" : [...new Set(names)].toSorted().join(", ");
}

/** Texts, and classes that something is made of. */
function namesIn(file: SourceFile): string[] {
  const found: string[] = [];
  everyNode(file, (node) => {
    if (isStringLiteral(node)) found.push(node.text);
    if (isNewExpression(node)) found.push(node.expression.getText());
  });
  return found;
}

/** Types may be exported for callers, and so may the classes of declared errors; everything else must be declared. */
function extras(surface: Surface, entryPoints: readonly EntryPoint[]): SurfaceDifference[] {
  const declared = new Set(
    entryPoints.flatMap(({ name, errors }) => [name, name.split(".")[0] ?? name, ...errors]),
  );
  return surface.entries
    .filter(({ name, kind }) => kind !== "type" && !declared.has(name))
    .map(({ name, signature, file, line }) => ({
      entry: name,
      what: "extra",
      expected: "nothing of that name in the contract",
      found: signature,
      file,
      line,
    }));
}
