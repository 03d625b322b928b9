// Finds what a result answers for itself where the language should: whoever asks a list whether all of it is good must not be
// answered by the code that made the list.
import { types } from "node:util";

/** Taken before the module is loaded, which could put others in their place. */
const { getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
const isList = Array.isArray;
const { isProxy } = types;

const BUILT_IN: readonly object[] = [Array, Map, Set, Date, RegExp, Uint8Array, Promise].map(
  ({ prototype }): object => prototype,
);
/** How a thing is shown, and by whom it was made, is its own business. */
const OWN_BUSINESS: readonly PropertyKey[] = ["constructor", "toString", "toLocaleString", "toJSON"];
const MOST_PARTS = 50;

type Known = (maker: unknown) => boolean;

/** The name of the first such answer in it; what classes do that callers know of is known to them. */
export function answersForItself(result: unknown, known: Known): string | undefined {
  const parts: unknown[] = [result];
  for (let at = 0; at < parts.length && at < MOST_PARTS; at++) {
    const part = parts[at];
    if (typeof part !== "object" || part === null) continue;
    const found = ownAnswer(part, known);
    if (found !== undefined) return found;
    const inside: unknown[] =
      part instanceof Map || part instanceof Set ? [...part.values()] : valuesOf(part);
    parts.push(...inside.slice(0, MOST_PARTS));
  }
  return undefined;
}

function ownAnswer(value: object, known: Known): string | undefined {
  const base = BUILT_IN.find((each) => Object.prototype.isPrototypeOf.call(each, value));
  if (base === undefined) return undefined;
  if (isProxy(value)) return "anything";
  for (
    let holder: object | null = value;
    holder !== null && holder !== base;
    holder = getPrototypeOf(holder)
  ) {
    if (holder !== value && known(Reflect.get(holder, "constructor"))) continue;
    const found = ownKeys(holder).find((key) => isAnswer(key, holder, base));
    if (found !== undefined) return String(found);
  }
  return undefined;
}

/** What stands in a list is there, and not worked out each time that somebody looks. */
function isAnswer(key: PropertyKey, holder: object, base: object): boolean {
  if (isList(holder) && key === "length") return false;
  const isWorkedOut = isList(holder) && getOwnPropertyDescriptor(holder, key)?.get !== undefined;
  return isWorkedOut || (key in base && !OWN_BUSINESS.includes(key));
}

/** Without what is only worked out when somebody reads it. */
function valuesOf(value: object): unknown[] {
  return Object.values(Object.getOwnPropertyDescriptors(value)).map((field): unknown => field.value);
}
