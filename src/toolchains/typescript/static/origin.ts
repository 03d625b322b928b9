// Follows an expression back to what the system gives: `const { now: time } = globalThis["Date"]` makes `time` Date.now.
import { posix } from "node:path";
import ts from "typescript6";
import { givesDescriptor, isHeldByDescriptor, type LookUp, lookUpBy } from "./look-up.ts";
import { moduleName } from "./module-name.ts";
import type { Syntax } from "./syntax.ts";

/** Where a value comes from: a global, or a module and what of it; `members` leads from there to the value. */
export interface Origin {
  from: "global" | "module";
  /** The first global, or the module's name without `node:`; empty for the global object itself. */
  name: string;
  members: readonly string[];
  /** Whether it is not the thing itself but the descriptor that holds it. */
  isDescriptor?: boolean;
}

const GLOBAL_OBJECTS = ["globalThis", "global", "window", "self"];
const MOST_STEPS = 64;

/** Undefined where it leads to the module's own code, to a parameter, or further than can be followed. */
export function originOf(expression: ts.Node, syntax: Syntax, steps = MOST_STEPS): Origin | undefined {
  if (steps === 0) return undefined;
  const inner = unwrapped(expression);
  const next = (node: ts.Node) => originOf(node, syntax, steps - 1);
  if (ts.isIdentifier(inner)) return originOfName(inner, syntax, steps);
  if (ts.isPropertyAccessExpression(inner) || ts.isElementAccessExpression(inner)) {
    const member = memberOf(inner) ?? constantMember(inner, syntax);
    return member === undefined ? undefined : below(next(inner.expression), member);
  }
  if (ts.isCallExpression(inner)) return originOfCall(inner, syntax, steps);
  if (ts.isMetaProperty(inner)) return { from: "global", name: "import.meta", members: [] };
  if (ts.isConditionalExpression(inner)) return next(inner.whenTrue) ?? next(inner.whenFalse);
  const either = isEither(inner) ? (next(inner.left) ?? next(inner.right)) : undefined;
  return either;
}

/** The call by which a thing was made, also where it was given a name first. */
export function makingOf(thing: ts.Node, syntax: Syntax): ts.NewExpression | ts.CallExpression | undefined {
  const made = unwrapped(thing);
  if (ts.isNewExpression(made) || ts.isCallExpression(made)) return made;
  if (!ts.isIdentifier(made)) return undefined;
  for (const declaration of syntax.declarationsOf(made))
    if (ts.isVariableDeclaration(declaration) && declaration.initializer !== undefined) {
      const initial = unwrapped(declaration.initializer);
      if (ts.isNewExpression(initial) || ts.isCallExpression(initial)) return initial;
    }
  return undefined;
}

/** `fs.promises.readFile`, as people write it. */
export function spelled({ name, members }: Origin): string {
  return [name, ...members].filter((part) => part !== "").join(".");
}

/** What parentheses, assertions and commas leave. */
export function unwrapped(node: ts.Node): ts.Node {
  let inner = node;
  for (;;) {
    if (ts.isBinaryExpression(inner) && inner.operatorToken.kind === ts.SyntaxKind.CommaToken)
      inner = inner.right;
    else if (
      ts.isParenthesizedExpression(inner) ||
      ts.isAsExpression(inner) ||
      ts.isSatisfiesExpression(inner) ||
      ts.isNonNullExpression(inner) ||
      ts.isTypeAssertionExpression(inner) ||
      ts.isAwaitExpression(inner)
    )
      inner = inner.expression;
    else return inner;
  }
}

/** A text that is the same in every run, also when it is put together from several. */
export function constantText(node: ts.Node, steps = MOST_STEPS): string | undefined {
  const inner = unwrapped(node);
  if (ts.isStringLiteralLike(inner)) return inner.text;
  if (ts.isNumericLiteral(inner)) return inner.text;
  if (steps === 0) return undefined;
  if (ts.isBinaryExpression(inner) && inner.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left, right] = [constantText(inner.left, steps - 1), constantText(inner.right, steps - 1)];
    return left === undefined || right === undefined ? undefined : left + right;
  }
  if (!ts.isTemplateExpression(inner)) return undefined;
  const parts = inner.templateSpans.map((span) => {
    const text = constantText(span.expression, steps - 1);
    return text === undefined ? undefined : text + span.literal.text;
  });
  return parts.includes(undefined) ? undefined : inner.head.text + parts.join("");
}

export function memberOf(
  access: ts.PropertyAccessExpression | ts.ElementAccessExpression,
): string | undefined {
  return ts.isPropertyAccessExpression(access) ? access.name.text : constantText(access.argumentExpression);
}

function constantMember(
  access: ts.PropertyAccessExpression | ts.ElementAccessExpression,
  syntax: Syntax,
): string | undefined {
  return ts.isPropertyAccessExpression(access) ? undefined : constantKey(access.argumentExpression, syntax);
}

/** `"pid"`, and WHICH in `process[WHICH]` where it is a constant. */
export function constantKey(key: ts.Node, syntax: Syntax): string | undefined {
  const name = unwrapped(key);
  if (!ts.isIdentifier(name)) return constantText(name);
  for (const declaration of syntax.declarationsOf(name))
    if (ts.isVariableDeclaration(declaration) && isConstant(declaration))
      return declaration.initializer && constantText(declaration.initializer);
  return undefined;
}

