// Reads in the syntax tree which files, network, clock and chance a module uses, through aliases and other names.
import ts from "typescript6";
import type { SeenEffect, Site } from "../../port.ts";
import { importsOf } from "../static/imports.ts";
import { moduleName } from "../static/module-name.ts";
import {
  bindingMember,
  constantKey,
  constantText,
  isRequire,
  lookUpIn,
  memberOf,
  originOf,
  spelled,
  unwrapped,
} from "../static/origin.ts";
import { type CodeFile, everyNode, lineOf, parseCode, type Syntax } from "../static/syntax.ts";
import { effectOf, effectsOfWhole, PLACES } from "./effect-table.ts";
import { ownArguments, relativePlace, toldBy } from "./untold.ts";

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
  const whole = wholeWorld(node, syntax);
  if (whole !== undefined) return { type: "CALL", what: whole };
  if (isBinding(node)) return boundBy(node, syntax);
  if (ts.isNewExpression(node)) return newDate(node, syntax);
  if (ts.isCallExpression(node)) return calledFor(node, syntax);
  if (ts.isElementAccessExpression(node) && memberOf(node) === undefined)
    return usedAs(node, syntax) ?? computedGlobal(node, syntax);
  return placeAsked(node, syntax) ?? (ts.isTypeOfExpression(node.parent) ? undefined : longest(node, syntax));
}

/** The longest spelling says most: of `process.env.HOME` it is `process.env`. */
function longest(node: ts.Node, syntax: Syntax): Pick<SeenEffect, "type" | "what"> | undefined {
  return toldBy(node, syntax) ?? usedAs(node, syntax);
}

type Binding = ts.ImportSpecifier | ts.ExportSpecifier | ts.BindingElement;

function isBinding(node: ts.Node): node is Binding {
  return ts.isImportSpecifier(node) || ts.isExportSpecifier(node) || ts.isBindingElement(node);
}

function boundBy(node: Binding, syntax: Syntax): Pick<SeenEffect, "type" | "what"> | undefined {
  if (ts.isExportSpecifier(node)) return reExported(node, syntax);
  if (ts.isImportSpecifier(node)) return isOfType(node) ? undefined : usedAs(node.name, syntax);
  return toldBy(node, syntax) ?? (ts.isIdentifier(node.name) ? usedAs(node.name, syntax) : undefined);
}

/** What a call gives by its name alone, or because of what it was not told. */
function calledFor(call: ts.CallExpression, syntax: Syntax): Pick<SeenEffect, "type" | "what"> | undefined {
  const asked = lookUpIn(call, syntax);
  if (asked !== undefined)
    return usedAs(call, syntax) ?? toldBy(call, syntax) ?? computedMember(asked.thing, asked.key, syntax);
  return newDate(call, syntax) ?? relativePlace(call, syntax) ?? ownArguments(call, syntax);
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

/** `globalThis[name]` can be anything, and so can `process[name]`. */
function computedGlobal(node: ts.ElementAccessExpression, syntax: Syntax) {
  if (originOf(node, syntax) !== undefined) return undefined;
  return computedMember(node.expression, node.argumentExpression, syntax);
}

function computedMember(thing: ts.Node, key: ts.Node, syntax: Syntax) {
  const origin = originOf(thing, syntax);
  const isGlobal = origin?.members.length === 0 && (origin.from === "global" ? isWhole(origin.name) : false);
  const isComputed = constantKey(key, syntax) === undefined;
  return isGlobal && isComputed
    ? { type: "CALL" as const, what: "a global whose name is made at run time" }
    : undefined;
}

/** Of these nobody knows what is used when they are handed around whole. */
function isWhole(name: string): boolean {
  return name === "" || name === "process";
}

/** `import.meta.url` and the like are others wherever the module is put. */
function whereItLies({ keywordToken }: ts.MetaProperty): Pick<SeenEffect, "type" | "what"> | undefined {
  return keywordToken === ts.SyntaxKind.ImportKeyword ? { type: "READ", what: "import.meta" } : undefined;
}

/** Whether code asks if it is in a browser, or in which other place, also where it uses nothing of it. */
function placeAsked(node: ts.Node, syntax: Syntax): Pick<SeenEffect, "type" | "what"> | undefined {
  if (!ts.isIdentifier(node)) return undefined;
  const outer = outside(node);
  const origin = originOf(node, syntax);
  if (origin?.from !== "global" || origin.members.length > 0) return undefined;
  const isIn = ts.isBinaryExpression(outer) && outer.operatorToken.kind === ts.SyntaxKind.InKeyword;
  const name = isIn && origin.name === "" ? constantText(outer.left) : node.text;
  const isAsked = isIn || ts.isTypeOfExpression(outer);
  if (!isAsked || name === undefined || !PLACES.includes(name)) return undefined;
  return { type: "READ", what: `whether there is a ${name}` };
}

/** `globalThis` or `process` where it is not asked for one thing by its name: then nobody knows what of it is used. */
function wholeWorld(node: ts.Node, syntax: Syntax): string | undefined {
  if (!ts.isIdentifier(node) && !ts.isPropertyAccessExpression(node)) return undefined;
  const origin = originOf(node, syntax);
  if (origin?.from !== "global" || !isWhole(origin.name) || origin.members.length > 0) return undefined;
  const outer = outside(node);
  // What is made up at run time is told apart.
  if (isAskedFor(node, outer, syntax) || ts.isElementAccessExpression(outer) || isFollowed(outer))
    return undefined;
  return origin.name === "" ? "all globals at once" : `all of ${origin.name} at once`;
}

/** Whether it is there, or whether one thing is in it. */
function isAskedFor(node: ts.Node, outer: ts.Node, syntax: Syntax): boolean {
  if (ts.isTypeOfExpression(outer)) return true;
  if (ts.isCallExpression(outer))
    return lookUpIn(outer, syntax)?.thing === node || isItsOwn(outer.expression, node, syntax);
  if (!ts.isBinaryExpression(outer)) return false;
  const { kind } = outer.operatorToken;
  return kind === ts.SyntaxKind.InKeyword ? constantText(outer.left) !== undefined : COMPARED.includes(kind);
}

/** `process.cwd.bind(process)` hands it to nobody else. */
function isItsOwn(callee: ts.Node, node: ts.Node, syntax: Syntax): boolean {
  if (!ts.isPropertyAccessExpression(callee) || !["bind", "call", "apply"].includes(callee.name.text))
    return false;
  const [origin, own] = [originOf(callee.expression, syntax), originOf(node, syntax)];
  return origin?.from === own?.from && origin?.name === own?.name && own?.name !== "";
}

const COMPARED: readonly ts.SyntaxKind[] = [
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
];

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
    (ts.isVariableDeclaration(outer) && !takesAnything(outer.name)) ||
    ts.isExpressionStatement(outer)
  );
}

/** `const { ...all } = process` and `const { [name]: one } = process`. */
function takesAnything(name: ts.BindingName): boolean {
  if (!ts.isObjectBindingPattern(name)) return false;
  return name.elements.some((each) => each.dotDotDotToken !== undefined || bindingMember(each) === undefined);
}
