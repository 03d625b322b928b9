// Reads from a module's text which exported functions can be called with generated inputs, and what those look like.
import ts from "typescript6";
import type { Site } from "../../port.ts";
import type { CallableFunction, CompareJob, InputShape } from "../inside/inner-job.ts";
import { shapeOf, type TypeNames } from "./input-shapes.ts";

export interface Callables {
  functions: CallableFunction[];
  /** Exported things with code in them that cannot be called this way. */
  uncallable: string[];
  hints: CompareJob["hints"];
}

const MOST_HINTS = 300;

export function callablesOf(site: Site): Callables {
  const files = site.files();
  const parse = (path: string) => ts.createSourceFile(path, files[path] ?? "", ts.ScriptTarget.Latest, true);
  const sources = site.layout.sources.map((path) => parse(path));
  const names: TypeNames = new Map();
  for (const file of sources) collectTypes(file, names);
  const functions = new Map<string, CallableFunction>();
  const uncallable: string[] = [];
  for (const file of sources) {
    for (const statement of file.statements) {
      if (!isExported(statement)) continue;
      for (const { name, code } of exportedCode(statement)) {
        const callable = code === undefined ? undefined : callableOf(name, code, names);
        // Two of one name: nobody knows which one callers get.
        if (callable === undefined || functions.has(name)) uncallable.push(name);
        else functions.set(name, callable);
      }
    }
  }
  const texts = [...sources, ...site.layout.tests.map((path) => parse(path))];
  return { functions: [...functions.values()], uncallable, hints: hintsOf(texts) };
}

function collectTypes(file: ts.SourceFile, names: TypeNames): void {
  for (const statement of file.statements) {
    if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement))
      names.set(statement.name.text, statement);
  }
}

function isExported(statement: ts.Statement): boolean {
  return (
    ts.canHaveModifiers(statement) &&
    (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
  );
}

type Code = ts.FunctionDeclaration | ts.ArrowFunction | ts.FunctionExpression;

/** Without `code` it is something that runs, but not by a plain call. */
function exportedCode(statement: ts.Statement): { name: string; code: Code | undefined }[] {
  if (ts.isFunctionDeclaration(statement))
    return statement.body === undefined ? [] : [{ name: statement.name?.text ?? "default", code: statement }];
  if (ts.isClassDeclaration(statement)) {
    const isError = (statement.heritageClauses ?? []).some((clause) => /Error\b/.test(clause.getText()));
    return isError ? [] : [{ name: statement.name?.text ?? "default", code: undefined }];
  }
  if (!ts.isVariableStatement(statement)) return [];
  type Found = { name: string; code: Code | undefined }[];
  return statement.declarationList.declarations.flatMap(({ name, initializer }): Found => {
    if (initializer === undefined || !ts.isIdentifier(name)) return [];
    if (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer))
      return [{ name: name.text, code: initializer }];
    return ts.isLiteralExpression(initializer) ? [] : [{ name: name.text, code: undefined }];
  });
}

function callableOf(name: string, code: Code, names: TypeNames): CallableFunction | undefined {
  if (code.asteriskToken !== undefined) return undefined;
  const parameters: InputShape[] = [];
  for (const parameter of code.parameters) {
    if (parameter.dotDotDotToken !== undefined) return undefined;
    const shape = parameterShape(parameter, names);
    const optional = parameter.questionToken !== undefined || parameter.initializer !== undefined;
    if (!isPossible(shape)) {
      if (!optional) return undefined;
      parameters.push({ kind: "undefined" });
    } else parameters.push(optional ? { kind: "union", of: [shape, shape, { kind: "undefined" }] } : shape);
  }
  return { name, parameters };
}

function parameterShape({ type, initializer }: ts.ParameterDeclaration, names: TypeNames): InputShape {
  if (type !== undefined) return shapeOf(type, names);
  if (initializer === undefined) return { kind: "impossible", why: "no type" };
  if (ts.isStringLiteralLike(initializer)) return { kind: "string" };
  if (ts.isNumericLiteral(initializer)) return { kind: "number" };
  const { kind } = initializer;
  if (kind === ts.SyntaxKind.TrueKeyword || kind === ts.SyntaxKind.FalseKeyword) return { kind: "boolean" };
  return { kind: "impossible", why: "no type" };
}

function isPossible(shape: InputShape): boolean {
  return !JSON.stringify(shape).includes('"kind":"impossible"');
}

function hintsOf(files: readonly ts.SourceFile[]): CompareJob["hints"] {
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
  return { numbers: [...numbers].slice(0, MOST_HINTS), strings: [...strings].slice(0, MOST_HINTS) };
}
