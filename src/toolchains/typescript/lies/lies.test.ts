// Liars give values of the right type that are wrong, and keep their hands on nothing that is not theirs to change.
import { compileFunction } from "node:vm";
import { expect, test } from "vitest";
import type { EntryPoint } from "../../../domain/contract/contract.ts";
import { stubMessage } from "../stub-mark.ts";
import { lies } from "./lies.ts";

const stub = (name: string) => `throw new Error(${JSON.stringify(stubMessage(name))});`;

function entry(name: string, signature: string): EntryPoint {
  return { name, signature, inputs: [], outputs: [], errors: [], effects: [] };
}

/** What a function that takes `a` gives in each way, called twice. */
function told(signature: string, given?: unknown, sources = ""): unknown[][] {
  const stubs = { "src/index.js": `function f(a) { ${stub("f")} }\n` };
  return lies(stubs, { "src/index.ts": sources }, [entry("f", signature)]).map((edits) => {
    const code = `${edits["src/index.js"]}\nreturn [f(given), f(given)];`;
    const pair: unknown = Reflect.apply(compileFunction(code, ["given"]), undefined, [given]);
    return Array.isArray(pair) ? pair : [];
  });
}

test("every way gives another value of the type, and one never gives the same twice", () => {
  const numbers = told("(a: string) => number");
  expect(numbers.flat().every((each) => typeof each === "number")).toBe(true);
  expect(numbers.map(([one, other]) => Object.is(one, other))).toEqual([true, false, true]);
  const texts = told("(a: number) => string");
  expect(texts.flat().every((each) => typeof each === "string")).toBe(true);
  expect(texts.map(([one, other]) => one === other)).toEqual([false, true, true]);
  expect(told("(a: string) => boolean").map((pair) => new Set(pair).size)).toEqual([2, 1, 1]);
});

test("lists and objects of the module's own types are made, too", () => {
  const point = "export interface Point { x: number; name?: string }";
  const [odd, empty] = told("(a: string) => Point[]", "a", point);
  expect(odd).toEqual(
    [1, 2].map(() => [1, 2].map((): unknown => ({ x: expect.any(Number), name: expect.any(String) }))),
  );
  expect(empty).toEqual([[], []]);
});

test("a promise is kept as one", async () => {
  for (const pair of told("(a: string) => Promise<number>"))
    for (const each of pair) {
      expect(each).toBeInstanceOf(Promise);
      expect(typeof (await each)).toBe("number");
    }
});

test("the last way changes what it is handed, and hands it back", () => {
  const list = [1];
  const pairs = told("(a: number[]) => number[]", list);
  expect(list).toEqual(["cupel lies", "cupel lies", 1]);
  expect(pairs.map(([one]) => one === list)).toEqual([false, false, true]);
});

test.each<[string, unknown, unknown]>([
  ["a set", new Set([1]), new Set([1, "cupel lies"])],
  [
    "a map",
    new Map([[1, 2]]),
    new Map<unknown, unknown>([
      [1, 2],
      ["cupel lies", true],
    ]),
  ],
  ["a date", new Date(1), new Date(7919)],
  ["bytes", Uint8Array.of(1, 2), Uint8Array.of(79, 79)],
  [
    "what is inside",
    { a: { b: [1] } },
    { a: { b: ["cupel lies", "cupel lies", 1], cupelLies: true }, cupelLies: true },
  ],
])("the last way changes %s, too", (_, given, after) => {
  told("(a: unknown) => number", given);
  expect(given).toEqual(after);
});

test("the last way changes each of the rest, and not their list alone", () => {
  const stubs = { "src/index.js": `function f(...all) { ${stub("f")} }\n` };
  const ways = lies(stubs, {}, [entry("f", "(...all: number[][]) => number")]);
  const given = [[1], [2]];
  const call = compileFunction(`${ways.at(-1)?.["src/index.js"]}\nreturn f(...given);`, ["given"]);
  Reflect.apply(call, undefined, [given]);
  expect(given).toEqual([
    ["cupel lies", 1],
    ["cupel lies", 2],
  ]);
});

test.each([
  "(a: string) => void",
  "(a: string) => undefined",
  '(a: string) => "one"',
  "(a: string) => Unknown",
])("%s cannot lie", (signature) => {
  const stubs = { "src/index.ts": `export function f(a) { ${stub("f")} }\n` };
  expect(lies(stubs, stubs, [entry("f", signature)])).toEqual([]);
});

test("members lie, and there is an instance to do so", () => {
  const stubs = {
    "src/index.js": `class Stack { constructor() { ${stub("Stack.constructor")} } pop() { ${stub("Stack.pop")} } }\n`,
  };
  const [first] = lies(stubs, {}, [entry("Stack.pop", "() => number")]);
  const code = `${first?.["src/index.js"]}\nreturn new Stack().pop();`;
  expect(Reflect.apply(compileFunction(code), undefined, [])).toBeNaN();
});
