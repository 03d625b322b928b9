// Calls with what the code itself names: whoever makes an exception of some input has written it down somewhere.
import { received, type Sent, send } from "../differ/episode.ts";
import type { CompareJob } from "../inside/inner-job.ts";

const MOST_BEGINNINGS = 2;
const MOST_CALLS = 200;

/** In place of one value of a call that gave a result, and of two. Small numbers come first: large ones may take long. */
export function namedCalls(
  given: readonly (readonly Sent[])[],
  literals: CompareJob["hints"],
): readonly Sent[][] {
  const named = wordsOf(literals);
  const known = new Set(given.map((args) => JSON.stringify(args)));
  const made: Sent[][] = [];
  const beginnings = given.slice(0, MOST_BEGINNINGS).map((args) => args.map(received));
  for (const args of [
    ...beginnings.flatMap((each) => ones(each, named)),
    ...beginnings.flatMap((each) => pairs(each, named)),
  ]) {
    const sent = args.map(send);
    const key = JSON.stringify(sent);
    if (!known.has(key)) made.push(sent);
    known.add(key);
  }
  return made.slice(0, MOST_CALLS);
}

interface Words {
  numbers: readonly number[];
  strings: readonly string[];
}

/** Numbers may also stand in texts, as in the key of a table. */
function wordsOf({ numbers, strings }: CompareJob["hints"]): Words {
  const all = [...new Set([...numbers, ...strings.flatMap(numbersIn)])].filter(Number.isFinite);
  return { numbers: all.toSorted((one, other) => one - other), strings };
}

function ones(args: readonly unknown[], named: Words): unknown[][] {
  return args.flatMap((value, at) => inPlaceOf(value, named).map((other) => args.with(at, other)));
}

function pairs(args: readonly unknown[], named: Words): unknown[][] {
  const [first = -1, second = -1] = args.flatMap((value, at) => (typeof value === "number" ? [at] : []));
  if (second === -1) return [];
  return inPlaceOf(args[first], named).flatMap((one) =>
    inPlaceOf(args[second], named).map((other) => args.with(first, one).with(second, other)),
  );
}

/** Of the same type, and whole where it was; in a list and in an object, of what it holds. */
function inPlaceOf(value: unknown, named: Words): unknown[] {
  if (typeof value === "number")
    return named.numbers.filter((each) => Number.isInteger(each) || !Number.isInteger(value));
  if (typeof value === "string") return [...named.strings];
  if (Array.isArray(value)) return listsInPlaceOf(value, named);
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return [];
  return Object.entries(value).flatMap(([name, field]) =>
    inPlaceOf(field, named).map((each) => ({ ...value, [name]: each })),
  );
}

function listsInPlaceOf(list: readonly unknown[], named: Words): unknown[][] {
  if (list.length === 0) return [];
  const whole = list.every((each) => typeof each === "number")
    ? named.strings.map(numbersIn).filter(({ length }) => length > 1)
    : [];
  return [...whole, ...inPlaceOf(list[0], named).flatMap((each) => [list.with(0, each), [each]])];
}

function numbersIn(text: string): number[] {
  return (text.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number);
}
