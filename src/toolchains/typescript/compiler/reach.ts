// What a piece of test code calls of the module: through helpers, aliases, callbacks and values made beforehand.
import {
  type CallExpression,
  isArrowFunction,
  isCallExpression,
  isClassLikeDeclaration,
  isConstructorDeclaration,
  isFunctionExpression,
  isFunctionLikeDeclaration,
  isIdentifier,
  isInterfaceDeclaration,
  isJsxOpeningElement,
  isJsxSelfClosingElement,
  isNewExpression,
  isObjectLiteralExpression,
  isPropertyAccessExpression,
  isPropertyDeclaration,
  isTaggedTemplateExpression,
  isTypeNode,
  isVariableDeclaration,
  type JsxOpeningElement,
  type JsxSelfClosingElement,
  type NewExpression,
  type Node,
} from "typescript/unstable/ast";
import { accessorsOf, calleesOf, calleesOfValue, isCalledBack, isMemberOfType } from "./calls.ts";
import { tabledValues } from "./tables.ts";
import { exportedDeclarations, memberName, type ModuleFunction } from "./declarations.ts";
import type { Program } from "./program.ts";
import { unwrapped } from "./syntax.ts";
import type { Bindings } from "./test-cases.ts";

export function reachOf(
  program: Program,
  functions: readonly ModuleFunction[],
): (code: Iterable<Node>, bindings: Bindings) => string[] {
  const byNode = new Map<Node, ModuleFunction>(functions.map((each) => [each.node, each]));
  return (code, bindings) => new Reach(program, byNode, bindings).through(code);
}

/**
 * Inside of the module only internal functions are followed: an exported one is a promise of its own, which a test
 * keeps only by calling it. Code counts as called wherever it stands, also where a condition is never true.
 */
class Reach {
  private readonly program: Program;
  private readonly byNode: ReadonlyMap<Node, ModuleFunction>;
  private readonly bindings: Bindings;
  private readonly names = new Set<string>();
  private readonly seen = new Set<Node>();
  private readonly entered = new Set<Node>();

  constructor(program: Program, byNode: ReadonlyMap<Node, ModuleFunction>, bindings: Bindings) {
    this.program = program;
    this.byNode = byNode;
    this.bindings = bindings;
  }

  through(code: Iterable<Node>): string[] {
    for (const node of code) this.visit(node, "test");
    return [...this.names].toSorted();
  }

  visit(node: Node, side: "test" | "module"): void {
    if (isTypeNode(node) || this.seen.has(node)) return;
    this.seen.add(node);
    if (isKept(node)) return;
    if (isCallExpression(node) || isNewExpression(node)) {
      for (const callee of calleesOf(this.program.checker, node)) this.call(callee, side);
      this.callBound(node.expression, side);
      this.handOver(node, side);
    } else if (isTaggedTemplateExpression(node)) {
      for (const callee of calleesOf(this.program.checker, node)) this.call(callee, side);
    } else if (isJsxTag(node)) {
      for (const callee of calleesOfValue(this.program.checker, node.tagName)) this.call(callee, side);
    } else if (isPropertyAccessExpression(node)) {
      for (const accessor of accessorsOf(this.program.checker, node)) this.call(accessor, side);
    } else if (isIdentifier(node)) this.value(node, side);
    node.forEachChild((child) => this.visit(child, side));
  }

  call(callee: Node, side: "test" | "module"): void {
    const file = callee.getSourceFile();
    if (this.program.pathOf(file) === undefined) return;
    if (!this.program.isSource(file)) return this.enter(callee, "test");
    if (isClassLikeDeclaration(callee)) return this.construct(callee, side);
    if (isMemberOfType(callee)) return this.typeMember(callee);
    this.export(callee, side);
    const known = this.byNode.get(callee);
    if (known === undefined) return this.enter(callee, "module");
    if (side === "module" && known.isPublic) return;
    this.names.add(known.name);
    this.enter(callee, "module");
  }

