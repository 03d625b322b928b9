// Tells what of a module's code would run functions of the module while it is being imported, which stubs must not do.
import {
  type CallExpression,
  isCallExpression,
  isClassLikeDeclaration,
  isConstructorDeclaration,
  isFunctionLikeDeclaration,
  isHeritageClause,
  isIdentifier,
  isNewExpression,
  isPropertyDeclaration,
  isTaggedTemplateExpression,
  isTypeNode,
  type NewExpression,
  type Node,
} from "typescript/unstable/ast";
import { SignatureKind } from "typescript/unstable/sync";
import { accessorsOf, calleesOf, calleesOfValue, declarationsOf } from "./calls.ts";
import type { Program } from "./program.ts";
import { unwrapped } from "./syntax.ts";

/** With `asValue` also a function that was made elsewhere counts: it would work although everything is a stub. */
export function runsAtImport(program: Program, node: Node, asValue = false): boolean {
  if (asValue && isForeignFunction(program, node)) return true;
  return runs(program, node, 0);
}

const MOST_DEEP = 8;

function runs(program: Program, node: Node, depth: number): boolean {
  if (isTypeNode(node) || isFunctionLikeDeclaration(node) || depth > MOST_DEEP) return false;
  if (isCallExpression(node) || isNewExpression(node) || isTaggedTemplateExpression(node)) {
    const own = calleesOf(program.checker, node).filter((each) => program.isSource(each.getSourceFile()));
    if (own.some((each) => (isClassLikeDeclaration(each) ? isMadeByCode(program, each, depth + 1) : true)))
      return true;
    if (!isTaggedTemplateExpression(node) && mayCallBack(program, node)) return true;
  }
  if (accessorsOf(program.checker, node).some((each) => program.isSource(each.getSourceFile()))) return true;
  let found = false;
  node.forEachChild((child) => {
    found ||= runs(program, child, depth);
  });
  return found;
}

/** What a library gets a function of the module for: to call it at once, unless it makes another function of it. */
function mayCallBack(program: Program, call: CallExpression | NewExpression): boolean {
  const { checker } = program;
  const handsOver = call.arguments?.some((each) =>
    calleesOfValue(checker, each).some(
      (callee) => isFunctionLikeDeclaration(callee) && program.isSource(callee.getSourceFile()),
    ),
  );
  if (handsOver !== true) return false;
  const made = checker.getTypeAtLocation(call);
  return made === undefined || checker.getSignaturesOfType(made, SignatureKind.Call).length === 0;
}

/** Whether making an object of the class runs more than the initialisation of plain fields. */
function isMadeByCode(program: Program, node: Node, depth: number): boolean {
  if (!isClassLikeDeclaration(node) || depth > MOST_DEEP) return true;
  const byMember = node.members.some((member) => {
    if (isConstructorDeclaration(member)) return member.body !== undefined;
    return (
      isPropertyDeclaration(member) &&
      member.initializer !== undefined &&
      runs(program, member.initializer, depth)
    );
  });
  if (byMember) return true;
  const bases = (node.heritageClauses ?? []).filter(isHeritageClause).flatMap((clause) => [...clause.types]);
  return bases.some((base) => {
    const declared = isIdentifier(base.expression) ? declarationsOf(program.checker, base.expression, 0) : [];
    return declared.some(
      (each) =>
        isClassLikeDeclaration(each) &&
        program.isSource(each.getSourceFile()) &&
        isMadeByCode(program, each, depth + 1),
    );
  });
}

function isForeignFunction(program: Program, node: Node): boolean {
  const { checker } = program;
  const inner = unwrapped(node);
  if (isFunctionLikeDeclaration(inner) || isClassLikeDeclaration(inner)) return false;
  const type = checker.getTypeAtLocation(inner);
  if (type === undefined || checker.getSignaturesOfType(type, SignatureKind.Call).length === 0) return false;
  const isOwn = (value: Node): boolean =>
    calleesOfValue(checker, value).some((each) => program.isSource(each.getSourceFile()));
  // What a library makes of a function of the module calls a stub in the end.
  return isCallExpression(inner) ? !inner.arguments.some(isOwn) : !isOwn(inner);
}
