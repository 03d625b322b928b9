// Whether code of a test can make the test fail: an assertion in it, or in something it calls.
import ts from "typescript6";
import { MATCHERS } from "../inside/pinned.ts";
import { unwrapped } from "./origin.ts";
import { type CodeFile, everyNode } from "./syntax.ts";

/** Names of functions beside the tests that assert something, also through each other. */
export function assertingNames(files: readonly CodeFile[]): ReadonlySet<string> {
  const functions = files.flatMap(({ tree }) => [...everyNode(tree)].flatMap(namedFunction));
  const names = new Set(
    files.flatMap(({ tree }) =>
      [...everyNode(tree)].flatMap((node) => [...ownMatchers(node), ...otherNames(node)]),
    ),
  );
  for (let before = -1; before < names.size;) {
    before = names.size;
    for (const { name, body } of functions) if (!names.has(name) && asserts(body, names)) names.add(name);
  }
  return names;
}

export function asserts(body: ts.Node, names: ReadonlySet<string>): boolean {
  const kept = new Set<string>();
  for (const node of everyNode(body)) {
    if (ts.isVariableDeclaration(node) && isExpectation(node.initializer)) kept.add(node.name.getText());
    if (ts.isCallExpression(node) && (isAssertion(node, names) || usesKept(node, kept))) return true;
  }
  return false;
}

/** `const shares = expect(split(7))`, of which something is asked later. */
function isExpectation(value: ts.Expression | undefined): boolean {
  if (value === undefined || !ts.isCallExpression(value)) return false;
  const [root, ...rest] = pathOf(value.expression);
  return root === "expect" && rest.length === 0 && value.arguments.some((each) => !isConstant(each));
}

function usesKept({ expression }: ts.CallExpression, kept: ReadonlySet<string>): boolean {
  const [root = "", ...rest] = pathOf(expression);
  return kept.has(root) && rest.length > 0;
}

function isAssertion(call: ts.CallExpression, names: ReadonlySet<string>): boolean {
  const whole = pathOf(call.expression);
  // Whoever holds it, such as the context of a test: `context.expect(x)`.
  const path = whole.slice(Math.max(0, whole.indexOf("expect")));
  const root = names.has(`expect as ${path[0] ?? ""}`) ? "expect" : (path[0] ?? "");
  const last = path.at(-1) ?? "";
  // What a matcher of its own asks of a constant can be what the code makes of it.
  if (root === "expect") return path.length > 1 && (names.has(`expect.${last}`) || judgesSomething(call));
  if (/^(?:assert|expectTypeOf|assertType)/.test(root) || last.startsWith("assert")) return true;
  if (names.has(last) || names.has(`assert as ${root}`)) return true;
  // Members of what a function gets, such as `should` of chai.
  return path.includes("should");
}

/** `expect.toBeColor` of `expect.extend({ toBeColor() {} })`. */
function ownMatchers(node: ts.Node): string[] {
  if (!ts.isCallExpression(node) || pathOf(node.expression).join(".") !== "expect.extend") return [];
  return node.arguments.flatMap((given) => {
    const matchers = unwrapped(given);
    if (!ts.isObjectLiteralExpression(matchers)) return [];
    const names = matchers.properties.flatMap(({ name }) => name?.getText() ?? []);
    // Those of the runner stay what they are, whoever brings others of the same name.
    return names.filter((name) => !MATCHERS.includes(name)).map((name) => `expect.${name}`);
  });
}

/** `({ expect: check })`, `import { expect as check }` and whatever is imported from node:assert. */
function otherNames(node: ts.Node): string[] {
  if (ts.isImportDeclaration(node)) return fromAssert(node).map((name) => `assert as ${name}`);
  if (!ts.isBindingElement(node) && !ts.isImportSpecifier(node)) return [];
  const isOther = node.propertyName?.getText() === "expect" && node.name.getText() !== "expect";
  return isOther ? [`expect as ${node.name.getText()}`] : [];
}

function fromAssert({ moduleSpecifier, importClause }: ts.ImportDeclaration): string[] {
  const isAssert =
    ts.isStringLiteral(moduleSpecifier) && /^(?:node:)?assert(?:\/strict)?$/.test(moduleSpecifier.text);
  if (!isAssert || importClause === undefined) return [];
  const { name, namedBindings } = importClause;
  const named =
    namedBindings === undefined
      ? []
      : ts.isNamespaceImport(namedBindings)
        ? [namedBindings.name]
        : namedBindings.elements.map((each) => each.name);
  return [...(name === undefined ? [] : [name]), ...named].map(({ text }) => text);
}

/** `expect(true).toBe(true)` and `expect.hasAssertions()` hold for any code. */
function judgesSomething(call: ts.CallExpression): boolean {
  for (let node: ts.Node = call.expression; ;) {
    if (ts.isPropertyAccessExpression(node)) node = node.expression;
    else if (ts.isCallExpression(node)) {
      const callee = node.expression;
      const isExpect =
        ts.isIdentifier(callee) || /(?:^|\.)expect(?:\.(?:soft|poll))?$/.test(callee.getText());
      if (isExpect) return node.arguments.some((each) => !isConstant(each));
      node = callee;
    } else return false;
  }
}

function isConstant(node: ts.Node): boolean {
  const inner = unwrapped(node);
  return (
    ts.isLiteralExpression(inner) ||
    inner.kind === ts.SyntaxKind.TrueKeyword ||
    inner.kind === ts.SyntaxKind.FalseKeyword ||
    inner.kind === ts.SyntaxKind.NullKeyword ||
    (ts.isIdentifier(inner) && inner.text === "undefined")
  );
}

/** The names along `expect(x).not.toBe`: expect, not, toBe. */
function pathOf(callee: ts.Node): string[] {
  const inner = unwrapped(callee);
  if (ts.isIdentifier(inner)) return [inner.text];
  if (ts.isPropertyAccessExpression(inner)) return [...pathOf(inner.expression), inner.name.text];
  return ts.isCallExpression(inner) ? pathOf(inner.expression) : [];
}

function namedFunction(node: ts.Node): { name: string; body: ts.Node }[] {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) {
    return node.body === undefined ? [] : [{ name: node.name?.getText() ?? "default", body: node.body }];
  }
  if (!ts.isVariableDeclaration(node) && !ts.isPropertyAssignment(node)) return [];
  const value = node.initializer && unwrapped(node.initializer);
  const isFunction = value !== undefined && (ts.isArrowFunction(value) || ts.isFunctionExpression(value));
  return isFunction ? [{ name: node.name.getText(), body: value.body }] : [];
}
