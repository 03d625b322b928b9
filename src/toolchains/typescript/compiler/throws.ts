// Which classes of errors can leave a function, through everything it calls in the module.
import {
  type CallExpression,
  type ClassLikeDeclaration,
  type FunctionLikeDeclaration,
  isArrowFunction,
  isAwaitExpression,
  isCallExpression,
  isClassLikeDeclaration,
  isConstructorDeclaration,
  isExportAssignment,
  isFunctionExpression,
  isFunctionLikeDeclaration,
  isIdentifier,
  isNewExpression,
  isObjectLiteralExpression,
  isPropertyDeclaration,
  isTaggedTemplateExpression,
  isThrowStatement,
  isTryStatement,
  isTypeNode,
  isVariableDeclaration,
  type NewExpression,
  type Node,
  SyntaxKind,
  type TaggedTemplateExpression,
  type ThrowStatement,
  type TryStatement,
} from "typescript/unstable/ast";
import { type Checker, type Symbol as TypeSymbol, type Type, TypeFlags } from "typescript/unstable/sync";
import { nodesBeyondTypes } from "./beyond-types.ts";
import { accessorsOf, calleesOf } from "./calls.ts";
import { hasModifier, isHidden, isStub } from "./declarations.ts";
import type { Program } from "./program.ts";
import { takesNothing } from "./refusals.ts";
import { unwrapped } from "./syntax.ts";

export interface Throws {
  /** Sorted names of classes; `unknown` for values whose class cannot be told. */
  ofSymbol(symbol: TypeSymbol): string[];
  ofFunction(node: FunctionLikeDeclaration): string[];
}

/** What a stub will throw once it is written, as a comment in its body says. */
export const WILL_THROW = /\/\/ throws: (.+)$/m;

export function throwsOf(program: Program): Throws {
  const finder = new ThrowFinder(program);
  return {
    ofFunction: (node) => finder.settled(() => [...finder.ofFunction(node)]),
    ofSymbol: (symbol) =>
      finder.settled(() => symbol.declarations.flatMap((each) => finder.ofDeclaration(each.resolve()))),
  };
}

class ThrowFinder {
  private readonly program: Program;
  private readonly checker: Checker;
  /** What is known so far; grows until nothing new is found, since functions can call each other in circles. */
  private readonly known = new Map<Node, Set<string>>();
  private readonly beyond = new Map<Node, ReturnType<typeof nodesBeyondTypes>>();
  private looked = new Set<Node>();
  private grown = false;
  /** The catch clauses around, with what their try blocks can throw. */
  private readonly rethrown: { caught: string | undefined; tried: ReadonlySet<string> }[] = [];

  constructor(program: Program) {
    this.program = program;
    this.checker = program.checker;
  }

  settled(ask: () => string[]): string[] {
    for (;;) {
      this.looked = new Set();
      this.grown = false;
      const found = ask();
      if (!this.grown) return [...new Set(found)].toSorted();
    }
  }

  remembered(node: Node, look: (found: Set<string>) => void): ReadonlySet<string> {
    const found = this.known.get(node) ?? new Set<string>();
    this.known.set(node, found);
    if (this.looked.has(node)) return found;
    this.looked.add(node);
    const before = found.size;
    look(found);
    if (found.size > before) this.grown = true;
    return found;
  }

  ofFunction(node: FunctionLikeDeclaration): ReadonlySet<string> {
    return this.remembered(node, (found) => {
      if (takesNothing(node)) return;
      if (isStub(node)) addAll(found, promised(node));
      else
        for (const part of [...node.parameters, ...(node.body === undefined ? [] : [node.body])])
          this.visit(part, found);
      if (isConstructorDeclaration(node)) this.visitFields(node.parent, found);
    });
  }

  visit(node: Node, found: Set<string>): void {
    if (isTypeNode(node) || isClassLikeDeclaration(node)) return;
    if (isFunctionLikeDeclaration(node)) {
      if (!isHandedOver(node)) return;
      if (isStub(node)) return addAll(found, promised(node));
    }
    if (isTryStatement(node)) return this.visitTry(node, found);
    if (isThrowStatement(node)) addAll(found, this.thrownBy(node));
    if (isCallExpression(node) || isNewExpression(node) || isTaggedTemplateExpression(node))
      this.visitCall(node, found);
    for (const accessor of accessorsOf(this.checker, node))
      if (this.isOwn(accessor)) addAll(found, this.ofFunction(accessor));
    node.forEachChild((child) => this.visit(child, found));
  }

  thrownBy(node: ThrowStatement): string[] {
    return this.isBeyondTypes(node) ? [] : this.classesOf(node.expression);
  }

  isBeyondTypes(node: Node): boolean {
    const source = node.getSourceFile();
    const known = this.beyond.get(source) ?? nodesBeyondTypes(this.program, source);
    this.beyond.set(source, known);
    return known.some(({ start, end }) => start <= node.getStart(source) && node.end <= end);
  }

  visitCall(node: CallExpression | NewExpression | TaggedTemplateExpression, found: Set<string>): void {
    for (const callee of calleesOf(this.checker, node)) addAll(found, this.ofCallee(callee));
    if (!isCallExpression(node) || node.expression.getText() !== "Promise.reject") return;
    for (const each of node.arguments) addAll(found, this.classesOf(each));
  }

