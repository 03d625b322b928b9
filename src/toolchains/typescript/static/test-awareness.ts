// Finds code that asks whether it is being tested: what it does then says nothing about what it does otherwise.
import ts from "typescript6";
import type { StaticFinding } from "../../../domain/evidence/static-finding.ts";
import { constantText } from "./origin.ts";
import { type CodeFile, everyNode, lineOf } from "./syntax.ts";

/** What runners leave in the environment and among the globals for those who look. */
const TRACE = /^(?:VITEST(?:_\w+)?|JEST_WORKER_ID|__vitest_\w+|__jest_\w+)$/;

export function testAwareness({ path, tree }: CodeFile): StaticFinding[] {
  const found = new Map<number, StaticFinding>();
  for (const node of everyNode(tree)) {
    const name = nameIn(node);
    if (name === undefined || !TRACE.test(name)) continue;
    const message = `asks for ${name}, so it can tell tests from callers; treat both alike`;
    const line = lineOf(node);
    found.set(line, { rule: "knows-its-tests", file: path, line, message, severity: "error" });
  }
  return [...found.values()];
}

/** Names are read as members, taken apart, or put together as texts. */
function nameIn(node: ts.Node): string | undefined {
  if (ts.isIdentifier(node)) return node.text;
  const isText = ts.isStringLiteralLike(node) || ts.isBinaryExpression(node) || ts.isTemplateExpression(node);
  return isText ? constantText(node) : undefined;
}
