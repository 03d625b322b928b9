import { describe, expect, test } from "vitest";
import { groundTruth } from "./ground-truth.ts";
import { viewOf } from "./samples.suite.ts";

const MODULE = {
  "src/index.ts": `import { hidden } from "./hidden.ts";
export { renamed as shown } from "./hidden.ts";
export function add(a: number, b: number) { return hidden(a) + b; }
export function sub(a: number, b: number) { return add(a, -b); }
export const twice = (n: number) => add(n, n);
export class Store { #kept: string[] = []; constructor(readonly limit = 3) {} put(text: string) { this.#check(); this.#kept.push(text); return this; } get size() { return this.#kept.length; } #check() {} static open() { return new Store(); } }
export interface Counter { next(): number }
export function createCounter(): Counter { let at = 0; return { next: () => ++at }; }
export function stub(): void { throw new Error("cupel:stub stub"); }
export default function main() { return 1; }`,
  "src/hidden.ts":
    "export function hidden(n: number) { return n; }\nexport function renamed(n: number) { return n; }",
  "test/helper.ts":
    'import { sub } from "../src/index.ts";\nexport const viaHelper = (n: number) => sub(n, 1);\nexport function withStore(use: () => unknown) { return use(); }',
};

function callsOf(body: string, more = ""): Record<string, readonly string[]> {
  const text = `import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, suite, test, test as check, vi } from "vitest";
import main, { add, createCounter, shown, Store, stub, sub, twice } from "../src/index.ts";
import * as all from "../src/index.ts";
import { viaHelper, withStore } from "./helper.ts";
${body}`;
  const truth = groundTruth(
    viewOf({ ...MODULE, "test/a.test.ts": text, ...(more === "" ? {} : { "test/b.test.ts": more }) }),
  );
  return Object.fromEntries(truth.tests.map(({ name, calls }) => [name, calls]));
}

describe("a test reaches", () => {
  test.each<[string, string, string[]]>([
    ["what it calls, and the internal functions behind it", "add(1, 2)", ["add", "hidden"]],
    ["but not what an exported function calls of the exported", "sub(1, 2)", ["sub"]],
    ["what a helper calls", "viaHelper(2)", ["sub"]],
    ["what a helper is given to call", "withStore(() => twice(1))", ["twice"]],
    ["what a helper is given by name", "withStore(main)", ["default", "main"]],
    ["through an alias", "const f = add; f(1, 2)", ["add", "hidden"]],
    ["through a namespace", "all.twice(1)", ["twice"]],
    ["through a destructured namespace", "const { twice: t } = all; t(1)", ["twice"]],
    ["through an object", "const o = { shown }; o.shown(1)", ["shown"]],
    ["by the name of the export", "shown(1)", ["shown"]],
    [
      "methods, private ones behind them, accessors",
      "new Store().put('x').size",
      ["Store", "Store.#check", "Store.constructor", "Store.put", "Store.size"],
    ],
    ["static methods", "Store.open()", ["Store.open"]],
    ["members of an interface", "createCounter().next()", ["Counter.next", "createCounter"]],
    ["callbacks", "[1].map(twice)", ["twice"]],
    ["what must throw", "expect(stub).toThrow()", ["stub"]],
    ["what must not throw", "expect(() => stub()).not.toThrow()", ["stub"]],
    ["properties", "fc.assert(fc.property(fc.nat(), (n) => { expect(twice(n)).toBe(2 * n); }))", ["twice"]],
    [
      "asynchronous properties",
      "fc.assert(fc.asyncProperty(fc.nat(), async (n) => { await twice(n); }))",
      ["twice"],
    ],
    ["where a condition is never true", "if (false) twice(1)", ["twice"]],
    [
      "not what it only mentions",
      "expect(twice).toBeDefined(); console.log(sub); void [add]; typeof main",
      [],
    ],
    ["not what a comment or a text says", "expect('add(1)').toBe('add(1)') // sub(1)", []],
    ["not a helper that is never called", "const unused = () => twice(1); expect(unused).toBeDefined()", []],
    [
      "not what is only a type",
      "const x: ReturnType<typeof add> | undefined = undefined; expect(x).toBe(undefined)",
      [],
    ],
  ])("%s", (_, body, calls) => {
    expect(callsOf(`test("t", () => { ${body}; });`)["t"]).toEqual(calls);
  });
});

describe("tests are known by", () => {
  test.each<[string, string, Record<string, string[]>]>([
    [
      "their blocks",
      'describe("a", () => { suite("b", () => { it("c", () => { twice(1); }); }); });',
      { "a > b > c": ["twice"] },
    ],
    ["an own name of the function", 'check("x", () => { twice(1); });', { x: ["twice"] }],
    [
      "the title of a table",
      'test.each([[1], [2]])("%d is %s", (n) => { twice(n); });',
      { "%d is %s": ["twice"] },
    ],
    [
      "a table of functions",
      'test.each([[sub, 1], [add, 2]])("row %#", (f) => { f(1, 2); });',
      { "row %#": ["add", "hidden", "sub"] },
    ],
    ["a tagged table", 'test.each`a\n${1}`("row $a", ({ a }) => { twice(a); });', { "row $a": ["twice"] }],
    [
      "modifiers",
      'test.skipIf(false).concurrent("x", () => { twice(1); });\ntest.only("y", () => {});',
      { x: ["twice"], y: [] },
    ],
    [
      "a template",
      "for (const n of [1, 2]) test(`n is ${n}`, () => { twice(n); });",
      { "n is ${n}": ["twice"] },
    ],
    [
      "functions in a loop",
      "for (const f of [add, sub]) test(`${f.name} works`, () => { f(1, 2); });",
      { "${f.name} works": ["add", "hidden", "sub"] },
    ],
    ["a joined title", 'const name = "n"; test("a " + name, () => {});', { "a n": [] }],
    ["a function", "describe(add, () => { test(Store.name, () => {}); });", { "add > Store": [] }],
    [
      "hooks before and after",
      'describe("d", () => { test("t", () => {}); beforeEach(() => { twice(1); }); afterEach(() => { sub(1, 2); }); });\ntest("other", () => {});',
      { "d > t": ["sub", "twice"], other: [] },
    ],
    [
      "values made beforehand",
      'const made = Store.open();\ndescribe("d", () => { const n = twice(2); test("t", () => { expect(made.limit + n).toBe(1); }); });',
      { "d > t": ["Store.open", "twice"] },
    ],
    [
      "helpers that declare them",
      'function behaves(name: string, f: (a: number, b: number) => number) { describe(name, () => { test(`${name} works`, () => { f(1, 2); }); }); }\nbehaves("sub", sub);\nbehaves("add", (a, b) => all.add(a, b));',
      { "sub > sub works": ["sub"], "add > add works": ["add", "hidden"] },
    ],
    [
      "own fixtures",
      'const mine = test.extend<{ n: number }>({ n: 1 });\nmine("t", ({ n }) => { twice(n); });',
      { t: ["twice"] },
    ],
    ["a named body", 'function body() { twice(1); }\ntest("t", body);', { t: ["twice"] }],
  ])("%s", (_, text, expected) => {
    expect(callsOf(text)).toEqual(expected);
  });
});

test("functions are listed with those that are stubs", () => {
  const { functions } = groundTruth(viewOf(MODULE));
  expect(functions.filter(({ isStub }) => isStub)).toEqual([{ name: "stub", isStub: true }]);
  expect(functions.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      "add",
      "main",
      "hidden",
      "shown",
      "twice",
      "Store.put",
      "Store.size",
      "Store.#check",
      "Store.constructor",
    ]),
  );
});
