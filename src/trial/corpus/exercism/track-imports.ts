// Where the code of a track imports from, and where it does as a module of Cupel: its own files, and no packages.
import { posix } from "node:path";
import ts from "typescript6";
import { instead, literalText, type TextEdit } from "./code-text.ts";
import { leaveOut } from "./left-out.ts";

/** By the path in the exercise's folder, without its ending. */
export type Homes = ReadonlyMap<string, string>;

export const GLOBALS = "@jest/globals";

export function withoutEnding(path: string): string {
  return posix.normalize(path).replace(/\.[cm]?[jt]s$/, "");
}

/** Edits that lead relative imports of a file to the new homes of what they mean; `from` and `at` are its old and new path. */
export function importEdits(tree: ts.SourceFile, from: string, at: string, homes: Homes): TextEdit[] {
  return tree.statements.flatMap((statement): TextEdit[] => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const { moduleSpecifier } = statement;
    const named = literalText(moduleSpecifier);
    if (moduleSpecifier === undefined || named === undefined || named === GLOBALS) return [];
    if (named.startsWith("node:")) return [];
    if (!named.startsWith(".")) return leaveOut(`${from} imports the package ${JSON.stringify(named)}`);
    const home = homes.get(withoutEnding(posix.join(posix.dirname(from), named)));
    if (home === undefined)
      return leaveOut(`${from} imports ${JSON.stringify(named)}, which no file here is`);
    const path = posix.relative(posix.dirname(at), home);
    return [instead(moduleSpecifier, JSON.stringify(path.startsWith(".") ? path : `./${path}`))];
  });
}
