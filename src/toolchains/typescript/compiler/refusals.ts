// Code that refuses and does nothing else. What conditions leave over of a type is the word of whoever wrote them: a question
// that lies about a value, or a value that changes behind the compiler's back, can lead there after all. Then nobody must
// get a result.
import {
  type FunctionLikeDeclaration,
  isBlock,
  isCallExpression,
  isExpressionStatement,
  isFunctionDeclaration,
  isFunctionLikeDeclaration,
  isIdentifier,
  isPropertyAccessExpression,
  isReturnStatement,
  isThrowStatement,
  isVariableDeclaration,
  isVariableStatement,
  type Node,
  type SourceFile,
  SyntaxKind,
} from "typescript/unstable/ast";
import { hasModifier } from "./declarations.ts";
import { everyNode, unwrapped } from "./syntax.ts";

/** The names of functions that take what cannot exist, and throw; not one that another function has as well. */
export function refusersIn(sources: readonly SourceFile[]): ReadonlySet<string> {
  const names = new Set<string>();
  const others = new Set<string>();
  for (const source of sources)
    everyNode(source, (node) => {
      if (!isFunctionLikeDeclaration(node)) return;
      const name = nameOf(node);
      if (name !== undefined) (isRefuser(node) ? names : others).add(name);
    });
  return new Set([...names].filter((name) => !others.has(name)));
}

/** A function that takes a value which cannot exist is never called, and throws if it is. */
export function isRefuser(node: Node): boolean {
  return (
    takesNothing(node) &&
    isFunctionLikeDeclaration(node) &&
    !isLater(node) &&
    node.body !== undefined &&
    isBlock(node.body) &&
    onlyRefuses(node.body.statements, new Set())
  );
}

/** What it throws does not come to whoever calls it. */
function isLater(node: FunctionLikeDeclaration): boolean {
  return (
    hasModifier(node, SyntaxKind.AsyncKeyword) ||
    ("asteriskToken" in node && node.asteriskToken !== undefined)
  );
}

export function takesNothing(node: Node): boolean {
  return (
    isFunctionLikeDeclaration(node) &&
    node.parameters.some((each) => each.type?.kind === SyntaxKind.NeverKeyword)
  );
}

/** The last of them throws, and those before it only say what is left over. */
export function onlyRefuses(nodes: readonly Node[], refusers: ReadonlySet<string>): boolean {
  const last = nodes.at(-1);
  return last !== undefined && refuses(last, refusers) && nodes.slice(0, -1).every(onlySays);
}

function refuses(node: Node, refusers: ReadonlySet<string>): boolean {
  if (isThrowStatement(node)) return true;
  if (isBlock(node)) return onlyRefuses(node.statements, refusers);
  if (isExpressionStatement(node)) return refuses(node.expression, refusers);
  if (isReturnStatement(node)) return node.expression !== undefined && refuses(node.expression, refusers);
  return isCallExpression(node) && isIdentifier(node.expression) && refusers.has(node.expression.text);
}

function onlySays(node: Node): boolean {
  if (isExpressionStatement(node)) return isName(node.expression);
  return (
    isVariableStatement(node) &&
    node.declarationList.declarations.every(
      ({ type, initializer }) =>
        type?.kind === SyntaxKind.NeverKeyword && initializer !== undefined && isName(initializer),
    )
  );
}

function isName(node: Node): boolean {
  const inner = unwrapped(node);
  return isIdentifier(inner) || isPropertyAccessExpression(inner);
}

function nameOf(node: Node): string | undefined {
  if (isFunctionDeclaration(node)) return node.name?.text;
  const { parent } = node;
  return isVariableDeclaration(parent) && isIdentifier(parent.name) ? parent.name.text : undefined;
}
