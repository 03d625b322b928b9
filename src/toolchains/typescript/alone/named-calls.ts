// Calls with what the code itself names: whoever makes an exception of some input has written it down somewhere.
import { received, type Sent, send } from "../differ/episode.ts";
import type { CompareJob } from "../inside/inner-job.ts";

const MOST_BEGINNINGS = 2;
const MOST_CALLS = 200;
const MOST_CONFUSABLE = 40;
/** The smallest, of which the others may be made. */
const MOST_PARTS = 12;

/** In place of one value of a call that gave a result, and of two. Small numbers come first: large ones may take long. */
export function namedCalls(
  given: readonly (readonly Sent[])[],
  literals: CompareJob["hints"],
): readonly Sent[][] {
  const named = wordsOf(literals);
  return newAmong(given, (beginnings) => [
    ...beginnings.flatMap((each) => ones(each, named)),
    ...beginnings.flatMap((each) => pairs(each, named)),
  ]);
}

/** With what comes of two numbers that the code names: an exception can be hidden behind a sum. */
export function workedOutCalls(
  given: readonly (readonly Sent[])[],
  literals: CompareJob["hints"],
): readonly Sent[][] {
  const named = wordsOf(literals).numbers.slice(0, MOST_PARTS);
  const results = named.flatMap((one) => named.flatMap((other) => resultsOf(one, other)));
  const numbers = [...new Set(results)].filter((each) => Number.isSafeInteger(each) && !named.includes(each));
  const sorted = numbers.toSorted((one, other) => Math.abs(one) - Math.abs(other));
  return newAmong(given, (beginnings) =>
    beginnings.flatMap((each) => ones(each, { numbers: sorted, strings: [] })),
  );
}

/**
 * Calls whose arguments, written one after the other, are the same text as those of another call, which comes before each:
 * whoever remembers by such a text takes one for the other.
 */
export function confusableCalls(given: readonly (readonly Sent[])[]): readonly Sent[][] {
  return given
    .flatMap((sent) => {
      const args = sent.map(received);
      const others = args.slice(1).flatMap((_, at) => shifted(args, at));
      return others.slice(0, 1).flatMap((other) => [[...sent], other.map(send)]);
    })
    .slice(0, MOST_CONFUSABLE);
}

/** The last sign of one argument becomes the first of the next. */
function shifted(args: readonly unknown[], at: number): unknown[][] {
  const [left, right] = [args[at], args[at + 1]];
  if (!isWritten(left) || !isWritten(right)) return [];
  const sign = String(left).at(-1) ?? "";
  const [shorter, longer] = [String(left).slice(0, -1), sign + String(right)];
  const [first, second] = [readAs(left, shorter), readAs(right, longer)];
  return first === undefined || second === undefined ? [] : [args.with(at, first).with(at + 1, second)];
}

function isWritten(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

/** Undefined where it would be written in another way. */
function readAs(like: string | number, text: string): string | number | undefined {
  if (typeof like === "string") return text;
  return text !== "" && String(Number(text)) === text ? Number(text) : undefined;
}

function resultsOf(one: number, other: number): number[] {
  return [one + other, one - other, one * other, one / other, one ** other];
}

function newAmong(
  given: readonly (readonly Sent[])[],
  make: (beginnings: readonly unknown[][]) => readonly unknown[][],
): Sent[][] {
  const known = new Set(given.map((args) => JSON.stringify(args)));
  const made: Sent[][] = [];
  for (const args of make(given.slice(0, MOST_BEGINNINGS).map((each) => each.map(received)))) {
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