  visitTry({ tryBlock, catchClause, finallyBlock }: TryStatement, found: Set<string>): void {
    const tried = new Set<string>();
    this.visit(tryBlock, tried);
    if (catchClause === undefined) addAll(found, tried);
    else {
      const name = catchClause.variableDeclaration?.name;
      const caught = name !== undefined && isIdentifier(name) ? name.text : undefined;
      const inside = new Set<string>();
      this.rethrown.push({ caught, tried });
      this.visit(catchClause.block, inside);
      this.rethrown.pop();
      addAll(found, inside);
    }
    if (finallyBlock !== undefined) this.visit(finallyBlock, found);
  }

  classesOf(thrown: Node): string[] {
    const value = unwrapped(isAwaitExpression(thrown) ? thrown.expression : thrown);
    const type = this.checker.getTypeAtLocation(value);
    const names = type === undefined ? ["unknown"] : classNames(type);
    const again = isIdentifier(value)
      ? this.rethrown.findLast(({ caught }) => caught === value.text)
      : undefined;
    // The compiler knows no class of what is caught; the calls in the try block tell which there can be.
    return again !== undefined && names.includes("unknown") ? [...again.tried] : names;
  }

  ofCallee(callee: Node): ReadonlySet<string> {
    if (!this.isOwn(callee)) return new Set();
    if (isClassLikeDeclaration(callee)) return this.ofConstruction(callee);
    return isFunctionLikeDeclaration(callee) ? this.ofFunction(callee) : new Set();
  }

  ofConstruction(node: ClassLikeDeclaration): ReadonlySet<string> {
    const own = node.members.find((each) => isConstructorDeclaration(each) && each.body !== undefined);
    if (own !== undefined && isConstructorDeclaration(own)) return this.ofFunction(own);
    return this.remembered(node, (found) => this.visitFields(node, found));
  }

  visitFields(node: Node, found: Set<string>): void {
    if (!isClassLikeDeclaration(node)) return;
    for (const member of node.members) {
      if (!isPropertyDeclaration(member) || member.initializer === undefined) continue;
      if (!hasModifier(member, SyntaxKind.StaticKeyword)) this.visit(member.initializer, found);
    }
  }

  ofClass(node: ClassLikeDeclaration): Set<string> {
    const found = new Set(this.ofConstruction(node));
    for (const member of node.members) {
      if (isHidden(member)) continue;
      if (isFunctionLikeDeclaration(member)) addAll(found, this.ofFunction(member));
      else if (isPropertyDeclaration(member) && member.initializer !== undefined) {
        const value = unwrapped(member.initializer);
        if (isArrowFunction(value) || isFunctionExpression(value)) addAll(found, this.ofFunction(value));
      }
    }
    return found;
  }

  isOwn(node: Node): boolean {
    return this.program.isSource(node.getSourceFile());
  }

  ofDeclaration(node: Node | undefined): string[] {
    if (node === undefined) return [];
    if (isClassLikeDeclaration(node)) return [...this.ofClass(node)];
    if (isFunctionLikeDeclaration(node)) return [...this.ofFunction(node)];
    if (isVariableDeclaration(node))
      return node.initializer === undefined ? [] : this.ofValue(node.initializer);
    return isExportAssignment(node) ? this.ofValue(node.expression) : [];
  }

  /** A function, or one that is made of others by a call, or an object of functions. */
  ofValue(value: Node): string[] {
    const found = new Set<string>();
    const inner = unwrapped(value);
    if (isFunctionLikeDeclaration(inner)) addAll(found, this.ofFunction(inner));
    else {
      inner.forEachChild((child) => {
        const given = unwrapped(child);
        if (isFunctionLikeDeclaration(given)) addAll(found, this.ofFunction(given));
        else if (given.kind === SyntaxKind.PropertyAssignment)
          given.forEachChild((each) => addAll(found, this.ofValue(each)));
      });
      if (isIdentifier(inner))
        for (const callee of this.calleesOfIdentifier(inner)) addAll(found, this.ofCallee(callee));
    }
    return [...found];
  }

  calleesOfIdentifier(node: Node): Node[] {
    const symbol = this.checker.getSymbolAtLocation(node);
    return symbol?.declarations.flatMap((each) => each.resolve() ?? []) ?? [];
  }
}

function promised(node: FunctionLikeDeclaration): string[] {
  return WILL_THROW.exec(node.body?.getFullText() ?? "")?.[1]?.split(", ") ?? [];
}

/** Functions that are kept under a name run only when that name is called; all others are handed over to be run, or given back. */
function isHandedOver(node: FunctionLikeDeclaration): boolean {
  if (!isArrowFunction(node) && !isFunctionExpression(node)) return isObjectLiteralExpression(node.parent);
  return !isVariableDeclaration(node.parent) && !isPropertyDeclaration(node.parent);
}

function classNames(type: Type): string[] {
  if (type.isUnionType()) return type.getTypes().flatMap((each) => classNames(each));
  if (type.isIntersectionType())
    return type
      .getTypes()
      .slice(0, 1)
      .flatMap((each) => classNames(each));
  if ((type.flags & TypeFlags.Never) !== 0) return [];
  const name = type.isObjectType() ? type.getSymbol()?.name : undefined;
  return [name === undefined || name.startsWith("__") ? "unknown" : name];
}

function addAll(to: Set<string>, from: Iterable<string>): void {
  for (const each of from) to.add(each);
}
