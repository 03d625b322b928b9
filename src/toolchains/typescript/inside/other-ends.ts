// How else a call could have ended: values and errors that a predicate is asked about, to see whether anything could break it.
import type { WatchedPredicate } from "../watch/predicate-plan.ts";

const FOREIGN_TEXT = "\u0007 Cupel asks whether anything is wrong";
/** None of them is so large that a predicate could stumble over its size. */
const NUMBERS = [0, -1, 0.5, 7919, Infinity, -Infinity];
const MOST_NEAR = 50;

/** What code throws when it stumbles, with words that nobody promised. */
export const FOREIGN_ERRORS: readonly unknown[] = [
  new Error(FOREIGN_TEXT),
  new TypeError(FOREIGN_TEXT),
  new RangeError(FOREIGN_TEXT),
  new ReferenceError(FOREIGN_TEXT),
];

/** Those that differ in kind come first: nearly every predicate is broken by one of them. */
export function otherResults(
  result: unknown,
  args: unknown,
  { expr, kind }: Pick<WatchedPredicate, "expr" | "kind">,
): unknown[] {
  const others: unknown[] = [undefined, null, FOREIGN_TEXT, "", ...NUMBERS, true, false, [], {}, [undefined]];
  if (typeof result === "number") others.push(result + 1, result - 1, -result);
  // Where a number is promised, one that is none would break it; anything else differs from that by nature.
  if (typeof result === "number" && kind === "ensures") others.push(Number.NaN);
  return [...others, ...literalsIn(expr), ...partsOf(args)];
}

/** What a predicate forbids by name, such as `result !== "admin"`. */
function literalsIn(expr: string): unknown[] {
  const found = expr.match(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\b\d+(?:\.\d+)?\b/g) ?? [];
  return found.slice(0, MOST_NEAR).flatMap((text): unknown[] => {
    const number = Number(text);
    return Number.isNaN(number) ? [text.slice(1, -1)] : [number, -number];
  });
}

/** What a predicate forbids because it was given: the arguments, and what lies in them. */
function partsOf(args: unknown): unknown[] {
  const parts: unknown[] = [args];
  for (let at = 0; at < parts.length && parts.length < MOST_NEAR; at++) {
    const part = parts[at];
    if (typeof part === "object" && part !== null) parts.push(...Object.values(part).slice(0, MOST_NEAR));
  }
  return parts.slice(1);
}
