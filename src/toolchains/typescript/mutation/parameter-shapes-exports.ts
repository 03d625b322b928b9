// Finds the code that a source file exports, under whatever name.
import ts from "typescript6";

type Code = ts.FunctionDeclaration | ts.ArrowFunction | ts.FunctionExpression | ts.ClassDeclaration;

export interface Export {
  /** As the file calls it. */
  name: string;
  /** As callers call it. */
  key: string;
  node: ts.Node;
  /** Without it something runs, but not by a plain call. */
  code?: Code;
}

export function exportsOf(file: ts.SourceFile): Export[] {
  const keys = exportedLater(file);
  return file.statements.flatMap((statement): Export[] => {
    if (ts.isExportAssignment(statement) && !ts.isIdentifier(statement.expression))
      return [{ name: "default", key: "default", node: statement }];
    const isHere = has(statement, ts.SyntaxKind.ExportKeyword);
    const isDefault = has(statement, ts.SyntaxKind.DefaultKeyword);
    return codeIn(statement).flatMap(({ name, ...code }) => {
      const key = isHere ? (isDefault ? "default" : name) : keys.get(name);
      return key === undefined ? [] : [{ name, key, ...code }];
    });
  });
}

/** By `export { … }` and `export default …`. */
function exportedLater(file: ts.SourceFile): Map<string, string> {
  const keys = new Map<string, string>();
  for (const statement of file.statements) {
    if (ts.isExportAssignment(statement) && ts.isIdentifier(statement.expression))
      keys.set(statement.expression.text, "default");
    if (!ts.isExportDeclaration(statement) || statement.moduleSpecifier !== undefined) continue;
    if (statement.exportClause === undefined || !ts.isNamedExports(statement.exportClause)) continue;
    for (const { name, propertyName } of statement.exportClause.elements)
      keys.set((propertyName ?? name).text, name.text);
  }
  return keys;
}

function codeIn(statement: ts.Statement): Omit<Export, "key">[] {
  if (ts.isFunctionDeclaration(statement)) {
    if (statement.body === undefined) return [];
    return [{ name: statement.name?.text ?? "default", node: statement, code: statement }];
  }
  if (ts.isClassDeclaration(statement))
    return [{ name: statement.name?.text ?? "default", node: statement, code: statement }];
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap((node): Omit<Export, "key">[] => {
    const { name, initializer } = node;
    if (initializer === undefined || !ts.isIdentifier(name)) return [];
    if (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer))
      return [{ name: name.text, node, code: initializer }];
    return ts.isLiteralExpression(initializer) ? [] : [{ name: name.text, node }];
  });
}

function has(statement: ts.Statement, kind: ts.SyntaxKind): boolean {
  return (
    ts.canHaveModifiers(statement) && (ts.getModifiers(statement) ?? []).some((each) => each.kind === kind)
  );
}
