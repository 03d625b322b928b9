// Small questions about syntax trees that several readers of code ask.
import {
  type Expression,
  isAsExpression,
  isNonNullExpression,
  isParenthesizedExpression,
  isSatisfiesExpression,
  isTypeAssertion,
  type Node,
  type SourceFile,
} from "typescript/unstable/ast";

/** Without brackets and without what only types know of. */
export function unwrapped(node: Node): Node {
  if (
    isParenthesizedExpression(node) ||
    isAsExpression(node) ||
    isSatisfiesExpression(node) ||
    isNonNullExpression(node) ||
    isTypeAssertion(node)
  ) {
    const inner: Expression = node.expression;
    return unwrapped(inner);
  }
  return node;
}

export function lineOf(node: Node, file: SourceFile = node.getSourceFile()): number {
  return file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
}

export function ancestors(node: Node): Node[] {
  const found: Node[] = [];
  for (let at: Node | undefined = node.parent; at !== undefined; at = at.parent) found.push(at);
  return found;
}

/** The node and everything below it, in the order of the text. */
export function everyNode(node: Node, visit: (node: Node) => void): void {
  visit(node);
  node.forEachChild((child) => {
    everyNode(child, visit);
  });
}
