// What names stand for in the tests of a track.
import ts from "typescript6";
import { everyNode } from "../../../toolchains/typescript/static/syntax.ts";
import type { TrackTest } from "./track-blocks.ts";

/** What a name stands for that the test, its row of a table or the code around it declares. */
export function meant(test: TrackTest, node: ts.Expression): ts.Expression {
  if (!ts.isIdentifier(node)) return node;
  const rows = test.row.map((text) => ts.createSourceFile("row.ts", text, ts.ScriptTarget.ESNext, true));
  const declared = [test.body, ...rows, ...test.around]
    .flatMap((each) => [...everyNode(each)])
    .find(
      (each): each is ts.VariableDeclaration =>
        ts.isVariableDeclaration(each) && ts.isIdentifier(each.name) && each.name.text === node.text,
    );
  const isFixed = declared !== undefined && (declared.parent.flags & ts.NodeFlags.Const) !== 0;
  return (isFixed ? declared.initializer : undefined) ?? node;
}
