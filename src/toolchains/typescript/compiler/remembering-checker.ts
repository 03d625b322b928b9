// A checker that asks the compiler's process each question once, and about the names of a file all at once: a question
// costs more on its way than in the compiler.
import { isIdentifier, type Node, type SourceFile } from "typescript/unstable/ast";
import type { Checker } from "typescript/unstable/sync";

/** `isOwn` says of which files all names are worth asking for together. The checker must be of one snapshot. */
export function rememberingChecker(checker: Checker, isOwn: (file: SourceFile) => boolean): Checker {
  const answers = new Map<string, Map<unknown, unknown>>();
  const asked = new Set<SourceFile>();
  const askForNames = (node: unknown, known: Map<unknown, unknown>): void => {
    const file = isNode(node) ? node.getSourceFile() : undefined;
    if (file === undefined || asked.has(file) || !isOwn(file)) return;
    asked.add(file);
    const names = namesIn(file);
    for (const [at, symbol] of checker.getSymbolAtLocation(names).entries()) known.set(names[at], symbol);
  };
  return new Proxy(checker, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function" || typeof name !== "string") return method;
      const ask = (...args: unknown[]): unknown => Reflect.apply(method, target, args);
      if (!REMEMBERED.includes(name)) return ask;
      return (...args: unknown[]): unknown => {
        const [about, ...plain] = args;
        if (Array.isArray(about)) return ask(...args);
        const key = JSON.stringify([name, ...plain]);
        const known = answers.get(key) ?? new Map<unknown, unknown>();
        answers.set(key, known);
        if (name === "getSymbolAtLocation" && !known.has(about)) askForNames(about, known);
        if (!known.has(about)) known.set(about, ask(...args));
        return known.get(about);
      };
    },
  });
}

/** About a node, a symbol or a type, each of which is one object in a snapshot, and at most one plain value more. */
const REMEMBERED = [
  "getSymbolAtLocation",
  "getTypeAtLocation",
  "getSignaturesOfType",
  "getResolvedSignature",
  "getTypeOfSymbol",
  "getAliasedSymbol",
];

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "getSourceFile" in value;
}

function namesIn(file: SourceFile): Node[] {
  const names: Node[] = [];
  const visit = (node: Node): void => {
    if (isIdentifier(node)) names.push(node);
    node.forEachChild(visit);
  };
  visit(file);
  return names;
}
