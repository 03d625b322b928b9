// What the code of an example must be: one that stands alone, calls the module, shows what it gave, and gives it again tomorrow.
import ts from "typescript6";
import { everyNode, lineOf, type Syntax } from "../static/syntax.ts";
import { comesFromModule } from "./example-flow.ts";
import type { CodeProblem, ExampleGround } from "./example-ground.ts";

export function ruleProblems(tree: ts.SourceFile, syntax: Syntax, ground: ExampleGround): CodeProblem[] {
  const last = tree.statements.at(-1);
  if (last === undefined || !ts.isExpressionStatement(last))
    return [at(last ?? tree, "it must end in an expression: its value is what is shown")];
  const own = ownImports(tree, ground);
  if (own.length === 0)
    return [at(tree, `it must import what it shows: import { … } from "#modules/${ground.module}";`)];
  const problems = [...everyNode(tree)].flatMap((node) => {
    const message = importProblem(node, ground) ?? nameProblem(node, syntax) ?? sharedProblem(node, syntax);
    return message === undefined ? [] : [at(node, message)];
  });
  if (problems.length > 0 || comesFromModule(tree, own)) return problems;
  return [at(last, "what is shown does not come from the module: end in what a call of it gave or changed")];
}

export function ownImports(tree: ts.SourceFile, { module }: ExampleGround): ts.ImportDeclaration[] {
  return tree.statements.filter(
    (statement): statement is ts.ImportDeclaration =>
      ts.isImportDeclaration(statement) && specifierOf(statement) === `#modules/${module}`,
  );
}

function specifierOf({ moduleSpecifier }: ts.ImportDeclaration): string {
  return ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : "";
}

function at(node: ts.Node, message: string): CodeProblem {
  return { line: lineOf(node), message };
}

/** Enough to show what a module leaves behind, and nothing by which a process could be left or looked into. */
const BUILT_IN = "buffer events fs fs/promises http net os path stream timers/promises url util"
  .split(" ")
  .map((name) => `node:${name}`);

function importProblem(node: ts.Node, { module, imports }: ExampleGround): string | undefined {
  if (ts.isExportDeclaration(node) || ts.isExportAssignment(node)) return "an example exports nothing";
  if (ts.isImportEqualsDeclaration(node) || (ts.isMetaProperty(node) && node.name.text === "meta"))
    return `write import { … } from "#modules/${module}";`;
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
    return "imports stand at the beginning";
  if (!ts.isImportDeclaration(node)) return undefined;
  const name = specifierOf(node);
  const isKnown = (known: string) => name === known || name.startsWith(`${known}/`);
  if (name === `#modules/${module}` || BUILT_IN.includes(name) || imports.some(isKnown)) return undefined;
  if (name.startsWith(".")) return `the code of a module is not readable: import from "#modules/${module}"`;
  return `"${name}" is neither this module, a dependency of its contract, nor one of ${BUILT_IN.join(", ")}`;
}

const REFUSED: Readonly<Record<string, string>> = {
  process: "an example uses no process: show a value",
  console: "an example prints nothing itself: end in the value, which is shown",
  globalThis: "an example leaves alone what all share",
  global: "an example leaves alone what all share",
  eval: "an example is plain code",
  Function: "an example is plain code",
  require: "write an import at the beginning",
  performance: "this depends on the clock (CLOCK): write a fixed time",
  crypto: "this depends on chance (RANDOM): write a fixed value",
};

function nameProblem(node: ts.Node, syntax: Syntax): string | undefined {
  if (!ts.isIdentifier(node) || !isUse(node) || !syntax.isGlobal(node)) return undefined;
  const { text, parent } = node;
  if (Object.hasOwn(REFUSED, text)) return REFUSED[text];
  const member = ts.isPropertyAccessExpression(parent) ? parent.name.text : "";
  const isClock =
    text === "Date" &&
    (member === "now" ||
      ts.isCallExpression(parent) ||
      (ts.isNewExpression(parent) && (parent.arguments ?? []).length === 0));
  if (isClock) return "this depends on the clock (CLOCK): write a fixed time, such as new Date(0)";
  return text === "Math" && member === "random"
    ? "this depends on chance (RANDOM): write a fixed value"
    : undefined;
}

/** Not the name of a member, of a key or of an import. */
function isUse(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent)) return parent.name !== node;
  return !ts.isImportSpecifier(parent) && !ts.isQualifiedName(parent);
}

function sharedProblem(node: ts.Node, syntax: Syntax): string | undefined {
  const isAssignment =
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
    node.operatorToken.kind <= ts.SyntaxKind.LastAssignment;
  if (!isAssignment) return undefined;
  let target: ts.Expression = node.left;
  while (ts.isPropertyAccessExpression(target) || ts.isElementAccessExpression(target))
    target = target.expression;
  const isShared = ts.isIdentifier(target) && syntax.isGlobal(target);
  return isShared ? `an example leaves ${target.getText()} as it is, since all share it` : undefined;
}
