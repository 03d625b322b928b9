// What a module learns of the time, the place or by chance from things that it made without being told any.
import ts from "typescript6";
import type { SeenEffect } from "../../port.ts";
import {
  bindingMember,
  constantKey,
  constantText,
  lookUpIn,
  makingOf,
  memberOf,
  type Origin,
  originOf,
  spelled,
  unwrapped,
} from "../static/origin.ts";
import type { Syntax } from "../static/syntax.ts";
import { makesChance, startsHere, tellsPlace, tellsTime } from "./effect-table.ts";

type Told = Pick<SeenEffect, "type" | "what">;

/** `new Event("x").timeStamp`, also by another spelling of its member. */
export function toldBy(node: ts.Node, syntax: Syntax): Told | undefined {
  const { thing, member } = memberAt(node, syntax) ?? {};
  const making = thing && makingOf(thing, syntax);
  const maker = making && originOf(making.expression, syntax);
  if (member === undefined || making === undefined || maker === undefined) return undefined;
  const what = `${spelled(maker)}.${member}`;
  if (tellsTime(maker, member) && isAboutNow(node, member)) return { type: "CLOCK", what };
  if (makesChance(maker, member)) return { type: "RANDOM", what };
  return tellsPlace(maker, member) && isAboutHere(maker, making) ? { type: "READ", what } : undefined;
}

/** `event.timeStamp`, `event["timeStamp"]`, `const { timeStamp } = event` and `Reflect.get(event, "timeStamp")`. */
function memberAt(node: ts.Node, syntax: Syntax): { thing: ts.Node; member: string | undefined } | undefined {
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node))
    return { thing: node.expression, member: memberOf(node) };
  if (ts.isBindingElement(node)) {
    const { initializer: thing } = node.parent.parent;
    return thing && { thing, member: bindingMember(node) };
  }
  const asked = ts.isCallExpression(node) ? lookUpIn(node, syntax) : undefined;
  return asked && { thing: asked.thing, member: constantKey(asked.key, syntax) };
}

/** `new Intl.DateTimeFormat().format()` is; whoever is handed the method may hand it a time. */
function isAboutNow({ parent }: ts.Node, member: string): boolean {
  return !member.startsWith("format") || (ts.isCallExpression(parent) && isToldNothing(parent));
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

/** `parseArgs({ options })` reads what the process was started with, unless it is given something else to read. */
export function ownArguments(call: ts.CallExpression, syntax: Syntax): Told | undefined {
  const callee = originOf(call.expression, syntax);
  if (callee?.from !== "module" || spelled(callee) !== "util.parseArgs") return undefined;
  const [given] = call.arguments;
  const settings = given && unwrapped(given);
  const isTold =
    settings !== undefined &&
    (!ts.isObjectLiteralExpression(settings) ||
      settings.properties.some((each) => ts.isSpreadAssignment(each) || each.name?.getText() === "args"));
  return isTold ? undefined : { type: "READ", what: "util.parseArgs of the process" };
}

/** `resolve("a")` begins where the process was started; what is handed in may begin at the root. */
export function relativePlace(call: ts.CallExpression, syntax: Syntax): Told | undefined {
  const callee = originOf(call.expression, syntax);
  if (callee === undefined || !startsHere(callee)) return undefined;
  const parts = call.arguments.map((each) => constantText(each));
  const isRelative = parts.every((each) => each !== undefined && !/^(?:[\\/]|[a-z]:)/i.test(each));
  return isRelative ? { type: "READ", what: `${spelled(callee)} of a relative path` } : undefined;
}
