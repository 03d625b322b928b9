// What a test rests on beside its own code: the values and helpers of other tests' files that it names, wherever they stand, and
// what is done to them around it. Whoever changes those changes what the test asks for.
import {
  isCallExpression,
  isClassDeclaration,
  isExpressionStatement,
  isFunctionDeclaration,
  isIdentifier,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isVariableStatement,
  type Node,
} from "typescript/unstable/ast";
import { SymbolFlags } from "typescript/unstable/sync";
import { calleesOfValue } from "./calls.ts";
import type { Program } from "./program.ts";
import { ancestors, everyNode } from "./syntax.ts";

/** Each once, in the order in which it is come upon; code of the module itself is for the module to change. */
export function leansOn(program: Program, code: readonly Node[]): Node[] {
  const waiting = [...code, ...code.flatMap((node) => doneAround(program, node))];
  const found = new Set<Node>(waiting);
  for (let node = waiting.shift(); node !== undefined; node = waiting.shift())
    for (const declared of namedIn(program, node)) {
      if (found.has(declared) || ancestors(declared).some((each) => found.has(each))) continue;
      found.add(declared);
      waiting.push(declared);
      for (const done of doneAround(program, declared))
        if (!found.has(done)) {
          found.add(done);
          waiting.push(done);
        }
    }
  return [...found].filter((node) => !code.includes(node));
}

/** The statements that declare what is named there, where that is the tests' own. */
function namedIn(program: Program, node: Node): Node[] {
  return [...namesIn(node).values()].flatMap((name) => declaredBy(program, name));
}

function namesIn(node: Node): ReadonlyMap<string, Node> {
  const names = new Map<string, Node>();
  everyNode(node, (each) => {
    if (!isIdentifier(each) || names.has(each.text) || isKey(each)) return;
    names.set(each.text, each);
  });
  return names;
}

function isKey(name: Node): boolean {
  const { parent } = name;
  return (isPropertyAccessExpression(parent) || isPropertyAssignment(parent)) && parent.name === name;
}

function declaredBy(program: Program, name: Node): Node[] {
  const { checker } = program;
  const symbol = checker.getSymbolAtLocation(name);
  if (symbol === undefined) return [];
  const target = (symbol.flags & SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
  return target.declarations.flatMap((each) => {
    const declaration = each.resolve();
    if (declaration === undefined || !isOfTests(program, declaration)) return [];
    return statementOf(declaration) ?? [];
  });
}

function isOfTests(program: Program, node: Node): boolean {
  const file = node.getSourceFile();
  return program.pathOf(file) !== undefined && !program.isSource(file);
}

/** What a group or a test takes is a part of that. */
function statementOf(declaration: Node): Node | undefined {
  for (const node of [declaration, ...ancestors(declaration)]) {
    if (isVariableStatement(node) || isFunctionDeclaration(node) || isClassDeclaration(node)) return node;
    if (isCallExpression(node)) return undefined;
  }
  return undefined;
}

/** Beside what declares tests or groups of them, in every block around it: settings, and changes of what others read. */
function doneAround(program: Program, node: Node): Node[] {
  const around = [node, ...ancestors(node)];
  return around.flatMap((block) => {
    const done: Node[] = [];
    if (around.indexOf(block) > 0)
      block.forEachChild((child) => {
        if (
          isExpressionStatement(child) &&
          !around.includes(child) &&
          !isDeclaring(program, child.expression) &&
          !isForOthers(program, child, node)
        )
          done.push(child);
      });
    return done;
  });
}

/** What sets up a library that is not used here; the runner is used by everybody. */
function isForOthers({ checker }: Program, statement: Node, node: Node): boolean {
  const [one, ...more] = namesIn(statement).values();
  if (one === undefined || more.length > 0) return false;
  const name = one.getText();
  const symbol = checker.getSymbolAtLocation(one);
  const isImported = symbol !== undefined && (symbol.flags & SymbolFlags.Alias) !== 0;
  return isImported && name !== RUNNER && !namesIn(node).has(name);
}

const RUNNER = "vi";

const DECLARING = /^(?:test|it|describe|suite|before|after|beforeEach|beforeAll|afterEach|afterAll)\b/;

/** Also by a helper of the tests. */
function isDeclaring(program: Program, expression: Node): boolean {
  if (!isCallExpression(expression)) return false;
  if (DECLARING.test(expression.getText())) return true;
  return (
    isIdentifier(expression.expression) &&
    calleesOfValue(program.checker, expression.expression).some((callee) => isOfTests(program, callee))
  );
}
