// Which calls and which keys a predicate may use: those that cannot lead to anything that changes something.
import ts from "typescript6";
import {
  CALLS_BACK,
  GIVES_NEW,
  MADE_OF_A_VALUE,
  PURE_FUNCTIONS,
  PURE_METHODS,
  PURE_STATICS,
  SELF_CHANGING,
} from "./pure-calls.ts";

/** A key that is put together could lead to what `.constructor` is refused for. */
export function elementProblem({ argumentExpression: key }: ts.ElementAccessExpression): string | undefined {
  if (ts.isTemplateExpression(key)) return "may not put the name of a member together";
  if (ts.isStringLiteralLike(key) && /^(?:constructor|prototype|__proto__|callee|caller)$/.test(key.text))
    return `["${key.text}"] leads to what others share`;
  const isJoined =
    ts.isBinaryExpression(key) && [key.left, key.right].some((side) => ts.isStringLiteralLike(side));
  return isJoined ? "may not put the name of a member together" : undefined;
}

export function callProblem({ expression: callee, arguments: given }: ts.CallExpression): string | undefined {
  if (ts.isIdentifier(callee))
    return PURE_FUNCTIONS.has(callee.text) ? undefined : `may not call ${callee.text}`;
  if (!ts.isPropertyAccessExpression(callee)) return "may only call functions by their names";
  const { expression: object, name } = callee;
  const handed = CALLS_BACK.has(name.text) ? given[0] : name.text === "from" ? given[1] : undefined;
  if (handed !== undefined && !isHarmlessFunction(handed))
    return `may only hand over functions that are written here, not ${handed.getText()}`;
  const statics =
    ts.isIdentifier(object) && Object.hasOwn(PURE_STATICS, object.text)
      ? PURE_STATICS[object.text]
      : undefined;
  if (statics !== undefined) return statics.has(name.text) ? undefined : `may not call ${callee.getText()}`;
  if (PURE_METHODS.has(name.text)) return undefined;
  if (!SELF_CHANGING.has(name.text)) return `may not call .${name.text}()`;
  return isNew(object)
    ? undefined
    : `.${name.text}() changes what it is called on; write [...list].${name.text}()`;
}

/** Made of a value and of nothing else: without one, a date would be now. */
export function newProblem({ expression, arguments: list }: ts.NewExpression): string | undefined {
  const given: readonly ts.Expression[] = list ?? [];
  const known = [...MADE_OF_A_VALUE].join(", ");
  if (!ts.isIdentifier(expression) || !MADE_OF_A_VALUE.has(expression.text))
    return `may not make anything with new but ${known}`;
  const isOfAValue = given.length > 0 && !given.some((each) => ts.isSpreadElement(each));
  return isOfAValue ? undefined : `new ${expression.text} needs a value that it is made of`;
}

function isHarmlessFunction(node: ts.Expression): boolean {
  if (ts.isArrowFunction(node)) return true;
  if (ts.isIdentifier(node)) return PURE_FUNCTIONS.has(node.text);
  if (!ts.isPropertyAccessExpression(node) || !ts.isIdentifier(node.expression)) return false;
  return PURE_STATICS[node.expression.text]?.has(node.name.text) === true;
}

function isNew(object: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(object)) return isNew(object.expression);
  if (ts.isArrayLiteralExpression(object)) return true;
  if (!ts.isCallExpression(object) || !ts.isPropertyAccessExpression(object.expression)) return false;
  return GIVES_NEW.has(object.expression.name.text);
}
