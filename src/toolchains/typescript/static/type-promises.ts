// Finds promises about types that the code behind them does not keep: the compiler believes them without a look.
import ts from "typescript6";
import { originOf } from "./origin.ts";
import { everyNode, type Syntax } from "./syntax.ts";

export function brokenPromise(node: ts.Node, syntax: Syntax): string | undefined {
  if (ts.isModuleDeclaration(node) && isOfOthers(node))
    return "declares types anew that are not its own, for everybody who imports it; declare types of its own";
  if (ts.isIdentifier(node) && isMadeUp(node, syntax))
    return "uses what it has only declared, so that nobody knows what there is; import it, or write it";
  const field = emptyField(node, syntax);
  if (field !== undefined) return `promises a field ${field} that nothing gives a value; set it`;
  return brokenSignature(node, syntax);
}

function brokenSignature(node: ts.Node, syntax: Syntax): string | undefined {
  if (!ts.isFunctionLike(node) || !("body" in node) || node.body === undefined) return undefined;
  const { type } = node;
  if (type === undefined) return undefined;
  if (ts.isTypePredicateNode(type) && !canSayNo(node.body, type, syntax))
    return "vouches for a type without a look at the value; say no to values of another type";
  const isBlank = type.kind === ts.SyntaxKind.UnknownKeyword || type.kind === ts.SyntaxKind.AnyKeyword;
  if (isBlank && ts.isFunctionDeclaration(node) && hasOverloads(node))
    return "gives something unknown under overloads that promise more; give what they promise";
  return undefined;
}

/** `declare global` and `declare module "of-somebody"`; a namespace of its own is its own. */
function isOfOthers({ name }: ts.ModuleDeclaration): boolean {
  return ts.isStringLiteral(name) || name.text === "global";
}

/** `declare function clone(value: unknown): number[]`, which is then called; a type may be made of what is declared. */
function isMadeUp(name: ts.Identifier, syntax: Syntax): boolean {
  // A loader is judged by what it loads.
  if (name.text === "require" || name.getSourceFile().isDeclarationFile || !isValue(name)) return false;
  return syntax.declarationsOf(name).some((each) => {
    const statement = ts.isVariableDeclaration(each) ? each.parent.parent : each;
    if (
      !ts.isVariableStatement(statement) &&
      !ts.isFunctionDeclaration(statement) &&
      !ts.isClassDeclaration(statement)
    )
      return false;
    return ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword) === true;
  });
}

function isValue(name: ts.Identifier): boolean {
  const { parent } = name;
  if (ts.isTypeOfExpression(parent) || ts.isComputedPropertyName(parent)) return false;
  if (ts.findAncestor(parent, ts.isTypeNode) !== undefined) return false;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === name;
  return !("name" in parent && parent.name === name) || ts.isShorthandPropertyAssignment(parent);
}

/** A field that is declared in a way that keeps the compiler from asking who sets it, and that nobody sets. */
function emptyField(node: ts.Node, syntax: Syntax): string | undefined {
  if (!ts.isPropertyDeclaration(node) && !ts.isPropertySignature(node)) return undefined;
  const isPromised = ts.isPropertyDeclaration(node)
    ? node.exclamationToken !== undefined
    : node.questionToken === undefined && isMergedIntoClass(node.parent, syntax);
  if (!isPromised || ts.isComputedPropertyName(node.name)) return undefined;
  const name = node.name.text;
  return isSet(name, syntax) ? undefined : name;
}

function isMergedIntoClass(node: ts.Node, syntax: Syntax): boolean {
  return (
    ts.isInterfaceDeclaration(node) &&
    syntax.declarationsOf(node.name).some((each) => ts.isClassDeclaration(each))
  );
}

/** By whatever object; `Object.assign(this, { size })` sets one as well. */
function isSet(name: string, syntax: Syntax): boolean {
  return syntax.files.some(({ tree }) =>
    [...everyNode(tree)].some((node) => {
      if (ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node))
        return node.name.getText() === name;
      if (ts.isStringLiteralLike(node)) return node.text === name;
      if (!ts.isPropertyAccessExpression(node) || node.name.text !== name) return false;
      const { parent } = node;
      return ts.isBinaryExpression(parent) && parent.left === node && isAssignment(parent.operatorToken.kind);
    }),
  );
}

function isAssignment(kind: ts.SyntaxKind): boolean {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
}

/** A question must be about the value; an assertion must be able to throw, by itself or by what it calls. */
function canSayNo(
  body: ts.Node,
  { assertsModifier, parameterName }: ts.TypePredicateNode,
  syntax: Syntax,
): boolean {
  const nodes = [...everyNode(body)];
  if (assertsModifier !== undefined)
    return nodes.some(
      (each) => ts.isThrowStatement(each) || (ts.isCallExpression(each) && mayThrow(each, syntax)),
    );
  const name = parameterName.getText();
  return nodes.some((each) => each.getText() === name && each.kind === parameterName.kind) || name === "this";
}

/** What the language gives and what takes any value as it is cannot. */
function mayThrow({ expression }: ts.CallExpression, syntax: Syntax): boolean {
  const origin = originOf(expression, syntax);
  if (origin?.from !== "global") return true;
  const { name, members } = origin;
  return !(members.length === 0 ? TAKING_ANYTHING : ASKING_NOTHING).includes(name);
}

const TAKING_ANYTHING: readonly string[] = ["Array", "Boolean", "Error", "Number", "Object", "String"];
const ASKING_NOTHING: readonly string[] = ["Array", "Math", "Number", "console"];

function hasOverloads(node: ts.FunctionDeclaration): boolean {
  const name = node.name?.text;
  return ts.isSourceFile(node.parent)
    ? node.parent.statements.some(
        (each) => ts.isFunctionDeclaration(each) && each.body === undefined && each.name?.text === name,
      )
    : false;
}
