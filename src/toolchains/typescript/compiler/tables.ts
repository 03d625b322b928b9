// Functions that a test takes out of a table: rows of `test.each`, elements of a loop.
import {
  isArrowFunction,
  isBindingElement,
  isCallExpression,
  isForOfStatement,
  isFunctionExpression,
  isIdentifier,
  isParameterDeclaration,
  isPropertyAccessExpression,
  isTaggedTemplateExpression,
  isVariableDeclaration,
  type Node,
} from "typescript/unstable/ast";
import type { Program } from "./program.ts";
import { ancestors, everyNode, unwrapped } from "./syntax.ts";

/** Every name in the table that the called variable gets its values from; types alone would tell only one of them. */
export function tabledValues(program: Program, callee: Node): Node[] {
  const inner = unwrapped(callee);
  if (!isIdentifier(inner)) return [];
  const declared = program.checker.getSymbolAtLocation(inner)?.declarations[0]?.resolve();
  if (declared === undefined || program.pathOf(declared.getSourceFile()) === undefined) return [];
  if (program.isSource(declared.getSourceFile())) return [];
  const table = tableOf(declared);
  return table === undefined ? [] : namesIn(program, table, 0);
}

function tableOf(declared: Node): Node | undefined {
  if (!isVariableDeclaration(declared) && !isParameterDeclaration(declared) && !isBindingElement(declared))
    return undefined;
  for (const around of [declared, ...ancestors(declared)]) {
    if (isForOfStatement(around)) return around.expression;
    if (isArrowFunction(around) || isFunctionExpression(around)) {
      const call = around.parent;
      if (!isCallExpression(call)) return undefined;
      const source = unwrapped(call.expression);
      if (isCallExpression(source) || isTaggedTemplateExpression(source)) return source;
      return isPropertyAccessExpression(source) ? source.expression : undefined;
    }
  }
  return undefined;
}

function namesIn(program: Program, table: Node, depth: number): Node[] {
  const found: Node[] = [];
  everyNode(table, (node) => {
    if (isIdentifier(node)) found.push(node);
  });
  if (depth > 3) return found;
  const further = found.flatMap((name) => {
    const declared = program.checker.getSymbolAtLocation(name)?.declarations[0]?.resolve();
    if (declared === undefined || !isVariableDeclaration(declared) || declared.initializer === undefined)
      return [];
    if (program.pathOf(declared.getSourceFile()) === undefined || program.isSource(declared.getSourceFile()))
      return [];
    return isArrowFunction(unwrapped(declared.initializer))
      ? []
      : namesIn(program, declared.initializer, depth + 1);
  });
  return [...found, ...further];
}
