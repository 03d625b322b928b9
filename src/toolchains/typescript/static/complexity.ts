// Counts the ways through each function, by the definition that linters use: one, plus one for each branch.
import ts from "typescript6";
import type { ComplexityEntry } from "../../../domain/evidence/static-finding.ts";
import { type CodeFile, everyNode, lineOf } from "./syntax.ts";

export function complexityOf({ path, tree }: CodeFile): ComplexityEntry[] {
  const counts = new Map<ts.Node, number>();
  for (const node of everyNode(tree)) {
    if (isUnit(node)) counts.set(node, counts.get(node) ?? 1);
    if (!branches(node)) continue;
    const unit = unitOf(node);
    counts.set(unit, (counts.get(unit) ?? 1) + 1);
  }
  return [...counts].map(([unit, complexity]) => ({
    function: nameOf(unit),
    file: path,
    line: lineOf(unit),
    complexity,
  }));
}

/** What has a complexity of its own: functions, and code of classes that runs like one. */
function isUnit(node: ts.Node): boolean {
  if (ts.isFunctionLike(node)) return "body" in node && node.body !== undefined;
  if (ts.isClassStaticBlockDeclaration(node)) return true;
  return ts.isPropertyDeclaration(node) && node.initializer !== undefined;
}

function unitOf(node: ts.Node): ts.Node {
  for (let child = node; ; child = child.parent) {
    const { parent } = child;
    if (ts.isSourceFile(parent)) return parent;
    if (!isUnit(parent)) continue;
    // A computed key of a class is evaluated outside of what it names.
    if ("name" in parent && parent.name === child) continue;
    return parent;
  }
}

const BRANCHES: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.IfStatement,
  ts.SyntaxKind.ConditionalExpression,
  ts.SyntaxKind.ForStatement,
  ts.SyntaxKind.ForInStatement,
  ts.SyntaxKind.ForOfStatement,
  ts.SyntaxKind.WhileStatement,
  ts.SyntaxKind.DoStatement,
  ts.SyntaxKind.CaseClause,
  ts.SyntaxKind.CatchClause,
]);

const BRANCHING_OPERATORS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
  ts.SyntaxKind.AmpersandAmpersandEqualsToken,
  ts.SyntaxKind.BarBarEqualsToken,
  ts.SyntaxKind.QuestionQuestionEqualsToken,
]);

function branches(node: ts.Node): boolean {
  if (BRANCHES.has(node.kind)) return true;
  if (ts.isBinaryExpression(node)) return BRANCHING_OPERATORS.has(node.operatorToken.kind);
  if (ts.isParameter(node) || ts.isBindingElement(node)) return node.initializer !== undefined;
  const isAccess =
    ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node) || ts.isCallExpression(node);
  return isAccess && node.questionDotToken !== undefined;
}

function nameOf(unit: ts.Node): string {
  if (ts.isSourceFile(unit)) return "(top level)";
  if (ts.isClassStaticBlockDeclaration(unit)) return `${classOf(unit)}.(static block)`;
  if (ts.isConstructorDeclaration(unit)) return `${classOf(unit)}.constructor`;
  const own = "name" in unit ? textOf(unit.name) : undefined;
  if (ts.isMethodDeclaration(unit) || ts.isAccessor(unit) || ts.isPropertyDeclaration(unit)) {
    const owner = ts.isClassLike(unit.parent) ? classOf(unit) : ownerOf(unit.parent);
    return [owner, own ?? "(computed)"].filter((part) => part !== undefined).join(".");
  }
  const isDefault = ts.isFunctionDeclaration(unit) ? "default" : undefined;
  return own ?? ownerOf(unit) ?? isDefault ?? "(anonymous)";
}

function classOf({ parent }: ts.Node): string {
  return (ts.isClassLike(parent) ? textOf(parent.name) : undefined) ?? ownerOf(parent) ?? "(class)";
}

/** The name of what a function or a class is assigned to. */
function ownerOf(node: ts.Node): string | undefined {
  let { parent } = node;
  while (parent !== undefined && (ts.isParenthesizedExpression(parent) || ts.isAsExpression(parent)))
    parent = parent.parent;
  if (parent === undefined) return undefined;
  if (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent))
    return textOf(parent.name);
  if (ts.isBinaryExpression(parent) && parent.right === node) return textOf(parent.left);
  return ts.isExportAssignment(parent) ? "default" : undefined;
}

function textOf(name: unknown): string | undefined {
  if (typeof name !== "object" || name === null || !("kind" in name)) return undefined;
  if (!("text" in name) || typeof name.text !== "string") return undefined;
  return name.text === "" ? undefined : name.text;
}
