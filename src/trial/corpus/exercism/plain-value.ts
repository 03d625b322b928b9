// Values that tests of a track write out: read without running anything, and shown as examples show them.
import { inspect } from "node:util";
import ts from "typescript6";
import { meant } from "./meant.ts";
import type { TrackTest } from "./track-blocks.ts";

/** As JSON, or as Node prints it where JSON has no word for it. */
export function shownValue(value: unknown): string {
  return isJson(value) ? JSON.stringify(value) : inspect(value, { depth: null, breakLength: Infinity });
}

function isJson(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return typeof value !== "bigint";
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  return isPlain && Object.values(value).every(isJson);
}

/** Undefined where it is not written out. */
export function plainValue(test: TrackTest, node: ts.Expression): unknown {
  const value = bare(meant(test, node));
  if (ts.isPrefixUnaryExpression(value) && value.operator === ts.SyntaxKind.MinusToken)
    return negative(plainValue(test, value.operand));
  if (ts.isArrayLiteralExpression(value)) return allOf(test, value.elements);
  if (ts.isObjectLiteralExpression(value)) return objectOf(test, value);
  return ts.isCallExpression(value) || ts.isNewExpression(value) ? madeBy(test, value) : literal(value);
}

/** Without brackets, and without what is said of its type. */
function bare(node: ts.Expression): ts.Expression {
  const isDressed =
    ts.isAsExpression(node) || ts.isParenthesizedExpression(node) || ts.isSatisfiesExpression(node);
  return isDressed ? bare(node.expression) : node;
}

function literal(node: ts.Expression): unknown {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (ts.isBigIntLiteral(node)) return BigInt(node.text.replace(/n$/, ""));
  return WORDS.get(node.kind);
}

const WORDS: ReadonlyMap<ts.SyntaxKind, unknown> = new Map([
  [ts.SyntaxKind.TrueKeyword, true],
  [ts.SyntaxKind.FalseKeyword, false],
  [ts.SyntaxKind.NullKeyword, null],
]);

function negative(value: unknown): unknown {
  return typeof value === "number" || typeof value === "bigint" ? -value : undefined;
}

function allOf(test: TrackTest, nodes: readonly ts.Expression[]): unknown[] | undefined {
  const values = nodes.map((each) => plainValue(test, each));
  return values.includes(undefined) ? undefined : values;
}

function objectOf(test: TrackTest, { properties }: ts.ObjectLiteralExpression): object | undefined {
  const pairs = properties.map((each) =>
    ts.isPropertyAssignment(each) && (ts.isIdentifier(each.name) || ts.isStringLiteral(each.name))
      ? [each.name.text, plainValue(test, each.initializer)]
      : ["", undefined],
  );
  return pairs.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(pairs);
}

function madeBy(test: TrackTest, { expression, arguments: given }: ts.CallExpression | ts.NewExpression) {
  const values = allOf(test, [...(given ?? [])]);
  if (values === undefined) return undefined;
  if (ts.isPropertyAccessExpression(expression) && expression.name.text === "join")
    return joined(plainValue(test, expression.expression), values[0]);
  return MAKERS[expression.getText()]?.(values);
}

function joined(parts: unknown, by: unknown): string | undefined {
  return Array.isArray(parts) && typeof by === "string" ? parts.join(by) : undefined;
}

/** The few calls that stand for a value without doing anything. */
const MAKERS: Readonly<Record<string, (given: readonly unknown[]) => unknown>> = {
  BigInt: ([whole]) => (isWhole(whole) ? BigInt(whole) : undefined),
  "Object.entries": ([given]) =>
    typeof given === "object" && given !== null ? Object.entries(given) : undefined,
  Map: ([pairs = []]) => (isPairs(pairs) ? new Map(pairs) : undefined),
  Date: ([moment]) => dateOf(moment),
  "Date.parse": ([moment]) => dateOf(moment)?.getTime(),
  "Date.UTC": (given) =>
    given.every((each) => typeof each === "number") ? Reflect.apply(Date.UTC, Date, given) : undefined,
};

function isWhole(value: unknown): value is string | number | bigint {
  if (typeof value === "string") return /^-?\d+$/.test(value);
  return typeof value === "bigint" || Number.isInteger(value);
}

function isPairs(value: unknown): value is [unknown, unknown][] {
  return Array.isArray(value) && value.every((each) => Array.isArray(each) && each.length === 2);
}

function dateOf(value: unknown): Date | undefined {
  const date = typeof value === "string" || typeof value === "number" ? new Date(value) : undefined;
  return date === undefined || Number.isNaN(date.getTime()) ? undefined : date;
}