  construct(node: Node, side: "test" | "module"): void {
    if (!isClassLikeDeclaration(node) || this.seen.has(node)) return;
    this.seen.add(node);
    if (side === "test" && node.name !== undefined) this.names.add(node.name.text);
    this.export(node, side);
    for (const member of node.members) {
      if (isConstructorDeclaration(member) && member.body !== undefined) this.call(member, side);
      else if (isPropertyDeclaration(member) && member.initializer !== undefined)
        this.visit(member.initializer, "module");
    }
  }

  /** Callers may know it by another name than its own, such as `default`. */
  export(node: Node, side: "test" | "module"): void {
    const name = exportedDeclarations(this.program).get(node);
    if (side === "test" && name !== undefined) this.names.add(name);
  }

  typeMember(node: Node): void {
    const { parent } = node;
    if (isInterfaceDeclaration(parent)) this.names.add(`${parent.name.text}.${memberName(node) ?? ""}`);
  }

  enter(node: Node, side: "test" | "module"): void {
    if (isClassLikeDeclaration(node)) return node.forEachChild((child) => this.visit(child, side));
    if (!isFunctionLikeDeclaration(node) || this.entered.has(node)) return;
    this.entered.add(node);
    for (const parameter of node.parameters)
      if (parameter.initializer) this.visit(parameter.initializer, side);
    if (node.body !== undefined) this.visit(node.body, side);
  }

  /** A parameter of a helper that declares tests stands for what the helper was called with. */
  callBound(callee: Node, side: "test" | "module"): void {
    const bound = this.boundTo(callee);
    const given = bound === undefined ? tabledValues(this.program, callee) : [bound];
    for (const each of given.flatMap((value) => calleesOfValue(this.program.checker, value)))
      this.call(each, side);
  }

  boundTo(node: Node): Node | undefined {
    const inner = unwrapped(node);
    if (!isIdentifier(inner) || this.bindings.size === 0) return undefined;
    const declared = this.program.checker.getSymbolAtLocation(inner)?.declarations[0]?.resolve();
    return declared === undefined ? undefined : this.bindings.get(declared);
  }

  /** Functions that are handed over by name are called only where a function is wanted. */
  handOver(node: CallExpression | NewExpression, side: "test" | "module"): void {
    (node.arguments ?? []).forEach((argument, index) => {
      const inner = this.boundTo(argument) ?? unwrapped(argument);
      if (!isIdentifier(inner) && !isPropertyAccessExpression(inner)) return;
      if (!(isCalledBack(this.program.checker, node, index) || isExpectedToThrow(node))) return;
      for (const callee of calleesOfValue(this.program.checker, inner)) this.call(callee, side);
    });
  }

  /** What a test uses and somebody made before it: the making belongs to the test. */
  value(node: Node, side: "test" | "module"): void {
    if (side === "module") return;
    for (const handle of this.program.checker.getSymbolAtLocation(node)?.declarations ?? []) {
      const declared = handle.resolve();
      if (declared === undefined || !isVariableDeclaration(declared) || declared.initializer === undefined)
        continue;
      const file = declared.getSourceFile();
      if (this.program.pathOf(file) === undefined || this.program.isSource(file)) continue;
      if (!isFunctionLikeDeclaration(unwrapped(declared.initializer))) this.visit(declared.initializer, side);
    }
    const bound = this.boundTo(node);
    if (bound !== undefined && !isFunctionLikeDeclaration(unwrapped(bound))) this.visit(bound, side);
  }
}

function isJsxTag(node: Node): node is JsxOpeningElement | JsxSelfClosingElement {
  return isJsxOpeningElement(node) || isJsxSelfClosingElement(node);
}

/** Functions under a name of their own run when that name is called; others run where they stand. */
function isKept(node: Node): boolean {
  if (isArrowFunction(node) || isFunctionExpression(node)) return isVariableDeclaration(node.parent);
  return isFunctionLikeDeclaration(node) && !isObjectLiteralExpression(node.parent);
}

const THROWING = /^toThrow/;

/** `expect(f).toThrow()` calls `f`; `expect(f).toBeDefined()` does not. */
function isExpectedToThrow(call: Node): boolean {
  let at: Node = call;
  while (isPropertyAccessExpression(at.parent)) {
    at = at.parent;
    if (isPropertyAccessExpression(at) && THROWING.test(at.name.text)) return true;
  }
  return false;
}
