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
    const target = others.find((path) => specifier !== undefined && leadsTo(file.path, specifier, path));
    if (target === undefined) return [];
    const message = `imports ${target}, which is no source of the module: move what it needs into a source`;
    return [{ rule: "outside-import", file: file.path, line, message, severity: "error" }];
  });
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
  return callee !== undefined && isRequire(callee) ? { specifier: node.arguments[0] } : undefined;
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
  const isHandedAround =
    ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)
      ? memberAsValue(node, syntax)
      : ts.isIdentifier(node) && node.text === "require" && syntax.isGlobal(node) && requireAsValue(node);
  return isHandedAround ? { specifier: undefined } : undefined;
}

function requireAsValue(node: ts.Identifier): boolean {
  const { parent } = node;
  const isName = "name" in parent && parent.name === node && !ts.isShorthandPropertyAssignment(parent);
  return !isName && !isFollowed(node) && !ts.isPropertyAccessExpression(parent);
}

/** `["fs"].map(process.getBuiltinModule)`; whether there is one may be asked. */
function memberAsValue(node: ts.Expression, syntax: Syntax): boolean {
  if (isFollowed(node) || ts.isBinaryExpression(node.parent)) return false;
  const origin = originOf(node, syntax);
  return origin !== undefined && origin.members.length > 0 && isRequire(origin);
}

function isFollowed(node: ts.Expression): boolean {
  const { parent } = node;
  return (
    (ts.isCallExpression(parent) && parent.expression === node) ||
    (ts.isVariableDeclaration(parent) && parent.initializer === node) ||
    ts.isTypeOfExpression(parent) ||
    ts.isParenthesizedExpression(parent)
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
