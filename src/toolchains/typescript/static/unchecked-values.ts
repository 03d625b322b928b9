// Finds values of which the compiler knows nothing, and which are taken for something although nobody has looked at them.
import ts from "typescript6";
import { originOf, spelled } from "./origin.ts";
import { everyNode, type Syntax } from "./syntax.ts";

const WHY =
  "takes a value at its word of which nobody knows what it is; look at it first, or let its maker say its type";

/** `unseen as number[]`, `return JSON.parse(text)` and `const sizes: number[] = JSON.parse(text)`. */
export function takenAtItsWord(node: ts.Node, syntax: Syntax): string | undefined {
  // What was looked up by a name is called without a look.
  const isTaken = ts.isCallExpression(node)
    ? isAny(node.expression, syntax)
    : claimsIn(node).some(
        ({ value, type, most }) =>
          type !== undefined &&
          saysMuch(type) &&
          isUnseen(value, syntax, most) &&
          !isAskedLater(node, syntax),
      );
  return isTaken ? WHY : undefined;
}

interface Claim {
  value: ts.Node;
  type: ts.TypeNode | undefined;
  /** Of what is unknown the compiler lets nothing pass without a cast; what is any passes everywhere. */
  most: "unknown" | "any";
}

/** Where a value is said to be of a type. */
function claimsIn(node: ts.Node): Claim[] {
  if (ts.isAsExpression(node) || ts.isTypeAssertionExpression(node))
    return [{ value: node.expression, type: node.type, most: "unknown" }];
  if (ts.isVariableDeclaration(node))
    return node.initializer === undefined ? [] : [{ value: node.initializer, type: node.type, most: "any" }];
  if (ts.isArrowFunction(node)) return [{ value: node.body, type: node.type, most: "any" }];
  if (!ts.isReturnStatement(node) || node.expression === undefined) return [];
  const type = ts.findAncestor(node, ts.isFunctionLike)?.type;
  return [{ value: node.expression, type, most: "any" }];
}

/** A type whose parts are still unknown promises next to nothing. */
function saysMuch(type: ts.TypeNode): boolean {
  if (ts.isTypeReferenceNode(type) && type.typeName.getText() === "const") return false;
  if (ts.isArrayTypeNode(type)) return saysMuch(type.elementType);
  if (ts.isTypeOperatorNode(type) || ts.isParenthesizedTypeNode(type)) return saysMuch(type.type);
  if (ts.isTypeLiteralNode(type))
    return type.members.some((member) => {
      const of =
        ts.isPropertySignature(member) || ts.isIndexSignatureDeclaration(member) ? member.type : undefined;
      return of === undefined || saysMuch(of);
    });
  const last = ts.isTypeReferenceNode(type) ? type.typeArguments?.at(-1) : undefined;
  if (last !== undefined) return saysMuch(last);
  return ![
    ts.SyntaxKind.UnknownKeyword,
    ts.SyntaxKind.AnyKeyword,
    ts.SyntaxKind.ObjectKeyword,
    ts.SyntaxKind.VoidKeyword,
  ].includes(type.kind);
}

function isUnseen(value: ts.Node, syntax: Syntax, most: Claim["most"]): boolean {
  if (ts.isParenthesizedExpression(value)) return isUnseen(value.expression, syntax, most);
  if (isAny(value, syntax)) return true;
  if (!ts.isIdentifier(value)) return false;
  return syntax.declarationsOf(value).some((declaration) => {
    const isHeld = ts.isVariableDeclaration(declaration) || ts.isParameter(declaration);
    if (!isHeld || ts.isCatchClause(declaration.parent)) return false;
    const isBlank =
      declaration.type === undefined
        ? declaration.initializer !== undefined && isAny(declaration.initializer, syntax)
        : most === "unknown" && saysNothing(declaration.type);
    return isBlank && !isLookedAt(value, declaration, syntax);
  });
}

/** `unknown`, and `object` or `{}`, which tell no more than what it is not. */
export function saysNothing(type: ts.TypeNode): boolean {
  if (ts.isTypeLiteralNode(type)) return type.members.length === 0;
  if (ts.isTypeReferenceNode(type)) return type.typeName.getText() === "Object";
  return SAYS_NOTHING.includes(type.kind);
}

