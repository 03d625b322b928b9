// Tells whether a module may remember something from one call to the next outside of its instances: then what one
// export does can show in another.
import ts from "typescript6";

export function mayRemember(sources: readonly ts.SourceFile[]): boolean {
  return sources.some((file) => {
    const kept = new Set<string>();
    for (const statement of file.statements) {
      if (!ts.isVariableStatement(statement)) continue;
      const { declarationList } = statement;
      if ((declarationList.flags & ts.NodeFlags.Const) === 0) return true;
      for (const { name, initializer } of declarationList.declarations) {
        if (initializer !== undefined && beginsEmpty(initializer)) return true;
        if (ts.isIdentifier(name)) kept.add(name.text);
      }
    }
    return changesOneOf(file, kept);
  });
}

/** What begins with nothing in it is there to be filled; what a function made, nobody knows. */
function beginsEmpty(node: ts.Expression): boolean {
  if (ts.isArrayLiteralExpression(node)) return node.elements.length === 0;
  if (ts.isObjectLiteralExpression(node)) return node.properties.length === 0;
  if (ts.isCallExpression(node)) return ts.isIdentifier(node.expression);
  if (ts.isNewExpression(node)) {
    const isTable = ts.isIdentifier(node.expression) && TABLES.has(node.expression.text);
    return !isTable || (node.arguments ?? []).length === 0;
  }
  return (ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) && beginsEmpty(node.expression);
}

const TABLES = new Set(["Map", "Set", "RegExp", "Date", "Array", "Error", "Intl"]);
const CHANGING = new Set(
  "push pop shift unshift splice sort reverse fill copyWithin set add delete clear".split(" "),
);

function changesOneOf(node: ts.Node, kept: ReadonlySet<string>): boolean {
  const target = changed(node);
  if (target !== undefined && kept.has(rootOf(target))) return true;
  return ts.forEachChild(node, (child) => changesOneOf(child, kept) || undefined) ?? false;
}

function changed(node: ts.Node): ts.Expression | undefined {
  if (ts.isBinaryExpression(node)) {
    const { kind } = node.operatorToken;
    const isAssignment = kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
    return isAssignment ? node.left : undefined;
  }
  if (ts.isDeleteExpression(node)) return node.expression;
  if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) {
    const isStep =
      node.operator === ts.SyntaxKind.PlusPlusToken || node.operator === ts.SyntaxKind.MinusMinusToken;
    return isStep ? node.operand : undefined;
  }
  if (!ts.isCallExpression(node)) return undefined;
  const { expression: callee } = node;
  if (!ts.isPropertyAccessExpression(callee)) return undefined;
  if (CHANGING.has(callee.name.text)) return callee.expression;
  const isAssign = callee.getText() === "Object.assign";
  return isAssign ? node.arguments[0] : undefined;
}

function rootOf(node: ts.Expression): string {
  if (
    ts.isPropertyAccessExpression(node) ||
    ts.isElementAccessExpression(node) ||
    ts.isNonNullExpression(node)
  )
    return rootOf(node.expression);
  if (ts.isCallExpression(node)) return rootOf(node.expression);
  return ts.isIdentifier(node) ? node.text : "";
}
