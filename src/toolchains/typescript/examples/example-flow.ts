// Whether what an example shows comes out of the module: followed through the names that its statements share.
import ts from "typescript6";
import { everyNode } from "../static/syntax.ts";

/** A value is of the module when its expression names something that a statement with a call of the module has touched. */
export function comesFromModule(tree: ts.SourceFile, own: readonly ts.ImportDeclaration[]): boolean {
  const called = new Set(
    own.flatMap(({ importClause }) => (importClause === undefined ? [] : namesIn(importClause))),
  );
  const touched = new Set(called);
  const statements = tree.statements.filter((statement) => !ts.isImportDeclaration(statement));
  const last = statements.at(-1);
  if (last === undefined || !ts.isExpressionStatement(last)) return false;
  const names = new Map(statements.map((statement) => [statement, namesIn(statement)]));
  const texts = new Map(statements.map((statement) => [statement, textsIn(statement)]));
  for (let size = -1; size !== touched.size;) {
    size = touched.size;
    for (const statement of statements.slice(0, -1)) {
      const within = [...(names.get(statement) ?? []), ...(texts.get(statement) ?? [])];
      if (within.some((name) => touched.has(name))) for (const name of within) touched.add(name);
    }
  }
  // A file, say, is known to both sides by its path alone.
  return shownBy(last.expression).some((part) =>
    [...namesIn(part), ...textsIn(part)].some((name) => touched.has(name)),
  );
}

/** What an expression can come to; a question that only chooses between values gives none of them. */
function shownBy(expression: ts.Expression): ts.Expression[] {
  if (ts.isParenthesizedExpression(expression)) return shownBy(expression.expression);
  if (ts.isConditionalExpression(expression))
    return [...shownBy(expression.whenTrue), ...shownBy(expression.whenFalse)];
  if (!ts.isBinaryExpression(expression)) return [expression];
  switch (expression.operatorToken.kind) {
    case ts.SyntaxKind.CommaToken:
    case ts.SyntaxKind.AmpersandAmpersandToken:
      return shownBy(expression.right);
    case ts.SyntaxKind.BarBarToken:
    case ts.SyntaxKind.QuestionQuestionToken:
      return shownBy(expression.left);
    default:
      return [expression];
  }
}

function namesIn(node: ts.Node): string[] {
  return [...everyNode(node)].flatMap((each) =>
    ts.isIdentifier(each) && !isMember(each) ? [each.text] : [],
  );
}

function isMember(node: ts.Identifier): boolean {
  const { parent } = node;
  return (
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    (ts.isPropertyAssignment(parent) && parent.name === node)
  );
}

/** Longer than a word that two places could share by chance. */
const LEAST_TEXT = 4;

function textsIn(node: ts.Node): string[] {
  return [...everyNode(node)].flatMap((each) =>
    ts.isStringLiteralLike(each) && each.text.length >= LEAST_TEXT ? [`"${each.text}`] : [],
  );
}
