// The test file of a track as one of vitest: nothing is skipped, and the solution is imported from where modules have it.
import ts from "typescript6";
import { everyNode } from "../../../toolchains/typescript/static/syntax.ts";
import { instead, namesIn, parsed, type TextEdit, withEdits } from "./code-text.ts";
import { leaveOut } from "./left-out.ts";
import { GLOBALS, type Homes, importEdits } from "./track-imports.ts";

/** Names of jest that skip tests or single them out, and what they are otherwise. */
const PLAIN: ReadonlyMap<string, string> = new Map([
  ["xit", "it"],
  ["fit", "it"],
  ["xtest", "test"],
  ["ftest", "test"],
  ["xdescribe", "describe"],
  ["fdescribe", "describe"],
]);

export const TESTS: ReadonlySet<string> = new Set(["it", "test"]);
export const HOOKS: ReadonlySet<string> = new Set(["beforeAll", "beforeEach", "afterAll", "afterEach"]);
const RUNNER = ["describe", "expect", "it", "test", "vi", ...HOOKS].toSorted();

export function asVitest(text: string, from: string, at: string, homes: Homes): string {
  const tree = parsed(from, text);
  const edits = [
    ...importEdits(tree, from, at, homes),
    ...tree.statements.filter(isOfJest).map((statement) => instead(statement, "")),
    ...[...everyNode(tree)].flatMap(plainEdits),
  ];
  const body = withEdits(text, edits).trim();
  const used = namesIn([parsed(from, body)]);
  const names = RUNNER.filter((name) => used.has(name));
  return `import { ${names.join(", ")} } from "vitest";\n${body}\n`;
}

function isOfJest(statement: ts.Statement): boolean {
  if (!ts.isImportDeclaration(statement)) return false;
  if (!ts.isStringLiteral(statement.moduleSpecifier) || statement.moduleSpecifier.text !== GLOBALS)
    return false;
  const bindings = statement.importClause?.namedBindings;
  if (bindings === undefined || !ts.isNamedImports(bindings))
    return leaveOut("its tests import jest as a whole");
  if (bindings.elements.some(({ propertyName }) => propertyName !== undefined))
    return leaveOut("its tests give names of their own to what they import of jest");
  return true;
}

function plainEdits(node: ts.Node): TextEdit[] {
  if (ts.isModuleDeclaration(node)) return leaveOut("its tests declare types for jest");
  if (ts.isQualifiedName(node) && node.left.getText() === "jest")
    return leaveOut("its tests use types of jest");
  if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression)) {
    if (node.expression.text === "jest") return [instead(node.expression, "vi")];
    const isDeclarator = TESTS.has(node.expression.text) || node.expression.text === "describe";
    if (isDeclarator && ["skip", "only"].includes(node.name.text))
      return [{ from: node.expression.getEnd(), to: node.getEnd(), text: "" }];
  }
  const plain = ts.isIdentifier(node) ? PLAIN.get(node.text) : undefined;
  return plain === undefined || isMember(node) || isImported(node) ? [] : [instead(node, plain)];
}

function isMember({ parent, pos }: ts.Node): boolean {
  return ts.isPropertyAccessExpression(parent) && parent.name.pos === pos;
}

/** That import is gone as a whole. */
function isImported({ parent }: ts.Node): boolean {
  return ts.isImportSpecifier(parent);
}
