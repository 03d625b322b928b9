// Small questions about code of tracks that several readers of it ask.
import ts from "typescript6";
import { leaveOut } from "./left-out.ts";
import { everyNode } from "../../../toolchains/typescript/static/syntax.ts";

export interface TextEdit {
  from: number;
  to: number;
  text: string;
}

export function parsed(path: string, text: string): ts.SourceFile {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true, ts.ScriptKind.TS);
  const { diagnostics = [] } = ts.transpileModule(text, { reportDiagnostics: true, fileName: path });
  return diagnostics.length === 0 ? tree : leaveOut(`${path} cannot be parsed`);
}

/** Edits do not overlap. */
export function withEdits(text: string, edits: readonly TextEdit[]): string {
  return edits
    .toSorted((one, other) => other.from - one.from)
    .reduce((so, { from, to, text: by }) => `${so.slice(0, from)}${by}${so.slice(to)}`, text);
}

export function instead(node: ts.Node, text: string): TextEdit {
  return { from: node.getStart(), to: node.getEnd(), text };
}

/** Every identifier in some code, whatever it means there. */
export function namesIn(nodes: readonly ts.Node[]): Set<string> {
  return new Set(
    nodes.flatMap((node) =>
      [...everyNode(node)].flatMap((each) => (ts.isIdentifier(each) ? [each.text] : [])),
    ),
  );
}

/** `it` of `it.each(table)("title", body)`. */
export function rootOf(callee: ts.Expression): ts.Identifier | undefined {
  let at: ts.Expression = callee;
  while (!ts.isIdentifier(at)) {
    if (ts.isPropertyAccessExpression(at) || ts.isCallExpression(at)) at = at.expression;
    else if (ts.isTaggedTemplateExpression(at)) at = at.tag;
    else return undefined;
  }
  return at;
}

export function literalText(node: ts.Node | undefined): string | undefined {
  return node !== undefined && ts.isStringLiteralLike(node) ? node.text : undefined;
}
