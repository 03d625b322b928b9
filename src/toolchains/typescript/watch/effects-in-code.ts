// Reads in the syntax tree which files, network, clock and chance a module uses, through aliases and other names.
import ts from "typescript6";
import type { SeenEffect, Site } from "../../port.ts";
import { importsOf } from "../static/imports.ts";
import { moduleName } from "../static/module-name.ts";
import {
  constantText,
  isRequire,
  makingOf,
  memberOf,
  type Origin,
  originOf,
  spelled,
  unwrapped,
} from "../static/origin.ts";
import { type CodeFile, everyNode, lineOf, parseCode, type Syntax } from "../static/syntax.ts";
import { effectOf, effectsOfWhole, tellsPlace, tellsTime } from "./effect-table.ts";

export function effectsInCode(
  site: Pick<Site, "layout" | "files">,
): Promise<{ functions: number; effects: SeenEffect[] }> {
  const syntax = parseCode(site.files(), site.layout.sources);
  const effects = syntax.files.flatMap((file) => effectsIn(file, syntax));
  // What cannot be read could do anything.
  const unread = syntax.problems.map(({ file, line, message }): SeenEffect => {
    return { type: "CALL", what: `code that cannot be read: ${message}`, file, line };
  });
  const functions = syntax.files.flatMap(({ tree }) => [...everyNode(tree)].filter(isFunction)).length;
  return Promise.resolve({ functions, effects: [...unread, ...effects] });
}

function isFunction(node: ts.Node): boolean {
  return ts.isFunctionLike(node) && "body" in node && node.body !== undefined;
}

function effectsIn(file: CodeFile, syntax: Syntax): SeenEffect[] {
  const found = new Map<string, SeenEffect>();
  const add = (type: SeenEffect["type"], what: string, line: number) => {
    const key = `${type} ${what} ${line}`;
    if (!found.has(key)) found.set(key, { type, what, file: file.path, line });
  };
  for (const { specifier, line } of importsOf(file, syntax))
    if (specifier === undefined) add("CALL", "import of a name that is made at run time", line);
  for (const node of everyNode(file.tree)) {
    if (!isUse(node)) continue;
    const whole = wholeModule(node, syntax);
    if (whole !== undefined)
      for (const type of effectsOfWhole(whole)) add(type, `${whole} as a whole`, lineOf(node));
    const seen = effectAt(node, syntax);
    if (seen !== undefined) add(seen.type, seen.what, lineOf(node));
  }
  return [...found.values()].toSorted((one, other) => one.line - other.line);
}

/** Expressions and bindings, but not types and not names of declarations and members. */
function isUse(node: ts.Node): boolean {
  if (ts.isTypeNode(node)) return false;
  if (ts.isImportSpecifier(node) || ts.isBindingElement(node) || ts.isExportSpecifier(node)) return true;
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) return true;
  if (ts.isNewExpression(node) || ts.isCallExpression(node) || ts.isMetaProperty(node)) return true;
  return ts.isIdentifier(node) && isRead(node);
}

function isRead(name: ts.Identifier): boolean {
  const { parent } = name;
  if (ts.isTypeNode(parent) || ts.isTypeElement(parent) || ts.isJSDoc(parent)) return false;
  if (ts.isQualifiedName(parent) || ts.isTypeParameterDeclaration(parent)) return false;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === name;
  if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent)) return false;
  if (ts.isPropertyAssignment(parent) || ts.isBindingElement(parent)) return parent.initializer === name;
  const isName = "name" in parent && parent.name === name;
  return !isName || ts.isShorthandPropertyAssignment(parent);
}

function effectAt(node: ts.Node, syntax: Syntax): Pick<SeenEffect, "type" | "what"> | undefined {
  if (ts.isMetaProperty(node)) return whereItLies(node);
  if (isWholeWorld(node, syntax)) return { type: "CALL", what: "all globals at once" };
  if (ts.isImportSpecifier(node)) return isOfType(node) ? undefined : usedAs(node.name, syntax);
  if (ts.isExportSpecifier(node)) return reExported(node, syntax);
  if (ts.isBindingElement(node)) return ts.isIdentifier(node.name) ? usedAs(node.name, syntax) : undefined;
  if (ts.isNewExpression(node) || ts.isCallExpression(node)) return newDate(node, syntax);
  if (ts.isElementAccessExpression(node) && memberOf(node) === undefined)
    return usedAs(node, syntax) ?? computedGlobal(node, syntax);
  if (ts.isTypeOfExpression(node.parent)) return undefined;
  // The longest spelling says most: of `process.env.HOME` it is `process.env`, of `process` alone nothing.
  return told(node, syntax) ?? usedAs(node, syntax);
}

function isOfType(specifier: ts.ImportSpecifier): boolean {
  return specifier.isTypeOnly || specifier.parent.parent.phaseModifier === ts.SyntaxKind.TypeKeyword;
}

function usedAs(node: ts.Node, syntax: Syntax): Pick<SeenEffect, "type" | "what"> | undefined {
  const origin = originOf(node, syntax);
  if (origin === undefined || isRequire(origin)) return undefined;
  const type = effectOf(origin);
  if (type === undefined || isInner(node, syntax, type)) return undefined;
  return { type, what: spelled(origin) };
}

/** Within `fs.promises.readFile` and `process.stdout.write` only one mention counts. */
function isInner({ parent }: ts.Node, syntax: Syntax, type: SeenEffect["type"]): boolean {
  if (!ts.isPropertyAccessExpression(parent) && !ts.isElementAccessExpression(parent)) return false;
  const outer = originOf(parent, syntax);
  return outer !== undefined && effectOf(outer) === type;
}

