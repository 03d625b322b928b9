// Finds promises about types that the code behind them does not keep: the compiler believes them without a look.
import ts from "typescript6";
import { everyNode } from "./syntax.ts";

export function brokenPromise(node: ts.Node): string | undefined {
  if (ts.isModuleDeclaration(node) && isOfOthers(node))
    return "declares types anew that are not its own, for everybody who imports it; declare types of its own";
  if (!ts.isFunctionLike(node) || !("body" in node) || node.body === undefined) return undefined;
  const { type } = node;
  if (type === undefined) return undefined;
  if (ts.isTypePredicateNode(type) && !canSayNo(node.body, type))
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

/** A question must be about the value; an assertion must be able to throw, by itself or by what it calls. */
function canSayNo(body: ts.Node, { assertsModifier, parameterName }: ts.TypePredicateNode): boolean {
  const nodes = [...everyNode(body)];
  if (assertsModifier !== undefined)
    return nodes.some((each) => ts.isThrowStatement(each) || ts.isCallExpression(each));
  const name = parameterName.getText();
  return nodes.some((each) => each.getText() === name && each.kind === parameterName.kind) || name === "this";
}

function hasOverloads(node: ts.FunctionDeclaration): boolean {
  const name = node.name?.text;
  return ts.isSourceFile(node.parent)
    ? node.parent.statements.some(
        (each) => ts.isFunctionDeclaration(each) && each.body === undefined && each.name?.text === name,
      )
    : false;
}