const SAYS_NOTHING = [
  ts.SyntaxKind.UnknownKeyword,
  ts.SyntaxKind.AnyKeyword,
  ts.SyntaxKind.NeverKeyword,
  ts.SyntaxKind.ObjectKeyword,
];

/** Functions that read something from outside of the compiler's sight. */
const MAKERS = ["JSON.parse", "Reflect.get"];

function isAny(value: ts.Node, syntax: Syntax): boolean {
  if (!ts.isCallExpression(value)) return false;
  const origin = originOf(value.expression, syntax);
  return origin?.from === "global" && MAKERS.includes(spelled(origin)) && !isCopy(value, syntax);
}

/** `JSON.parse(JSON.stringify(grid))` is what it was. */
function isCopy({ arguments: [text] }: ts.CallExpression, syntax: Syntax): boolean {
  const origin =
    text !== undefined && ts.isCallExpression(text) ? originOf(text.expression, syntax) : undefined;
  return origin?.from === "global" && spelled(origin) === "JSON.stringify";
}

/** Whether anything is done with it but handing it on: a question, a comparison, a call that it is given to. */
function isLookedAt(name: ts.Identifier, declaration: ts.Declaration, syntax: Syntax): boolean {
  for (const node of everyNode(name.getSourceFile())) {
    if (!ts.isIdentifier(node) || node.text !== name.text || node.parent === declaration) continue;
    if (!syntax.declarationsOf(node).includes(declaration)) continue;
    if (!isHandedOn(node)) return true;
  }
  return false;
}

/** `const size = JSON.parse(text) as Size` says what is hoped for; whoever then asks about `size` has not believed it. */
function isAskedLater(cast: ts.Node, syntax: Syntax): boolean {
  if (ts.isParenthesizedExpression(cast.parent)) return isAskedLater(cast.parent, syntax);
  const held = ts.isVariableDeclaration(cast) ? cast : cast.parent;
  if (!ts.isVariableDeclaration(held)) return false;
  const names = [...everyNode(held.name)].filter(ts.isIdentifier).map(({ text }) => text);
  return [...everyNode(cast.getSourceFile())].some(
    (node) =>
      ts.isIdentifier(node) &&
      names.includes(node.text) &&
      syntax.declarationsOf(node).some((each) => ts.findAncestor(each, (above) => above === held)) &&
      isQuestion(node),
  );
}

function isQuestion(name: ts.Node): boolean {
  const { parent } = name;
  if (ts.isTypeOfExpression(parent)) return true;
  if (ts.isCallExpression(parent) && parent.arguments.some((each) => each === name)) return true;
  if (ts.isIfStatement(parent) || ts.isConditionalExpression(parent)) return true;
  if (ts.isBinaryExpression(parent)) return QUESTIONS.includes(parent.operatorToken.kind);
  const goesOn =
    ts.isPropertyAccessExpression(parent) ||
    ts.isElementAccessExpression(parent) ||
    ts.isCallExpression(parent) ||
    ts.isParenthesizedExpression(parent) ||
    ts.isPrefixUnaryExpression(parent);
  return goesOn && isQuestion(parent);
}

const QUESTIONS = [
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
  ts.SyntaxKind.LessThanToken,
  ts.SyntaxKind.LessThanEqualsToken,
  ts.SyntaxKind.GreaterThanToken,
  ts.SyntaxKind.GreaterThanEqualsToken,
  ts.SyntaxKind.InstanceOfKeyword,
  ts.SyntaxKind.InKeyword,
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
];

function isHandedOn(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isReturnStatement(parent) || ts.isArrowFunction(parent)) return true;
  if (ts.isVariableDeclaration(parent)) return parent.initializer === node;
  const isWrapper =
    ts.isAsExpression(parent) || ts.isTypeAssertionExpression(parent) || ts.isParenthesizedExpression(parent);
  return isWrapper && isHandedOn(parent);
}
