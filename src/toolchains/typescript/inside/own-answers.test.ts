import { expect, test } from "vitest";
import { answersForItself } from "./own-answers.ts";

class Sorted extends Array<number> {
  override includes(): boolean {
    return true;
  }
}

class Named extends Array<number> {
  override toString(): string {
    return "a list";
  }

  get last(): number | undefined {
    return this.at(-1);
  }
}

test.each([
  ["a list with a method of its own", Object.assign([1], { every: () => true }), "every"],
  ["a list of a class of its own", Sorted.of(1), "includes"],
  [
    "a list that is gone through otherwise",
    Object.assign([1], { [Symbol.iterator]: () => [].values() }),
    "Symbol(Symbol.iterator)",
  ],
  ["a map within a result", { found: [Object.assign(new Map(), { get: () => 1 })] }, "get"],
  ["a list that is none", new Proxy([1], {}), "anything"],
  ["a list that is worked out", Object.defineProperty([], 0, { get: () => 1, enumerable: true }), "0"],
  ["a date that is another", Object.assign(new Date(0), { getTime: () => 1 }), "getTime"],
])("%s is found", (_, result, answer) => {
  expect(answersForItself(result, () => false)).toBe(answer);
});

test.each([
  ["a list", [1, 2]],
  ["what a pattern has found", /(?<letter>a)/.exec("a")],
  ["a list that is shown in its own way", Named.of(1)],
  ["bytes", Uint8Array.of(1)],
  ["maps and sets", [new Map([[1, new Set([1])]])]],
  ["an object with methods", { every: () => true, length: 3 }],
  ["nothing", null],
])("%s is left alone", (_, result) => {
  expect(answersForItself(result, () => false)).toBeUndefined();
});

test("what a class does that callers know is known to them", () => {
  expect(answersForItself(Sorted.of(1), (maker) => maker === Sorted)).toBeUndefined();
});
