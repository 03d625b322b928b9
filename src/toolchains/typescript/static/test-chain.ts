// How a test is declared: by which name of the runner, and by which members of it, also through other names.
import ts from "typescript6";
import { originOf, unwrapped } from "./origin.ts";
import type { Syntax } from "./syntax.ts";

const GROUPS = ["describe", "suite"];
export const TESTS = ["test", "it"];
export const LEFT_OUT = ["xit", "xtest", "xdescribe"];
export const FOCUSED = ["fit", "fdescribe"];
const ROOTS = [...GROUPS, ...TESTS, ...LEFT_OUT, ...FOCUSED, "bench"];

/** Members that give a way to declare tests, and declare none themselves. */
const MAKERS = ["each", "for", "extend", "skipIf", "runIf", "beforeEach", "afterEach", "override", "scoped"];

/** How a declaration is spelled: `test.each(table).only` is test, then each and only. */
export interface Chain {
  root: string;
  members: readonly string[];
}

export function chainOf(callee: ts.Node, syntax: Syntax, steps = 32): Chain | undefined {
  const inner = unwrapped(callee);
  if (steps === 0) return undefined;
  const origin = originOf(inner, syntax);
  if (origin !== undefined) return chainFrom(origin.from, origin.name, origin.members);
  if (ts.isPropertyAccessExpression(inner)) {
    const chain = chainOf(inner.expression, syntax, steps - 1);
    return chain && { root: chain.root, members: [...chain.members, inner.name.text] };
  }
  if (ts.isCallExpression(inner)) return chainOf(inner.expression, syntax, steps - 1);
  if (ts.isTaggedTemplateExpression(inner)) return chainOf(inner.tag, syntax, steps - 1);
  if (!ts.isIdentifier(inner)) return undefined;
  for (const declaration of syntax.declarationsOf(inner)) {
    if (!ts.isVariableDeclaration(declaration) || declaration.initializer === undefined) continue;
    return chainOf(declaration.initializer, syntax, steps - 1);
  }
  return undefined;
}

function chainFrom(from: "global" | "module", name: string, members: readonly string[]): Chain | undefined {
  const [root, ...rest] = from === "global" ? [name, ...members] : members;
  return root !== undefined && ROOTS.includes(root) ? { root, members: rest } : undefined;
}

/** `test.each(table)` gives a way to declare tests, and declares none. */
export function isMaker(call: ts.CallExpression): boolean {
  const callee = unwrapped(call.expression);
  return ts.isPropertyAccessExpression(callee) && MAKERS.includes(callee.name.text);
}

export function spell({ root, members }: Chain): string {
  return [root, ...members].join(".");
}
