// What a call hands over, by the names that a contract has for it.
import ts from "typescript6";
import type { EntrySketch } from "../../../simulator/cases/module-sketch.ts";
import type { CaseExample } from "../../../simulator/port.ts";
import { everyNode } from "../../../toolchains/typescript/static/syntax.ts";

/** Of the last call of the entry point in some code; what a constant stands for is told instead of its name. */
export function inputsIn(code: string, { entry, inputs, signature }: EntrySketch): CaseExample["inputs"] {
  const tree = ts.createSourceFile("call.ts", code, ts.ScriptTarget.ESNext, true);
  const nodes = [...everyNode(tree)];
  const call = nodes.findLast(
    (node): node is ts.CallExpression | ts.NewExpression =>
      (ts.isCallExpression(node) || ts.isNewExpression(node)) && isOf(node.expression, entry),
  );
  const given = (call?.arguments ?? []).map((value) => meant(value, nodes).getText());
  return inputs.flatMap(({ name }, index) => {
    const isRest = signature.includes(`...${name}:`);
    const value = isRest ? given.slice(index).join(", ") : given[index];
    return value === undefined || value === "" ? [] : [{ name, value }];
  });
}

function isOf(called: ts.Expression, entry: string): boolean {
  const [name, member] = entry.split(".");
  return member === undefined
    ? called.getText() === name
    : ts.isPropertyAccessExpression(called) && called.name.text === member;
}

function meant(value: ts.Expression, nodes: readonly ts.Node[]): ts.Expression {
  if (!ts.isIdentifier(value)) return value;
  const declared = nodes.find(
    (node): node is ts.VariableDeclaration =>
      ts.isVariableDeclaration(node) && node.name.getText() === value.text,
  );
  return declared?.initializer ?? value;
}
