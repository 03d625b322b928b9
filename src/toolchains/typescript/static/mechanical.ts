// Whether a change of code only follows what others changed: imports, renamed symbols and types, and not one step of what it
// does. Compared by syntax: everything that runs must be the same, token by token.
import ts from "typescript6";
import type { Files, Place } from "../../port.ts";
import { lineOf } from "./syntax.ts";

export interface Follows {
  /** What was renamed elsewhere: old name → new name. Nothing else may be called by another name. */
  renamed: Readonly<Record<string, string>>;
}

/** Why a change is more than mechanical, place by place; nothing where it is not. */
export function beyondMechanical(before: Files, after: Files, follows: Follows): Place[] {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
  return paths.flatMap((path): Place[] => {
    const was = before[path];
    const is = after[path];
    if (was === is) return [];
    if (was === undefined || is === undefined)
      return [{ file: path, line: 1, message: is === undefined ? "the file is gone" : "the file is new" }];
    return fileProblems(path, parsed(path, was), parsed(path, is), follows);
  });
}

function parsed(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
}

function fileProblems(path: string, was: ts.SourceFile, is: ts.SourceFile, { renamed }: Follows): Place[] {
  const told = new Map(Object.entries(renamed));
  const imported = importProblem(was, is, told);
  if (imported !== undefined) return [{ file: path, ...imported }];
  const old = [...runningTokens(was)];
  const fresh = [...runningTokens(is)];
  for (const [index, token] of fresh.entries()) {
    const before = old[index];
    if (before === undefined || !isSame(before, token, told))
      return [{ file: path, line: lineOf(token.node), message: differs(before, token) }];
  }
  const missing = old[fresh.length];
  return missing === undefined
    ? []
    : [
        {
          file: path,
          line: is.getLineAndCharacterOfPosition(is.end).line + 1,
          message: `"${missing.text}" is gone`,
        },
      ];
}

interface Token {
  text: string;
  isName: boolean;
  node: ts.Node;
}

function isSame(before: Token, after: Token, renamed: ReadonlyMap<string, string>): boolean {
  if (before.text === after.text) return true;
  return before.isName && after.isName && renamed.get(before.text) === after.text;
}

function differs(before: Token | undefined, after: Token): string {
  return before === undefined ? `"${after.text}" is new` : `"${before.text}" has become "${after.text}"`;
}

/** What takes part when the file runs: without imports, types and comments. */
function* runningTokens(tree: ts.SourceFile): Generator<Token> {
  const waiting: ts.Node[] = [tree];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (ts.isImportDeclaration(node) || isOnlyType(node) || ts.isJSDoc(node)) continue;
    const children = node.getChildren(tree);
    if (children.length === 0) {
      const text = node.getText(tree);
      if (text !== "") yield { text, isName: ts.isIdentifier(node), node };
      continue;
    }
    for (const child of runningChildren(node, children).toReversed()) waiting.push(child);
  }
}

function isOnlyType(node: ts.Node): boolean {
  return (
    (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isTypeParameterDeclaration(node)
  );
}

/** Marks that only stand before a type go with it. */
function runningChildren(node: ts.Node, children: readonly ts.Node[]): ts.Node[] {
  return children.filter((child, index) => {
    const next = children[index + 1];
    const beforeType = next !== undefined && isOnlyType(next);
    if (child.kind === ts.SyntaxKind.ColonToken && beforeType) return false;
    if (child.kind === ts.SyntaxKind.AsKeyword || child.kind === ts.SyntaxKind.SatisfiesKeyword)
      return !beforeType;
    return !isTypeArgumentPart(node, child);
  });
}

/** `<A, B>` of a call or a declaration, where it is all about types. */
function isTypeArgumentPart(node: ts.Node, child: ts.Node): boolean {
  const isBracket =
    child.kind === ts.SyntaxKind.LessThanToken || child.kind === ts.SyntaxKind.GreaterThanToken;
  if (isBracket) return !ts.isBinaryExpression(node) && !ts.isJsxOpeningLikeElement(node);
  const parts = child.kind === ts.SyntaxKind.SyntaxList ? child.getChildren() : [];
  return (
    parts.some(isOnlyType) &&
    parts.every((part) => part.kind === ts.SyntaxKind.CommaToken || isOnlyType(part))
  );
}

/** Each name comes from where it came from, under the name it had there or the one that it has now. */
function importProblem(
  was: ts.SourceFile,
  is: ts.SourceFile,
  renamed: ReadonlyMap<string, string>,
): Omit<Place, "file"> | undefined {
  const before = new Set(importsOf(was).map(({ key }) => key));
  for (const { local, name, from, key, node } of importsOf(is)) {
    if (before.has(key)) continue;
    const follows = [...renamed].some(
      ([old, now]) =>
        now === name &&
        [`${from}\n${old}\n${old}`, `${from}\n${old}\n${local}`].some((each) => before.has(each)),
    );
    if (!follows) return { line: lineOf(node), message: `${name} of ${from} was not imported before` };
  }
  return undefined;
}

interface Imported {
  from: string;
  name: string;
  local: string;
  key: string;
  node: ts.Node;
}

function importsOf(tree: ts.SourceFile): Imported[] {
  return tree.statements.filter(ts.isImportDeclaration).flatMap((declaration) => {
    const from = declaration.moduleSpecifier.getText(tree);
    const { importClause } = declaration;
    const one = (name: string, local: string, node: ts.Node): Imported => ({
      from,
      name,
      local,
      key: `${from}\n${name}\n${local}`,
      node,
    });
    if (importClause === undefined) return [one("", "", declaration)];
    const { name, namedBindings } = importClause;
    const whole = name === undefined ? [] : [one("default", name.text, name)];
    if (namedBindings === undefined) return whole;
    if (ts.isNamespaceImport(namedBindings))
      return [...whole, one("*", namedBindings.name.text, namedBindings)];
    const named = namedBindings.elements.map((each) =>
      one((each.propertyName ?? each.name).text, each.name.text, each),
    );
    return [...whole, ...named];
  });
}
