// Finds declarations beside the code, in tests and in files that only declare, which change what the code compiles against.
import { isBuiltin } from "node:module";
import ts from "typescript6";
import type { StaticFinding } from "../../../domain/evidence/static-finding.ts";
import { type CodeFile, everyNode, lineOf, type Syntax } from "./syntax.ts";
import { uncheckedTypes } from "./unchecked-types.ts";

/** Types of the module itself lie in src/, so they are held to what its code is held to. */
export function ambientFindings(file: CodeFile, syntax: Syntax, hasContract: boolean): StaticFinding[] {
  const severity = hasContract ? "error" : "warning";
  const own = isDeclaration(file.path) && file.path.startsWith("src/");
  const found = own ? uncheckedTypes(file, syntax, hasContract) : [];
  const lines = new Set(found.map(({ line }) => line));
  for (const node of declaredForAll(file)) {
    const line = lineOf(node);
    if (lines.has(line) || (!own && !isAboutOthers(node))) continue;
    lines.add(line);
    const message =
      "declares for everybody, also for the code, what nothing here keeps; declare types of its own and import them";
    found.push({ rule: "unchecked-types", file: file.path, line, message, severity });
  }
  return found;
}

function isDeclaration(path: string): boolean {
  return /\.d(?:\.\w+)?\.[cm]?ts$/.test(path);
}

/** Everything in a file that neither imports nor exports, and what is added to other places than the file. */
function declaredForAll({ path, tree }: CodeFile): ts.Node[] {
  const isAlone = isDeclaration(path) && !ts.isExternalModule(tree);
  const added = [...everyNode(tree)].filter((node) => ts.isModuleDeclaration(node) && isOfOthers(node));
  const inside = added.flatMap((node) => (isGlobal(node) ? bodyOf(node) : [node]));
  return isAlone ? [...tree.statements.filter((each) => !added.includes(each)), ...inside] : inside;
}

function isOfOthers({ name }: ts.ModuleDeclaration): boolean {
  return ts.isStringLiteral(name) || name.text === "global";
}

function isGlobal(node: ts.Node): boolean {
  return ts.isModuleDeclaration(node) && !ts.isStringLiteral(node.name);
}

function bodyOf(node: ts.Node): ts.Node[] {
  const body = ts.isModuleDeclaration(node) ? node.body : undefined;
  return body !== undefined && ts.isModuleBlock(body) ? [...body.statements] : [];
}

/** Tests may say what matchers of theirs there are, but not what the language gives, nor what the code is. */
function isAboutOthers(node: ts.Node): boolean {
  if (ts.isModuleDeclaration(node) && ts.isStringLiteral(node.name))
    return /^(?:\.|#modules\/)/.test(node.name.text) || isBuiltin(node.name.text);
  return namesOf(node).some((name) => isOfTheLanguage(name));
}

function namesOf(node: ts.Node): string[] {
  if (ts.isVariableStatement(node))
    return node.declarationList.declarations.map(({ name }) => name.getText());
  const name = "name" in node ? node.name : undefined;
  return typeof name === "object" && name !== null && "text" in name ? [String(name.text)] : [];
}

/** `JSON`, and `ArrayConstructor` or `ReadonlyArray`, by which its own declarations call them. */
function isOfTheLanguage(name: string): boolean {
  return [name, name.replace(/Constructor$/, ""), name.replace(/^Readonly/, "")].some(
    (each) => each in globalThis,
  );
}
