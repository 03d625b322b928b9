// Whether code asks about what a variable or a parameter holds: then it has not taken its type for granted.
import {
  isBinaryExpression,
  isBindingElement,
  isCallExpression,
  isConditionalExpression,
  isElementAccessExpression,
  isIdentifier,
  isIfStatement,
  isParenthesizedExpression,
  isPrefixUnaryExpression,
  isPropertyAccessExpression,
  isTypeOfExpression,
  type Node,
  type ParameterDeclaration,
  SyntaxKind,
  type VariableDeclaration,
} from "typescript/unstable/ast";
import { everyNode } from "./syntax.ts";

/** By its names, wherever in the file: two of one name are seldom about different things. */
export function isQuestioned(held: VariableDeclaration | ParameterDeclaration): boolean {
  const names = new Set<string>();
  everyNode(held.name, (node) => {
    if (isIdentifier(node)) names.add(node.text);
  });
  let asked = false;
  everyNode(held.getSourceFile(), (node) => {
    asked ||= isIdentifier(node) && names.has(node.text) && !isNameOf(node) && isQuestion(node);
  });
  return asked;
}

function isNameOf(node: Node): boolean {
  const { parent } = node;
  if (isPropertyAccessExpression(parent)) return parent.name === node;
  return isBindingElement(parent);
}

function isQuestion(node: Node): boolean {
  const { parent } = node;
  if (isTypeOfExpression(parent)) return true;
  if (isCallExpression(parent) && parent.arguments.some((each) => each === node)) return true;
  if (isIfStatement(parent)) return parent.expression === node;
  if (isConditionalExpression(parent)) return parent.condition === node;
  if (isBinaryExpression(parent)) return QUESTIONS.has(parent.operatorToken.kind);
  const goesOn =
    isPropertyAccessExpression(parent) ||
    isElementAccessExpression(parent) ||
    isCallExpression(parent) ||
    isParenthesizedExpression(parent) ||
    isPrefixUnaryExpression(parent);
  return goesOn && isQuestion(parent);
}

const QUESTIONS: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.EqualsEqualsEqualsToken,
  SyntaxKind.ExclamationEqualsEqualsToken,
  SyntaxKind.EqualsEqualsToken,
  SyntaxKind.ExclamationEqualsToken,
  SyntaxKind.LessThanToken,
  SyntaxKind.LessThanEqualsToken,
  SyntaxKind.GreaterThanToken,
  SyntaxKind.GreaterThanEqualsToken,
  SyntaxKind.InstanceOfKeyword,
  SyntaxKind.InKeyword,
  SyntaxKind.AmpersandAmpersandToken,
  SyntaxKind.BarBarToken,
]);
