// Lists what a file loads at run time, by every way there is, and judges it by the names that a contract and a rigor give.
import { isBuiltin } from "node:module";
import { posix } from "node:path";
import ts from "typescript6";
import type { StaticFinding } from "../../../domain/evidence/static-finding.ts";
import type { StaticRules } from "../../port.ts";
import { covers } from "./module-name.ts";
import { constantText, isRequire, originOf } from "./origin.ts";
import { type CodeFile, everyNode, lineOf, type Syntax } from "./syntax.ts";

/** Undefined is a name that is made while the code runs. */
export interface Import {
  specifier: string | undefined;
  line: number;
}

export function importFindings(
  file: CodeFile,
  syntax: Syntax,
  rules: Pick<StaticRules, "forbiddenImports" | "allowedPackages">,
): StaticFinding[] {
  return importsOf(file, syntax).flatMap(({ specifier, line }) => {
    const finding = (rule: string, message: string): StaticFinding[] => [
      { rule, file: file.path, line, message, severity: "error" },
    ];
    if (specifier === undefined)
      return finding("computed-import", "loads a module whose name is made at run time; write the name out");
    const forbidden = rules.forbiddenImports.find((name) => covers(name, specifier));
    if (forbidden !== undefined)
      return finding("forbidden-import", `imports ${specifier}, and ${forbidden} is forbidden`);
    if (!staysInModule(file.path, specifier))
      return finding(
        "outside-import",
        `imports ${specifier}, which is not a file of the module or a package`,
      );
    if (isAllowed(specifier, rules.allowedPackages)) return [];
    const name = packageOf(specifier);
    return finding("undeclared-package", `imports ${name}, which the contract's packages do not name`);
  });
}

/** Code that is no source of the module is judged by no gate, so sources cannot be made of it. */
export function unjudgedImports(file: CodeFile, syntax: Syntax, others: readonly string[]): StaticFinding[] {
  return importsOf(file, syntax).flatMap(({ specifier, line }): StaticFinding[] => {
    if (specifier === undefined) return [];
    const target =
      others.find((path) => leadsTo(file.path, specifier, path)) ?? testData(file.path, specifier);
    if (target === undefined) return [];
    const message = `imports ${target}, which is no source of the module: move what it needs into a source`;
    return [{ rule: "outside-import", file: file.path, line, message, severity: "error" }];
  });
}

/** What belongs to the tests may be another tomorrow, and whoever wrote them knows what is asked. */
function testData(from: string, specifier: string): string | undefined {
  if (!specifier.startsWith(".") || !from.startsWith("src/")) return undefined;
  const target = posix.normalize(posix.join(posix.dirname(from), decoded(specifier)));
  return /^tests?\//.test(target) && target.endsWith(".json") ? target : undefined;
}

