// Reads the literal settings of a vitest configuration from its text; anything computed is answered with undefined.
import ts from "typescript6";

/** The keys of `test`; undefined when the file is not `export default defineConfig({ test: { … } })` or the like. */
export function settingsOf(name: string, text: string): ReadonlyMap<string, unknown> | undefined {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  let config: ts.Expression | undefined;
  for (const statement of file.statements) {
    if (ts.isImportDeclaration(statement)) continue;
    if (!ts.isExportAssignment(statement) || config !== undefined) return undefined;
    config = statement.expression;
  }
  const object = config === undefined ? undefined : unwrapped(config);
  if (object === undefined) return undefined;
  const settings = new Map<string, unknown>();
  for (const property of object.properties) {
    const key = keyOf(property);
    if (key !== "test" || !ts.isPropertyAssignment(property)) return undefined;
    const test = unwrapped(property.initializer);
    if (test === undefined) return undefined;
    for (const inner of test.properties) {
      const innerKey = keyOf(inner);
      if (innerKey === undefined || !ts.isPropertyAssignment(inner)) return undefined;
      settings.set(innerKey, valueOf(inner.initializer));
    }
  }
  return settings;
}

function unwrapped(expression: ts.Expression): ts.ObjectLiteralExpression | undefined {
  if (ts.isObjectLiteralExpression(expression)) return expression;
  if (
    ts.isParenthesizedExpression(expression) ||
    ts.isSatisfiesExpression(expression) ||
    ts.isAsExpression(expression)
  )
    return unwrapped(expression.expression);
  const [argument] = ts.isCallExpression(expression) ? expression.arguments : [];
  const isDefine =
    ts.isCallExpression(expression) &&
    ts.isIdentifier(expression.expression) &&
    expression.expression.text === "defineConfig";
  return isDefine && argument !== undefined ? unwrapped(argument) : undefined;
}

function keyOf(property: ts.ObjectLiteralElementLike): string | undefined {
  const { name } = property;
  return name !== undefined && (ts.isIdentifier(name) || ts.isStringLiteral(name)) ? name.text : undefined;
}

/** Undefined for anything that is not a literal. */
function valueOf(expression: ts.Expression): unknown {
  if (ts.isStringLiteralLike(expression)) return expression.text;
  if (ts.isNumericLiteral(expression)) return Number(expression.text.replaceAll("_", ""));
  if (expression.kind === ts.SyntaxKind.TrueKeyword) return true;
  if (expression.kind === ts.SyntaxKind.FalseKeyword) return false;
  if (ts.isArrayLiteralExpression(expression)) return expression.elements.map((element) => valueOf(element));
  return undefined;
}
