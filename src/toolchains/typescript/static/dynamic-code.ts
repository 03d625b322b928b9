// Finds code that makes code while it runs: whatever it does, no other gate would see it.
import ts from "typescript6";
import type { StaticFinding } from "../../../domain/evidence/static-finding.ts";
import {
  bindingMember,
  constantKey,
  lookUpIn,
  memberOf,
  type Origin,
  originOf,
  unwrapped,
} from "./origin.ts";
import { type CodeFile, everyNode, lineOf, type Syntax } from "./syntax.ts";

export function dynamicCodeFindings({ path, tree }: CodeFile, syntax: Syntax): StaticFinding[] {
  const found = new Map<number, StaticFinding>();
  for (const node of everyNode(tree)) {
    const what = makesCode(node, syntax);
    if (what === undefined) continue;
    const line = lineOf(node);
    const message = `${what} turns text into code that no gate can look at`;
    if (!found.has(line)) found.set(line, { rule: "eval", file: path, line, message, severity: "error" });
  }
  return [...found.values()];
}

function makesCode(node: ts.Node, syntax: Syntax): string | undefined {
  if (ts.isIdentifier(node)) return mentionOf(node, syntax);
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) {
    const member = memberOf(node);
    if (member === "constructor") return constructorUse(node, node.expression, syntax);
    return judged(originOf(node, syntax), node);
  }
  if (ts.isBindingElement(node)) return destructured(node, syntax);
  if (ts.isImportSpecifier(node))
    return node.isTypeOnly ? undefined : judged(originOf(node.name, syntax), node);
  if (ts.isCallExpression(node)) return callWithText(node, syntax) ?? lookedUp(node, syntax);
  return undefined;
}

/** `Reflect.get(work, "constructor")` is `work.constructor`; under a name that is made up it could be. */
function lookedUp(call: ts.CallExpression, syntax: Syntax): string | undefined {
  const asked = lookUpIn(call, syntax);
  if (asked === undefined) return undefined;
  const member = constantKey(asked.key, syntax);
  if (member !== undefined && member !== "constructor") return judged(originOf(call, syntax), call);
  if (!isFunction(asked.thing, syntax)) return undefined;
  return member === undefined
    ? "what a function has under a name made at run time"
    : "a function's constructor";
}

/** A bare mention is enough for `eval`; `Function` may stand where it is only compared or is a type. */
function mentionOf(name: ts.Identifier, syntax: Syntax): string | undefined {
  if (name.text !== "eval" && name.text !== "Function") return undefined;
  if (!isValue(name) || !syntax.isGlobal(name)) return undefined;
  return judged({ from: "global", name: name.text, members: [] }, name);
}

function judged(origin: Origin | undefined, node: ts.Node): string | undefined {
  if (origin === undefined) return undefined;
  const { from, name, members } = origin;
  const [member] = members;
  if (from === "global" && member === undefined) {
    if (name === "eval") return "eval";
    return name === "Function" && !isOnlyCompared(node) ? "Function" : undefined;
  }
  if (name === "process")
    return member === "binding" || member === "dlopen" ? `process.${member}` : undefined;
  if (from !== "module" || member === undefined) return undefined;
  const isMaker = name === "vm" ? member !== "isContext" : name === "module" && LOADING.includes(member);
  return isMaker ? `${name}.${member}` : undefined;
}

/** They say how text becomes a module, whatever is then imported. */
const LOADING: readonly string[] = ["register", "registerHooks", "runMain", "_compile"];

/** `value instanceof Function`, `kind === Function` and `Function.prototype.call` make nothing. */
function isOnlyCompared(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.expression === node)
    return parent.name.text === "prototype" || parent.name.text === "name";
  if (!ts.isBinaryExpression(parent)) return false;
  return [
    ts.SyntaxKind.InstanceOfKeyword,
    ts.SyntaxKind.EqualsEqualsEqualsToken,
    ts.SyntaxKind.ExclamationEqualsEqualsToken,
    ts.SyntaxKind.EqualsEqualsToken,
    ts.SyntaxKind.ExclamationEqualsToken,
  ].includes(parent.operatorToken.kind);
}

/**
 * The constructor of a function is `Function`; `error.constructor.name` and `new this.constructor(x)` are honest. Called
 * without `new`, a constructor that is no class can hardly be anything else.
 */
function constructorUse(access: ts.Node, object: ts.Node, syntax: Syntax): string | undefined {
  const isCalled = ts.isCallExpression(access.parent) && access.parent.expression === access;
  if (isCalled || isFunction(object, syntax) || isCalledLater(access, syntax))
    return "a function's constructor";
  return undefined;
}

