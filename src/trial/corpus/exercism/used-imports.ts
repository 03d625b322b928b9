// What test files of a track import: names of the solution, and lines for everything else.
import { posix } from "node:path";
import ts from "typescript6";
import { literalText } from "./code-text.ts";
import { leaveOut } from "./left-out.ts";

export interface UsedImports {
  /** Names that the solution must have; types are none of them. */
  solution: string[];
  /** One line for each. */
  others: string[];
}

export function importsOf(trees: readonly ts.SourceFile[], entry: string): UsedImports {
  const found = trees.flatMap((tree) =>
    tree.statements.flatMap((statement) => {
      const from = ts.isImportDeclaration(statement) ? (literalText(statement.moduleSpecifier) ?? "") : "";
      if (!ts.isImportDeclaration(statement) || from === "vitest") return [];
      return [{ from, path: posix.join(posix.dirname(tree.fileName), from), names: namedIn(statement) }];
    }),
  );
  const isSolution = ({ path }: { path: string }) => path === entry;
  const stray = found.find((each) => each.from.startsWith(".") && !isSolution(each));
  if (stray !== undefined) leaveOut(`its tests import ${stray.from} beside the entry`);
  const names = found.filter(isSolution).flatMap((each) => each.names);
  return {
    solution: [...new Set(names.filter((name) => !name.startsWith("type ")))],
    others: [
      ...new Set(
        found
          .filter((each) => !isSolution(each))
          .map(({ names: own, from }) => `import { ${own.join(", ")} } from ${JSON.stringify(from)};`),
      ),
    ],
  };
}

/** Types with the word before their name. */
function namedIn({ importClause }: ts.ImportDeclaration): string[] {
  const bindings = importClause?.namedBindings;
  if (importClause?.name !== undefined || bindings === undefined || !ts.isNamedImports(bindings))
    return leaveOut("its tests import a default or a whole module, which an entry point cannot be");
  return bindings.elements.map(({ name, propertyName, isTypeOnly }) => {
    if (propertyName !== undefined)
      return leaveOut(`its tests call ${propertyName.getText()} by another name`);
    return importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword || isTypeOnly
      ? `type ${name.text}`
      : name.text;
  });
}
