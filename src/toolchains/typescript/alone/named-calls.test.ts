// What the code names stands in calls alone and together, of the type that was there.
import { expect, test } from "vitest";
import { received, send } from "../differ/episode.ts";
import { confusableCalls, namedCalls, workedOutCalls } from "./named-calls.ts";

function named(given: unknown[], numbers: number[], strings: string[] = []): unknown[][] {
  return namedCalls([given.map(send)], { numbers, strings }).map((args) => args.map(received));
}

test("a number stands where a number was, and two of them together", () => {
  expect(named([1, 2], [7, 30])).toEqual([
    [7, 2],
    [30, 2],
    [1, 7],
    [1, 30],
    [7, 7],
    [7, 30],
    [30, 7],
    [30, 30],
  ]);
});

test("the key of a table names numbers, too", () => {
  expect(named([1, 2], [], ["1250/3"])).toContainEqual([1250, 3]);
});

test("texts stand for texts, and in what lists and objects hold", () => {
  expect(named(["a", true], [9], ["magic"])).toEqual([["magic", true]]);
  expect(named([{ unit: "g", of: [1, 2] }], [9], ["kg"])).toEqual([
    [{ unit: "kg", of: [1, 2] }],
    [{ unit: "g", of: [9, 2] }],
    [{ unit: "g", of: [9] }],
  ]);
  expect(named([[1, 2]], [], ["7,-7,8"])).toContainEqual([[7, -7, 8]]);
});

test("whole numbers are not broken, small ones come first, and what was given is not given again", () => {
  expect(named([5], [100, 0.5, 5, 3])).toEqual([[3], [100]]);
  expect(named([0.25], [100, 0.5])).toEqual([[0.5], [100]]);
  expect(named([() => 1, null, undefined], [1], ["x"])).toEqual([]);
});

test("of many there are some", () => {
  const numbers = Array.from({ length: 100 }, (_, at) => at);
  expect(named([1000, 2000], numbers)).toHaveLength(200);
});

test("what comes of two numbers stands where a number was, small ones first", () => {
  const made = workedOutCalls([[send(1), send("a")]], { numbers: [3, 14_133, 2], strings: [] });
  const numbers = made.map(([first]) => Number(first));
  expect(numbers).toEqual(expect.arrayContaining([5, 6, 8, 9, 4711, 14_136, 14_130, 42_399]));
  expect(numbers).toEqual(numbers.toSorted((one, other) => Math.abs(one) - Math.abs(other)));
  expect(numbers.every(Number.isSafeInteger)).toBe(true);
  expect(made.every(([, other]) => other === "a")).toBe(true);
});

test("what comes of numbers that nobody gave is not asked for", () => {
  expect(workedOutCalls([[send("a")]], { numbers: [3, 4], strings: [] })).toEqual([]);
  expect(workedOutCalls([[send(1)]], { numbers: [], strings: [] })).toEqual([]);
});

function confusable(...args: unknown[]): unknown[][] {
  return confusableCalls([args.map(send)]).map((each) => each.map(received));
}

test("arguments that are the same text are given after those that they could be taken for", () => {
  expect(confusable(1234, 5)).toEqual([
    [1234, 5],
    [123, 45],
  ]);
  expect(confusable("ab", "c", true)).toEqual([
    ["ab", "c", true],
    ["a", "bc", true],
  ]);
  // Nobody writes 03, and one sign cannot be parted.
  expect(confusable(100, 3)).toEqual([]);
  expect(confusable(7, 1)).toEqual([]);
  expect(confusable([1], 2)).toEqual([]);
});
