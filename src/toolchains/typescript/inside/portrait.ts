// Shows a value as JSON, where JSON has words for all of it, and as Node prints it; by means that foreign code cannot replace.
import { inspect } from "node:util";
import { encode } from "./plain-json.ts";

const { apply, get, getPrototypeOf, ownKeys } = Reflect;
const { isArray } = Array;
const { isFinite } = Number;
const [plainObject, plainArray] = [Object.prototype, Array.prototype];
const print = inspect;
const cut: (this: string, from: number, to: number) => string = Reflect.get(String.prototype, "slice");

const MOST_DEPTH = 100;
const MOST_TEXT = 20_000;

export type AsJson = { json: string } | { notJson: string };

export function asJson(value: unknown): AsJson {
  const why = notPlain(value, "the value", 0);
  return why === undefined ? { json: bounded(encode(value)) } : { notJson: why };
}

/** What stands in the way of JSON. */
function notPlain(value: unknown, where: string, depth: number): string | undefined {
  switch (typeof value) {
    case "string":
    case "boolean":
      return undefined;
    case "number":
      return isFinite(value) ? undefined : `${where} is ${value}`;
    case "undefined":
    case "bigint":
    case "symbol":
    case "function":
      return `${where} is ${typeof value === "undefined" ? "undefined" : `a ${typeof value}`}`;
    case "object":
      return value === null ? undefined : notPlainObject(value, where, depth);
  }
}

function notPlainObject(value: object, where: string, depth: number): string | undefined {
  if (depth > MOST_DEPTH) return `${where} is too deep`;
  const prototype = getPrototypeOf(value);
  const isList = isArray(value);
  if (prototype !== (isList ? plainArray : plainObject) && prototype !== null)
    return `${where} is an instance of a class`;
  const keys = ownKeys(value);
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at] ?? "";
    if (typeof key === "symbol") return `${where} has a symbol for a key`;
    if (isList && key === "length") continue;
    const why = notPlain(get(value, key), key, depth + 1);
    if (why !== undefined) return why;
  }
  return undefined;
}

/** Text as it is, everything else as Node shows it, over several lines and on one. */
export function asShown(value: unknown): [lines: string, line: string] {
  if (typeof value === "string") return [bounded(value), bounded(value)];
  try {
    return [bounded(print(value, SHOWN)), bounded(print(value, ON_ONE_LINE))];
  } catch {
    return ["a value that cannot be shown", "a value that cannot be shown"];
  }
}

const SHOWN = { depth: 20, customInspect: false, maxArrayLength: 1_000, maxStringLength: MOST_TEXT };
const ON_ONE_LINE = { ...SHOWN, breakLength: Infinity, compact: true };

/** A value with something before and after that is not the same. */
export function isChange(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const [before, after]: unknown[] = [get(value, "before"), get(value, "after")];
  return asShown(before)[1] !== asShown(after)[1];
}

export function bounded(text: string): string {
  return text.length > MOST_TEXT ? `${apply(cut, text, [0, MOST_TEXT])}…` : text;
}
