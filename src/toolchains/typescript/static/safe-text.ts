// Whether a text is made of nothing but what stands in the code, so that no input can have a say in it.
import ts from "typescript6";
import { constantText, memberOf, unwrapped } from "./origin.ts";
import type { Syntax } from "./syntax.ts";

const MOST_STEPS = 32;

/** Literals, constants, lists of placeholders, and choices among them. */
export function isWritten(node: ts.Node, syntax: Syntax, steps = MOST_STEPS): boolean {
  const inner = unwrapped(node);
  if (steps === 0) return false;
  const next = (each: ts.Node) => isWritten(each, syntax, steps - 1);
  if (constantText(inner) !== undefined || isLiteral(inner)) return true;
  if (ts.isBinaryExpression(inner)) return next(inner.left) && next(inner.right);
  if (ts.isConditionalExpression(inner)) return next(inner.whenTrue) && next(inner.whenFalse);
  if (ts.isTemplateExpression(inner)) return inner.templateSpans.every(({ expression }) => next(expression));
  if (ts.isArrayLiteralExpression(inner)) return inner.elements.every(next);
  if (ts.isArrowFunction(inner)) return !ts.isBlock(inner.body) && next(inner.body);
  if (ts.isIdentifier(inner)) return isConstant(inner, syntax, steps);
  return ts.isCallExpression(inner) && isMadeOfWritten(inner, next);
}

function isLiteral(node: ts.Node): boolean {
  return (
    ts.isRegularExpressionLiteral(node) ||
    node.kind === ts.SyntaxKind.TrueKeyword ||
    node.kind === ts.SyntaxKind.FalseKeyword ||
    node.kind === ts.SyntaxKind.NullKeyword
  );
}

/** `const TABLE = "users"`; whatever can be given another value later says nothing. */
function isConstant(name: ts.Identifier, syntax: Syntax, steps: number): boolean {
  const declarations = syntax.declarationsOf(name);
  return (
    declarations.length > 0 &&
    declarations.every(
      (each) =>
        ts.isVariableDeclaration(each) &&
        (ts.getCombinedNodeFlags(each) & ts.NodeFlags.Const) !== 0 &&
        each.initializer !== undefined &&
        isWritten(each.initializer, syntax, steps - 1),
    )
  );
}

/** `ids.map(() => "?").join(", ")`, `Array(3).fill("?")`, `"?".repeat(n)`: how often depends on inputs, what does not. */
function isMadeOfWritten(call: ts.CallExpression, isSafe: (node: ts.Node) => boolean): boolean {
  const callee = unwrapped(call.expression);
  if (!ts.isPropertyAccessExpression(callee)) return false;
  const [first] = call.arguments;
  switch (memberOf(callee)) {
    case "map":
    case "fill":
      return first !== undefined && isSafe(first);
    case "join":
      return isSafe(callee.expression) && (first === undefined || isSafe(first));
    case "repeat":
    case "trim":
    case "toUpperCase":
    case "toLowerCase":
      return isSafe(callee.expression);
    default:
      return false;
  }
}
