// What a test of a track expects, as far as it is written as a plain value: the ground for examples and for wrong tests.
import ts from "typescript6";
import { everyNode } from "../../../toolchains/typescript/static/syntax.ts";
import { instead, type TextEdit } from "./code-text.ts";
import { meant } from "./meant.ts";
import { plainValue, shownValue } from "./plain-value.ts";
import type { TrackTest } from "./track-blocks.ts";

export interface Expectation {
  /** The whole of it. */
  node: ts.CallExpression;
  actual: ts.Expression;
  matcher: string;
  expected: ts.Expression | undefined;
}

const SAME = new Set(["toBe", "toEqual", "toStrictEqual"]);
/** Those without a value, and the one that they stand for where the result is true or false. */
const PLAIN: ReadonlyMap<string, boolean> = new Map([
  ["toBeTruthy", true],
  ["toBeFalsy", false],
]);
const THROWS = new Set(["toThrow", "toThrowError"]);

/** Of the node itself: `expect(actual).matcher(expected)` without `not` and its like. */
export function expectationOf(node: ts.Node): Expectation | undefined {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  const { expression: before, name } = node.expression;
  if (!ts.isCallExpression(before) || before.expression.getText() !== "expect") return undefined;
  const [actual] = before.arguments;
  return actual === undefined ? undefined : { node, actual, matcher: name.text, expected: node.arguments[0] };
}

export function isOfValue({ matcher }: Expectation): boolean {
  return SAME.has(matcher) || PLAIN.has(matcher);
}

export function isOfError({ matcher }: Expectation): boolean {
  return THROWS.has(matcher);
}

export function expectationsIn(test: TrackTest): Expectation[] {
  return [...everyNode(test.body)].flatMap((node) => expectationOf(node) ?? []);
}

/** The value that is expected, a little wrong; undefined where none is written out. */
export function wrongValue(test: TrackTest): TextEdit | undefined {
  for (const each of expectationsIn(test)) {
    if (!isOfValue(each)) continue;
    const plain = PLAIN.get(each.matcher);
    if (plain !== undefined) return otherMatcher(each, plain ? "toBeFalsy" : "toBeTruthy");
    if (each.expected === undefined) continue;
    const value = onlyMeant(test, each.expected);
    const literal = isPlain(value)
      ? [...everyNode(value)].find((node) => isOperand(node) && otherThan(node) !== undefined)
      : undefined;
    if (literal !== undefined) return instead(literal, otherThan(literal) ?? "");
  }
  return undefined;
}

/** What stands for the expected value and for nothing else. */
function onlyMeant(test: TrackTest, node: ts.Expression): ts.Expression {
  const uses = [...everyNode(test.body)].filter(
    (each) => ts.isIdentifier(each) && each.text === node.getText(),
  );
  const value = uses.length === 2 ? meant(test, node) : node;
  const isOwn = value.getSourceFile() === test.body.getSourceFile() && value.pos >= test.body.pos;
  return isOwn && value.end <= test.body.end ? value : node;
}

/** Written out, with nothing to compute but the joining of lines. */
function isPlain(node: ts.Expression): boolean {
  if (ts.isArrayLiteralExpression(node)) return node.elements.every(isPlain);
  if (ts.isObjectLiteralExpression(node))
    return node.properties.every((each) => ts.isPropertyAssignment(each) && isPlain(each.initializer));
  if (ts.isPrefixUnaryExpression(node)) return isPlain(node.operand);
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression))
    return otherThan(node) !== undefined;
  return node.expression.name.text === "join" && isPlain(node.expression.expression);
}

function otherMatcher({ node }: Expectation, matcher: string): TextEdit | undefined {
  return ts.isPropertyAccessExpression(node.expression) ? instead(node.expression.name, matcher) : undefined;
}

/** And not a name of a property. */
function isOperand(node: ts.Node): boolean {
  return !(ts.isPropertyAssignment(node.parent) && node.parent.name === node);
}

function otherThan(node: ts.Node): string | undefined {
  if (ts.isNumericLiteral(node)) return String(Number(node.text) + 1);
  if (ts.isBigIntLiteral(node)) return `${BigInt(node.text.replace(/n$/, "")) + 1n}n`;
  if (ts.isStringLiteralLike(node))
    return JSON.stringify(node.text.length > 1 ? node.text.slice(0, -1) : `${node.text}x`);
  if (node.kind === ts.SyntaxKind.TrueKeyword) return "false";
  if (node.kind === ts.SyntaxKind.FalseKeyword) return "true";
  if (node.kind === ts.SyntaxKind.NullKeyword) return "0";
  return ts.isArrayLiteralExpression(node) && node.elements.length === 0 ? "[0]" : undefined;
}

/** The code that shows what a test expects, and what comes of it, as JSON or as Node prints it; undefined where that is not plain. */
export function shownBy(
  test: TrackTest,
  { matcher, actual, expected }: Expectation,
  type: string,
): { code: string; gives: string } | undefined {
  const code = actual.getText();
  const value = expected === undefined ? undefined : meant(test, expected);
  if (matcher === "toMatch" && value !== undefined && ts.isRegularExpressionLiteral(value))
    return { code: `${value.text}.test(${code})`, gives: "true" };
  if (matcher === "toHaveLength" && value !== undefined && ts.isNumericLiteral(value))
    return { code: `(${code}).length`, gives: value.text };
  if (matcher === "toBeNull") return { code, gives: "null" };
  if (!SAME.has(matcher) && !(PLAIN.has(matcher) && type === "boolean")) return undefined;
  const known = PLAIN.get(matcher) ?? (expected === undefined ? undefined : plainValue(test, expected));
  return known === undefined ? undefined : { code, gives: shownValue(known) };
}
