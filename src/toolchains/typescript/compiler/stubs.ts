// Turns every function of a module into a stub that throws, without changing anything that callers or the compiler can see.
import {
  isClassLikeDeclaration,
  isClassStaticBlockDeclaration,
  isExportAssignment,
  isExpressionStatement,
  isFunctionLikeDeclaration,
  isImportDeclaration,
  isPropertyDeclaration,
  isStringLiteral,
  isTypeNode,
  isVariableDeclaration,
  type Node,
  type PropertyDeclaration,
  type SourceFile,
  SyntaxKind,
  type VariableDeclaration,
} from "typescript/unstable/ast";
import type { Files } from "../../port.ts";
import { hasModifier, isStub, moduleFunctions } from "./declarations.ts";
import type { ModuleView } from "./module-view.ts";
import { runsAtImport } from "./import-time.ts";
import { type Program, withProgram } from "./program.ts";
import { type Change, stubbedFunction } from "./stub-function.ts";
import { isStubValue, stubValue } from "./stub-value.ts";
import { unwrapped } from "./syntax.ts";
import { type Throws, throwsOf } from "./throws.ts";

export function stubs(view: ModuleView): Files {
  return withProgram(view, (program) => {
    const throws = throwsOf(program);
    const named = new Map<Node, string>(moduleFunctions(program).map(({ node, name }) => [node, name]));
    const edits: Record<string, string> = {};
    for (const file of program.sources()) {
      const path = program.pathOf(file);
      if (path !== undefined) edits[path] = stubbedFile({ program, throws, named, file, changes: [] });
    }
    return edits;
  });
}

/** Whether there are functions and all of them are stubs. */
export function isStubbed(view: ModuleView): boolean {
  return withProgram(view, (program) => {
    const functions = moduleFunctions(program);
    return functions.length > 0 && functions.every((each) => each.isStub);
  });
}

interface Stubbing {
  program: Program;
  throws: Throws;
  named: ReadonlyMap<Node, string>;
  file: SourceFile;
  changes: Change[];
}

function stubbedFile(stubbing: Stubbing): string {
  const { file, changes, program } = stubbing;
  for (const statement of file.statements) {
    if (isImportDeclaration(statement) || isTypeNode(statement)) continue;
    if (isLoose(statement) && runsAtImport(program, statement)) {
      changes.push({ from: statement.getStart(), to: statement.end, text: ";" });
    } else visit(statement, stubbing, "module");
  }
  let text = file.text;
  for (const { from, to, text: put } of changes.toSorted((one, other) => other.from - one.from)) {
    text = text.slice(0, from) + put + text.slice(to);
  }
  return text;
}

/** A statement that only does something, as opposed to one that declares. */
function isLoose(statement: Node): boolean {
  if (isExpressionStatement(statement)) return !isStringLiteral(statement.expression);
  return LOOSE.has(statement.kind);
}

const LOOSE = new Set([
  SyntaxKind.IfStatement,
  SyntaxKind.ForStatement,
  SyntaxKind.ForOfStatement,
  SyntaxKind.ForInStatement,
  SyntaxKind.WhileStatement,
  SyntaxKind.DoStatement,
  SyntaxKind.TryStatement,
  SyntaxKind.SwitchStatement,
  SyntaxKind.Block,
]);

function visit(node: Node, stubbing: Stubbing, name: string): void {
  const { changes, program, throws, named } = stubbing;
  if (isTypeNode(node) || isStubValue(node)) return;
  if (isFunctionLikeDeclaration(node)) {
    if (node.body !== undefined && !isStub(node))
      changes.push(...stubbedFunction(program, node, named.get(node) ?? name, throws.ofFunction(node)));
    return;
  }
  if (isClassStaticBlockDeclaration(node)) {
    if (runsAtImport(program, node.body))
      changes.push({ from: node.body.getStart(), to: node.body.end, text: "{}" });
    return;
  }
  if (isValueAtImport(node)) return visitValue(node, stubbing, name);
  if (isExportAssignment(node) && runsAtImport(program, node.expression, true)) {
    const text = stubValue(program, node, "default");
    changes.push({ from: node.expression.getStart(), to: node.expression.end, text });
    return;
  }
  const inner = isClassLikeDeclaration(node) ? (node.name?.text ?? name) : name;
  node.forEachChild((child) => visit(child, stubbing, inner));
}

function visitValue(node: VariableDeclaration | PropertyDeclaration, stubbing: Stubbing, name: string): void {
  const { initializer } = node;
  if (initializer === undefined) return;
  const own = `${name === "module" ? "" : `${name}.`}${node.name.getText()}`;
  if (!runsAtImport(stubbing.program, initializer, true)) return visit(initializer, stubbing, own);
  const text = stubValue(stubbing.program, node, own);
  stubbing.changes.push({ from: initializer.getStart(), to: initializer.end, text });
}

/** Fields of an object are made when the object is, by what are stubs then; static ones and variables at once. */
function isValueAtImport(node: Node): node is VariableDeclaration | PropertyDeclaration {
  if (isVariableDeclaration(node)) return true;
  return isPropertyDeclaration(node) && hasModifier(node, SyntaxKind.StaticKeyword) && !isFunctionField(node);
}

function isFunctionField(node: Node): boolean {
  return (
    isPropertyDeclaration(node) &&
    node.initializer !== undefined &&
    isFunctionLikeDeclaration(unwrapped(node.initializer))
  );
}
