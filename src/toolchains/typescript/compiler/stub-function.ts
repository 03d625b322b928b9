// The text changes that make one function a stub; what the compiler inferred from the body is written down.
import {
  type FunctionLikeDeclaration,
  isArrowFunction,
  isBlock,
  isClassLikeDeclaration,
  isConstructorDeclaration,
  isIdentifier,
  isPropertyDeclaration,
  isSetAccessorDeclaration,
  isVariableDeclaration,
  type Node,
} from "typescript/unstable/ast";
import { NodeBuilderFlags, TypePredicateKind } from "typescript/unstable/sync";
import { stubMessage } from "../stub-mark.ts";
import { isSuperCall } from "./declarations.ts";
import type { Program } from "./program.ts";
import { everyNode } from "./syntax.ts";

/** A piece of text that takes the place of another. */
export interface Change {
  from: number;
  to: number;
  text: string;
}

export function stubbedFunction(
  program: Program,
  node: FunctionLikeDeclaration,
  name: string,
  errors: readonly string[],
): Change[] {
  if (node.body === undefined) return [];
  const will = errors.length === 0 ? "" : `\n  // throws: ${errors.join(", ")}\n `;
  const stub = `throw new Error(${JSON.stringify(stubMessage(name))});`;
  const text = `{${will} ${stub}${superCall(node)} }`;
  return [...resultType(program, node), { from: node.body.getStart(), to: node.body.end, text }];
}

/** The compiler wants a derived constructor to call its base, even where it cannot get there. */
function superCall(node: FunctionLikeDeclaration): string {
  if (!isConstructorDeclaration(node) || node.body === undefined || !isClassLikeDeclaration(node.parent))
    return "";
  const base = node.parent.heritageClauses?.find((each) => each.getText().startsWith("extends"))?.types[0];
  if (base === undefined) return "";
  const written = node.body.statements.find(isSuperCall);
  if (written !== undefined && usesOnlyParameters(written, node)) return ` ${written.getText()}`;
  return isIdentifier(base.expression)
    ? ` super(...(undefined as unknown as ConstructorParameters<typeof ${base.expression.text}>));`
    : " super();";
}

/** Variables of the body are gone with it. */
function usesOnlyParameters(call: Node, node: FunctionLikeDeclaration): boolean {
  const locals = new Set<string>();
  if (node.body !== undefined) {
    everyNode(node.body, (each) => {
      if (isVariableDeclaration(each)) locals.add(each.name.getText());
    });
  }
  let found = true;
  everyNode(call, (each) => {
    if (isIdentifier(each) && locals.has(each.text)) found = false;
  });
  return found;
}

function resultType(program: Program, node: FunctionLikeDeclaration): Change[] {
  const { fileName, text } = node.getSourceFile();
  if (node.type !== undefined || isConstructorDeclaration(node) || isSetAccessorDeclaration(node)) return [];
  if (/\.[cm]?jsx?$/.test(fileName) || isTypedFromOutside(node)) return [];
  const spelled = spelledResult(program, node);
  if (spelled === undefined || node.body === undefined) return [];
  const end = isArrowFunction(node) ? node.equalsGreaterThanToken.getStart() : node.body.getStart();
  const last = node.parameters.at(-1);
  const only = node.parameters[0];
  if (isArrowFunction(node) && only !== undefined && !text.slice(last?.end, end).includes(")")) {
    return [{ from: only.getStart(), to: only.end, text: `(${only.getText()}): ${spelled}` }];
  }
  const from = text.lastIndexOf(")", end) + 1;
  return [{ from, to: from, text: `: ${spelled}` }];
}

function isTypedFromOutside(node: FunctionLikeDeclaration): boolean {
  const { parent } = node;
  return (isVariableDeclaration(parent) || isPropertyDeclaration(parent)) && parent.type !== undefined;
}

function spelledResult({ checker }: Program, node: FunctionLikeDeclaration): string | undefined {
  const signature = checker.getSignatureFromDeclaration(node);
  if (signature === undefined) return undefined;
  const flags = NodeBuilderFlags.NoTruncation | NodeBuilderFlags.UseAliasDefinedOutsideCurrentScope;
  const predicate = checker.getTypePredicateOfSignature(signature);
  if (predicate?.kind === TypePredicateKind.Identifier)
    return `${predicate.parameterName} is ${checker.typeToString(predicate.type, node, flags)}`;
  const type = checker.getReturnTypeOfSignature(signature);
  if (type === undefined) return undefined;
  const spelled = checker.typeToString(type, node, flags);
  // A function type must be in brackets where an arrow follows.
  return isArrowFunction(node) && !isBlock(node) && spelled.includes("=>") ? `(${spelled})` : spelled;
}
