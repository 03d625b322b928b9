// What a module really uses of others: names that it imports from `#modules/<name>` and that its code then mentions. Where
// this cannot be told for sure, everything of the other module counts as used.
import {
  type ExportDeclaration,
  type Identifier,
  type ImportDeclaration,
  isCallExpression,
  isExportDeclaration,
  isExportSpecifier,
  isIdentifier,
  isImportDeclaration,
  isImportEqualsDeclaration,
  isImportTypeNode,
  isLiteralTypeNode,
  isNamedExports,
  isNamespaceImport,
  isPropertyAccessExpression,
  isQualifiedName,
  isShorthandPropertyAssignment,
  isStringLiteral,
  type ImportTypeNode,
  type Node,
  type SourceFile,
} from "typescript/unstable/ast";
import type { ModuleUse } from "../../port.ts";
import type { ModuleView } from "./module-view.ts";
import { type Program, withProgram } from "./program.ts";
import { ancestors, everyNode } from "./syntax.ts";

export function moduleUses(view: ModuleView): ModuleUse[] {
  return withProgram(view, (program) => {
    const used = program.sources().flatMap((file) => usesIn(program, file));
    const keys = new Map(used.map((use) => [`${use.module} ${use.name}`, use]));
    return [...keys.entries()].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, use]) => use);
  });
}

const EVERYTHING = "*";

function usesIn(program: Program, file: SourceFile): ModuleUse[] {
  const uses: ModuleUse[] = [];
  const bindings: Binding[] = [];
  const mentioned: Identifier[] = [];
  everyNode(file, (node) => {
    if (isImportDeclaration(node)) bindings.push(...bindingsOf(node));
    else if (isExportDeclaration(node)) uses.push(...passedOn(node));
    else if (isIdentifier(node)) mentioned.push(node);
    else uses.push(...loadedBy(node));
  });
  for (const binding of bindings) {
    const names = mentioned
      .filter((each) => each.text === binding.local.text && isOf(program, each, binding))
      .map((each) => (binding.name === EVERYTHING ? memberAfter(each) : binding.name));
    uses.push(...names.map((name) => ({ module: binding.module, name })));
  }
  return uses;
}

interface Binding {
  module: string;
  /** As the other module calls it. */
  name: string;
  local: Identifier;
}

function bindingsOf({ moduleSpecifier, importClause }: ImportDeclaration): Binding[] {
  const module = moduleNamed(moduleSpecifier);
  if (module === undefined || importClause === undefined) return [];
  const { name, namedBindings } = importClause;
  const whole = name === undefined ? [] : [{ module, name: "default", local: name }];
  if (namedBindings === undefined) return whole;
  if (isNamespaceImport(namedBindings))
    return [...whole, { module, name: EVERYTHING, local: namedBindings.name }];
  const named = namedBindings.elements.map((each) => ({
    module,
    name: (each.propertyName ?? each.name).text,
    local: each.name,
  }));
  return [...whole, ...named];
}

/** Whether this mention means what was imported, and not something else of the same name. */
function isOf({ checker }: Program, mention: Identifier, { local }: Binding): boolean {
  if (mention === local || ancestors(mention).some(isImportDeclaration)) return false;
  const { parent } = mention;
  if (isShorthandPropertyAssignment(parent) || isExportSpecifier(parent)) return true;
  const symbol = checker.getSymbolAtLocation(mention);
  if (symbol === undefined) return true;
  const own = checker.getSymbolAtLocation(local);
  return own === undefined || symbol === own || symbol.id === own.id;
}

/** `name` of `all.name`; whoever hands `all` on may use all of it. */
function memberAfter(mention: Identifier): string {
  const { parent } = mention;
  if (isPropertyAccessExpression(parent) && parent.expression === mention) return parent.name.text;
  return isQualifiedName(parent) && parent.left === mention ? parent.right.text : EVERYTHING;
}

function passedOn({ moduleSpecifier, exportClause }: ExportDeclaration): ModuleUse[] {
  const module = moduleSpecifier === undefined ? undefined : moduleNamed(moduleSpecifier);
  if (module === undefined) return [];
  if (exportClause === undefined || !isNamedExports(exportClause)) return [{ module, name: EVERYTHING }];
  return exportClause.elements.map((each) => ({ module, name: (each.propertyName ?? each.name).text }));
}

/** `import("#modules/x")` as a value or as a type, and `import x = require("#modules/x")`. */
function loadedBy(node: Node): ModuleUse[] {
  if (isImportTypeNode(node)) return typeOf(node);
  const named = isCallExpression(node)
    ? node.arguments[0]
    : isImportEqualsDeclaration(node)
      ? node.moduleReference
      : undefined;
  if (named === undefined) return [];
  let module: string | undefined;
  everyNode(named, (each) => (module ??= moduleNamed(each)));
  return module === undefined ? [] : [{ module, name: EVERYTHING }];
}

function typeOf({ argument, qualifier }: ImportTypeNode): ModuleUse[] {
  const module = isLiteralTypeNode(argument) ? moduleNamed(argument.literal) : undefined;
  if (module === undefined) return [];
  let first: Node | undefined = qualifier;
  while (first !== undefined && isQualifiedName(first)) first = first.left;
  return [{ module, name: first !== undefined && isIdentifier(first) ? first.text : EVERYTHING }];
}

function moduleNamed(specifier: Node): string | undefined {
  return isStringLiteral(specifier) ? /^#modules\/([^/]+)/.exec(specifier.text)?.[1] : undefined;
}