/** By the file's own name, without its ending, or with the ending it has once it is built. */
function leadsTo(from: string, specifier: string, path: string): boolean {
  if (!specifier.startsWith(".") || /\.d\.[cm]?ts$/.test(path)) return false;
  const target = posix.normalize(posix.join(posix.dirname(from), decoded(specifier))).replace(/[?#].*$/, "");
  const bare = (name: string) => name.replace(CODE_ENDING, "");
  return CODE_ENDING.test(path) && (target === path || bare(target) === bare(path));
}

const CODE_ENDING = /\.[cm]?[jt]sx?$/;

export function importsOf({ tree }: CodeFile, syntax: Syntax): Import[] {
  const imports: Import[] = [];
  for (const node of everyNode(tree)) {
    const named = loadedBy(node, syntax);
    if (named === undefined) continue;
    const specifier = named.specifier === undefined ? undefined : constantText(named.specifier);
    imports.push({ specifier, line: lineOf(node) });
  }
  return imports;
}

/** The expression that names what a node loads; undefined when it loads nothing. */
function loadedBy(node: ts.Node, syntax: Syntax): { specifier: ts.Node | undefined } | undefined {
  if (ts.isImportDeclaration(node)) return isTypeOnly(node) ? undefined : { specifier: node.moduleSpecifier };
  if (ts.isExportDeclaration(node)) {
    const bindsTypes = node.isTypeOnly || node.moduleSpecifier === undefined;
    return bindsTypes ? undefined : { specifier: node.moduleSpecifier };
  }
  if (ts.isImportEqualsDeclaration(node)) {
    const { moduleReference: to } = node;
    return node.isTypeOnly || !ts.isExternalModuleReference(to) ? undefined : { specifier: to.expression };
  }
  if (!ts.isCallExpression(node)) return loaderAsValue(node, syntax);
  if (node.expression.kind === ts.SyntaxKind.ImportKeyword) return { specifier: node.arguments[0] };
  const callee = originOf(node.expression, syntax);
  if (callee !== undefined && isRequire(callee)) return { specifier: node.arguments[0] };
  return loaderAsValue(node, syntax);
}

/** `import { type Stats } from "node:fs"` binds nothing, and loading a built-in module alone does nothing. */
function isTypeOnly({ importClause, moduleSpecifier }: ts.ImportDeclaration): boolean {
  if (importClause === undefined) return false;
  if (importClause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const bindings = importClause.namedBindings;
  if (importClause.name !== undefined || bindings === undefined || !ts.isNamedImports(bindings)) return false;
  const isHarmless = isBuiltin(constantText(moduleSpecifier) ?? "");
  return isHarmless && bindings.elements.length > 0 && bindings.elements.every((each) => each.isTypeOnly);
}

/** Handed around, `require` can load anything; being called or given a name is followed elsewhere. */
function loaderAsValue(node: ts.Node, syntax: Syntax): { specifier: undefined } | undefined {
  if (!ts.isExpression(node) || isNameOf(node) || !isLoader(node, syntax)) return undefined;
  const outer = outside(node);
  const { parent } = outer;
  const isAsked = ts.isPropertyAccessExpression(parent) && !WAYS_ROUND.includes(parent.name.text);
  return isAsked || isFollowed(outer) || isOnlyCompared(node, parent) ? undefined : { specifier: undefined };
}

/** What is said of a loader, `require.main`, loads nothing; calling it by a way round does. */
const WAYS_ROUND: readonly string[] = ["call", "apply", "bind"];

/** `require`, what else it is called, as in `const load = createRequire(place)`, and `process.getBuiltinModule`. */
function isLoader(node: ts.Expression, syntax: Syntax): boolean {
  if (ts.isIdentifier(node)) {
    if (node.text === "require") return syntax.isGlobal(node);
    if (syntax.declarationsOf(node).length === 0) return false;
  } else if (!ts.isCallExpression(node) && !isAccess(node)) return false;
  const origin = originOf(node, syntax);
  return origin !== undefined && isRequire(origin);
}

function isAccess(node: ts.Node): boolean {
  return ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node);
}

function isNameOf(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isBindingElement(parent)) return parent.initializer !== node;
  if (ts.isImportSpecifier(parent) || ts.isTypeNode(parent)) return true;
  return "name" in parent && parent.name === node && !ts.isShorthandPropertyAssignment(parent);
}

/** `process.getBuiltinModule ?? none`: whether there is one may be asked. */
function isOnlyCompared(node: ts.Node, parent: ts.Node): boolean {
  return isAccess(node) && ts.isBinaryExpression(parent);
}

/** With the parentheses and types around it. */
function outside(node: ts.Node): ts.Node {
  let outer = node;
  while (
    ts.isParenthesizedExpression(outer.parent) ||
    ts.isAsExpression(outer.parent) ||
    ts.isSatisfiesExpression(outer.parent) ||
    ts.isNonNullExpression(outer.parent)
  )
    outer = outer.parent;
  return outer;
}

function isFollowed(node: ts.Node): boolean {
  const { parent } = node;
  return (
    (ts.isCallExpression(parent) && parent.expression === node) ||
    (ts.isVariableDeclaration(parent) && parent.initializer === node) ||
    ts.isTypeOfExpression(parent)
  );
}

function staysInModule(file: string, specifier: string): boolean {
  if (specifier.startsWith(".")) {
    const target = posix.normalize(posix.join(posix.dirname(file), decoded(specifier)));
    return !target.startsWith("..") && !target.split("/").includes("node_modules");
  }
  return !posix.isAbsolute(specifier) && (!/^[a-z][\w+.-]*:/i.test(specifier) || isBuiltin(specifier));
}

/** Loaders read `%2e` as a dot. */
function decoded(specifier: string): string {
  try {
    return decodeURIComponent(specifier);
  } catch {
    return specifier;
  }
}

function isAllowed(specifier: string, packages: readonly string[] | undefined): boolean {
  if (packages === undefined || specifier.startsWith(".") || isBuiltin(specifier)) return true;
  // Modules of the product come through its import map and are the contract's dependencies.
  if (specifier.startsWith("#modules/")) return true;
  return packages.includes(packageOf(specifier));
}

function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}