/** What may be given another value later says nothing of it. */
function isConstant(declaration: ts.VariableDeclaration): boolean {
  return (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0;
}

function originOfName(name: ts.Identifier, syntax: Syntax, steps: number): Origin | undefined {
  if (syntax.isGlobal(name)) {
    const isObject = GLOBAL_OBJECTS.includes(name.text);
    return { from: "global", name: isObject ? "" : name.text, members: [] };
  }
  for (const declaration of syntax.declarationsOf(name)) {
    const origin = originOfDeclaration(declaration, syntax, steps - 1);
    if (origin !== undefined) return origin;
  }
  return undefined;
}

function originOfDeclaration(declaration: ts.Node, syntax: Syntax, steps: number): Origin | undefined {
  if (ts.isVariableDeclaration(declaration) && ts.isIdentifier(declaration.name))
    return declaration.initializer && originOf(declaration.initializer, syntax, steps);
  if (ts.isBindingElement(declaration)) return originOfBinding(declaration, syntax, steps);
  if (ts.isImportEqualsDeclaration(declaration)) {
    const { moduleReference: to } = declaration;
    return ts.isExternalModuleReference(to) ? ofModule(constantText(to.expression)) : undefined;
  }
  if (
    !ts.isImportSpecifier(declaration) &&
    !ts.isImportClause(declaration) &&
    !ts.isNamespaceImport(declaration)
  )
    return undefined;
  const statement = ts.findAncestor(declaration, ts.isImportDeclaration);
  const origin = ofModule(statement && constantText(statement.moduleSpecifier));
  if (!ts.isImportSpecifier(declaration)) return origin;
  return below(origin, (declaration.propertyName ?? declaration.name).text);
}

function originOfBinding(element: ts.BindingElement, syntax: Syntax, steps: number): Origin | undefined {
  const { parent: pattern } = element;
  if (element.dotDotDotToken !== undefined || ts.isArrayBindingPattern(pattern)) return undefined;
  const member = bindingMember(element);
  if (member === undefined) return undefined;
  const owner = pattern.parent;
  if (ts.isBindingElement(owner)) return below(originOfBinding(owner, syntax, steps - 1), member);
  return owner.initializer && below(originOf(owner.initializer, syntax, steps - 1), member);
}

export function bindingMember({ propertyName, name }: ts.BindingElement): string | undefined {
  const key = propertyName ?? name;
  if (ts.isIdentifier(key) || ts.isStringLiteralLike(key)) return key.text;
  return ts.isComputedPropertyName(key) ? constantText(key.expression) : undefined;
}

/** Calls that give a module or a way to one. */
function originOfCall(call: ts.CallExpression, syntax: Syntax, steps: number): Origin | undefined {
  const [first] = call.arguments;
  if (call.expression.kind === ts.SyntaxKind.ImportKeyword) return ofModule(first && constantText(first));
  const callee = originOf(call.expression, syntax, steps - 1);
  if (callee === undefined) return undefined;
  if (isRequire(callee)) return ofModule(first && constantText(first));
  const asked = callee.from === "global" ? lookUpBy(spelled(callee), call) : undefined;
  if (asked !== undefined) {
    const member = constantKey(asked.key, syntax);
    const found = member === undefined ? undefined : below(originOf(asked.thing, syntax, steps - 1), member);
    return found && givesDescriptor(spelled(callee)) ? { ...found, isDescriptor: true } : found;
  }
  const isMaker = callee.name === "module" && callee.members.at(-1) === "createRequire";
  return isMaker ? { from: "global", name: "require", members: [] } : undefined;
}

/** Of what a call gives a member, and which one. */
export function lookUpIn(call: ts.CallExpression, syntax: Syntax): LookUp | undefined {
  const callee = originOf(call.expression, syntax);
  return callee?.from === "global" ? lookUpBy(spelled(callee), call) : undefined;
}

/** Functions that load what their first argument names. */
export function isRequire({ name, members }: Origin): boolean {
  if (name === "require" && members.length === 0) return true;
  const last = members.at(-1) ?? "";
  if (name === "process" && last === "getBuiltinModule") return true;
  // `process.mainModule.require`, `require.main.require`, `module.constructor._load`
  return LOADERS.includes(name) && (last === "require" || last === "_load");
}

const LOADERS = ["module", "process", "require"];

function ofModule(specifier: string | undefined): Origin | undefined {
  if (specifier === undefined || specifier.startsWith(".") || posix.isAbsolute(specifier)) return undefined;
  return { from: "module", name: moduleName(specifier), members: [] };
}

/** `default` and `globalThis` lead to the thing itself. */
function below(origin: Origin | undefined, member: string): Origin | undefined {
  if (origin === undefined) return undefined;
  const { from, name, members } = origin;
  if (origin.isDescriptor === true) return isHeldByDescriptor(member) ? { from, name, members } : undefined;
  if (from === "module" && member === "default" && members.length === 0) return origin;
  if (from === "global" && name === "")
    return { from, name: GLOBAL_OBJECTS.includes(member) ? "" : member, members };
  return { from, name, members: [...members, member] };
}

function isEither(node: ts.Node): node is ts.BinaryExpression {
  return (
    ts.isBinaryExpression(node) &&
    [
      ts.SyntaxKind.BarBarToken,
      ts.SyntaxKind.QuestionQuestionToken,
      ts.SyntaxKind.AmpersandAmpersandToken,
    ].includes(node.operatorToken.kind)
  );
}