function reExported(node: ts.ExportSpecifier, syntax: Syntax): Pick<SeenEffect, "type" | "what"> | undefined {
  const from = node.parent.parent.moduleSpecifier;
  if (node.isTypeOnly || node.parent.parent.isTypeOnly) return undefined;
  const local = node.propertyName ?? node.name;
  if (from === undefined) return ts.isIdentifier(local) ? usedAs(local, syntax) : undefined;
  if (!ts.isStringLiteral(from)) return undefined;
  const origin = { from: "module" as const, name: moduleName(from.text), members: [local.text] };
  const type = effectOf(origin);
  return type === undefined ? undefined : { type, what: spelled(origin) };
}

/** `new Date()` and `Date()` read the clock; `new Date(0)` does not. */
function newDate(node: ts.NewExpression | ts.CallExpression, syntax: Syntax) {
  const origin = originOf(node.expression, syntax);
  const isDate = origin?.from === "global" && origin.name === "Date" && origin.members.length === 0;
  if (!isDate || (ts.isNewExpression(node) && (node.arguments?.length ?? 0) > 0)) return undefined;
  return { type: "CLOCK" as const, what: ts.isNewExpression(node) ? "new Date()" : "Date()" };
}

/** What tells the time or the place of the machine because it was not told another. */
function told(node: ts.Node, syntax: Syntax): Pick<SeenEffect, "type" | "what"> | undefined {
  if (!ts.isPropertyAccessExpression(node)) return undefined;
  const making = makingOf(node.expression, syntax);
  const maker = making && originOf(making.expression, syntax);
  if (making === undefined || maker === undefined) return undefined;
  const what = `${spelled(maker)}.${node.name.text}`;
  if (tellsTime(maker, node.name.text) && isAboutNow(node)) return { type: "CLOCK", what };
  return tellsPlace(maker, node.name.text) && isAboutHere(maker, making) ? { type: "READ", what } : undefined;
}

/** `new Intl.DateTimeFormat().format()` is; whoever is handed the method may hand it a time. */
function isAboutNow({ name, parent }: ts.PropertyAccessExpression): boolean {
  return !name.text.startsWith("format") || (ts.isCallExpression(parent) && isToldNothing(parent));
}

/** Neither anything nor `undefined`, which means the same. */
function isToldNothing({ arguments: [first] }: ts.CallExpression): boolean {
  if (first === undefined) return true;
  const given = unwrapped(first);
  return ts.isVoidExpression(given) || (ts.isIdentifier(given) && given.text === "undefined");
}

/** `new Intl.DateTimeFormat().resolvedOptions()` is, `new Intl.NumberFormat("en")` is not. */
function isAboutHere(maker: Origin, making: ts.NewExpression | ts.CallExpression): boolean {
  return (making.arguments?.length ?? 0) < (maker.members[0] === "DateTimeFormat" ? 2 : 1);
}

/** `globalThis[name]` can be anything, and so can `process[name]`. */
function computedGlobal(node: ts.ElementAccessExpression, syntax: Syntax) {
  if (originOf(node, syntax) !== undefined) return undefined;
  const origin = originOf(node.expression, syntax);
  const isGlobal =
    origin?.members.length === 0 &&
    (origin.name === "process" || (origin.from === "global" && origin.name === ""));
  return isGlobal ? { type: "CALL" as const, what: "a global whose name is made at run time" } : undefined;
}

/** `import.meta.url` and the like are others wherever the module is put. */
function whereItLies({ keywordToken }: ts.MetaProperty): Pick<SeenEffect, "type" | "what"> | undefined {
  return keywordToken === ts.SyntaxKind.ImportKeyword ? { type: "READ", what: "import.meta" } : undefined;
}

/** `globalThis` where it is not asked for one thing by its name: then nobody knows what of it is used. */
function isWholeWorld(node: ts.Node, syntax: Syntax): boolean {
  if (!ts.isIdentifier(node)) return false;
  const origin = originOf(node, syntax);
  if (origin?.from !== "global" || origin.name !== "" || origin.members.length > 0) return false;
  const outer = outside(node);
  const isIn =
    ts.isBinaryExpression(outer) &&
    outer.operatorToken.kind === ts.SyntaxKind.InKeyword &&
    constantText(outer.left) !== undefined;
  // What is made up at run time is told apart.
  return !isIn && !ts.isElementAccessExpression(outer) && !ts.isTypeOfExpression(outer) && !isFollowed(outer);
}

/** The module that a name, an import or a call stands for, where it goes further than to one of its members. */
function wholeModule(node: ts.Node, syntax: Syntax): string | undefined {
  if (!ts.isIdentifier(node) && !ts.isCallExpression(node)) return undefined;
  const origin = originOf(node, syntax);
  if (origin?.from !== "module" || origin.members.length > 0) return undefined;
  return isFollowed(outside(node)) ? undefined : origin.name;
}

/** What stands around it, but for parentheses and the like. */
function outside(node: ts.Node): ts.Node {
  let outer = node.parent;
  while (unwrapped(outer) === node) outer = outer.parent;
  return outer;
}

function isFollowed(outer: ts.Node): boolean {
  return (
    ts.isPropertyAccessExpression(outer) ||
    (ts.isElementAccessExpression(outer) && memberOf(outer) !== undefined) ||
    ts.isVariableDeclaration(outer) ||
    ts.isExpressionStatement(outer)
  );
}