function destructured(element: ts.BindingElement, syntax: Syntax): string | undefined {
  const member = bindingMember(element);
  const owner = element.parent.parent;
  if (member !== "constructor" || !ts.isVariableDeclaration(owner)) return judgedBinding(element, syntax);
  const isMade = owner.initializer !== undefined && isFunction(owner.initializer, syntax);
  return isMade || isCalledLater(element, syntax) ? "a function's constructor" : undefined;
}

function judgedBinding(element: ts.BindingElement, syntax: Syntax): string | undefined {
  return ts.isIdentifier(element.name) ? judged(originOf(element.name, syntax), element) : undefined;
}

function isFunction(node: ts.Node, syntax: Syntax): boolean {
  const object = unwrapped(node);
  if (ts.isArrowFunction(object) || ts.isFunctionExpression(object) || ts.isClassExpression(object))
    return true;
  if (ts.isPropertyAccessExpression(object) || ts.isElementAccessExpression(object)) {
    const member = memberOf(object);
    const isPrototypeOfFunction = member === "prototype" && isNamed(object.expression, "Function", syntax);
    return member === "constructor" || isPrototypeOfFunction || BUILT_IN_METHODS.has(member ?? "");
  }
  // `Object.getPrototypeOf(async function () {})`
  if (ts.isCallExpression(object))
    return isConstructor(object, syntax) || object.arguments.some((each) => isFunction(each, syntax));
  if (!ts.isIdentifier(object)) return false;
  if (syntax.isGlobal(object)) return GLOBAL_FUNCTIONS.has(object.text);
  return syntax.declarationsOf(object).some((declaration) => {
    if (ts.isFunctionDeclaration(declaration) || ts.isClassDeclaration(declaration)) return true;
    if (!ts.isVariableDeclaration(declaration) || declaration.initializer === undefined) return false;
    const initial = unwrapped(declaration.initializer);
    return initial !== object && !ts.isIdentifier(initial) && isFunction(initial, syntax);
  });
}

function isConstructor(call: ts.CallExpression, syntax: Syntax): boolean {
  const asked = lookUpIn(call, syntax);
  return asked !== undefined && constantKey(asked.key, syntax) === "constructor";
}

const BUILT_IN_METHODS = new Set([
  "map",
  "filter",
  "at",
  "slice",
  "call",
  "apply",
  "bind",
  "toString",
  "valueOf",
]);
const GLOBAL_FUNCTIONS = new Set([
  "Object",
  "Array",
  "String",
  "Number",
  "Boolean",
  "Symbol",
  "Date",
  "Promise",
  "Map",
]);

function isNamed(node: ts.Node, name: string, syntax: Syntax): boolean {
  const origin = originOf(node, syntax);
  return origin?.from === "global" && origin.name === name && origin.members.length === 0;
}

/** `const make = thing.constructor; make("…")` */
function isCalledLater(access: ts.Node, syntax: Syntax): boolean {
  const holder = ts.isBindingElement(access) ? access : access.parent;
  const isHolder = ts.isVariableDeclaration(holder) || ts.isBindingElement(holder);
  if (!isHolder || !ts.isIdentifier(holder.name)) return false;
  const { text } = holder.name;
  for (const node of everyNode(access.getSourceFile())) {
    if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression)) continue;
    if (node.expression.text === text && syntax.declarationsOf(node.expression).includes(holder)) return true;
  }
  return false;
}

/** `setTimeout("text")` is an eval that waits. */
function callWithText(call: ts.CallExpression, syntax: Syntax): string | undefined {
  const [first] = call.arguments;
  if (first === undefined) return undefined;
  const inner = unwrapped(first);
  if (!ts.isStringLiteralLike(inner) && !ts.isTemplateExpression(inner)) return undefined;
  const origin = originOf(call.expression, syntax);
  const isTimer = origin?.name === "setTimeout" || origin?.name === "setInterval";
  return isTimer && origin.members.length === 0 ? `${origin.name} with a text` : undefined;
}

/** Not a type, not a key, not the name of a declaration. */
function isValue(name: ts.Identifier): boolean {
  const { parent } = name;
  if (ts.isTypeNode(parent) || ts.isTypeParameterDeclaration(parent)) return false;
  if (ts.isExpressionWithTypeArguments(parent)) return parent.expression === name;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === name;
  if (ts.isBindingElement(parent)) return parent.initializer === name;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === name;
  const isName = "name" in parent && parent.name === name;
  return !isName || ts.isShorthandPropertyAssignment(parent);
}
