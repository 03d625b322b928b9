// A value that can be imported and handed around, and throws the stub's error as soon as it is used.
import {
  isArrayBindingPattern,
  isExportAssignment,
  isObjectBindingPattern,
  isPropertyDeclaration,
  isVariableDeclaration,
  type Node,
} from "typescript/unstable/ast";
import { NodeBuilderFlags } from "typescript/unstable/sync";
import { STUB_MARK, stubMessage } from "../stub-mark.ts";
import type { Program } from "./program.ts";

const USES = ["get", "set", "has", "apply", "construct", "ownKeys"] as const;

export function stubValue(program: Program, node: Node, name: string): string {
  const isTyped = !/\.[cm]?jsx?$/.test(node.getSourceFile().fileName);
  const text = valueText(node, name);
  if (!isTyped) return text;
  const declares = isVariableDeclaration(node) || isPropertyDeclaration(node);
  if (declares && node.type !== undefined) return `${text} as never`;
  const value = declares ? (node.initializer ?? node) : valueOf(node);
  const type = program.checker.getTypeAtLocation(declares && !isPattern(node) ? node : value);
  const flags = NodeBuilderFlags.NoTruncation | NodeBuilderFlags.UseAliasDefinedOutsideCurrentScope;
  const spelled = type === undefined ? "never" : program.checker.typeToString(type, node, flags);
  return `${text} as unknown as (${spelled})`;
}

/** Whether a declaration has such a value already. */
export function isStubValue(node: Node): boolean {
  if (!isVariableDeclaration(node) && !isPropertyDeclaration(node) && !isExportAssignment(node)) return false;
  const value = isExportAssignment(node) ? node.expression : node.initializer;
  const text = value?.getText() ?? "";
  return /^\[?new Proxy\(/.test(text) && text.includes(`throw new Error("${STUB_MARK} `);
}

/** What is taken apart at once gets a stub for each part. */
function valueText(node: Node, name: string): string {
  const pattern = isVariableDeclaration(node) ? node.name : undefined;
  if (pattern !== undefined && isObjectBindingPattern(pattern))
    return `new Proxy({}, { get: () => ${throwing(name)} })`;
  if (pattern !== undefined && isArrayBindingPattern(pattern))
    return `[${pattern.elements.map(() => throwing(name)).join(", ")}]`;
  return throwing(name);
}

function throwing(name: string): string {
  const message = JSON.stringify(stubMessage(name.replaceAll(/\s+/g, " ")));
  const traps = USES.map((use) => `${use}() { throw new Error(${message}); }`);
  return `new Proxy(function () {}, { ${traps.join(", ")} })`;
}

function isPattern(node: Node): boolean {
  return (
    isVariableDeclaration(node) && (isObjectBindingPattern(node.name) || isArrayBindingPattern(node.name))
  );
}

function valueOf(node: Node): Node {
  let last = node;
  node.forEachChild((child) => {
    last = child;
  });
  return last;
}
