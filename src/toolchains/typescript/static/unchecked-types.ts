// Finds where code keeps the compiler from looking: values that are anything, casts by way of a type that says nothing, and
// promises about types that nothing makes true.
import ts from "typescript6";
import type { StaticFinding } from "../../../domain/evidence/static-finding.ts";
import { brokenPromise } from "./type-promises.ts";
import { type CodeFile, everyNode, lineOf, type Syntax } from "./syntax.ts";
import { saysNothing, takenAtItsWord } from "./unchecked-values.ts";

/** Code that was written without a contract promised nobody types; there it is advice. */
export function uncheckedTypes(
  { path, tree }: CodeFile,
  syntax: Syntax,
  hasContract: boolean,
): StaticFinding[] {
  const severity = hasContract ? "error" : "warning";
  const found = new Map<number, StaticFinding>();
  for (const node of everyNode(tree)) {
    const message = looksAway(node) ?? takenAtItsWord(node, syntax) ?? brokenPromise(node, syntax);
    const line = lineOf(node);
    if (message !== undefined && !found.has(line))
      found.set(line, { rule: "unchecked-types", file: path, line, message, severity });
  }
  return [...found.values()];
}

function looksAway(node: ts.Node): string | undefined {
  if (node.kind === ts.SyntaxKind.AnyKeyword)
    return "any keeps the compiler from looking; use unknown and find out what it is";
  if (!isCast(node)) return undefined;
  if (node.type.kind === ts.SyntaxKind.NeverKeyword)
    return "a cast to never fits everywhere, whatever the value is; let the compiler follow the value";
  const inner = withoutParentheses(node.expression);
  if (!isCast(inner) || !saysNothing(inner.type)) return undefined;
  return "a cast by way of a type that says nothing lets any value pass; check the value instead";
}

function isCast(node: ts.Node): node is ts.AsExpression | ts.TypeAssertion {
  return ts.isAsExpression(node) || ts.isTypeAssertionExpression(node);
}

function withoutParentheses(node: ts.Expression): ts.Expression {
  return ts.isParenthesizedExpression(node) ? withoutParentheses(node.expression) : node;
}
