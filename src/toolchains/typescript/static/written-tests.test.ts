import { expect, test } from "vitest";
import { parseCode } from "./syntax.ts";
import { writtenTests } from "./written-tests.ts";

function titlesIn(code: string): string[] {
  const text = `import { describe, it, test } from "vitest";\n${code}`;
  const syntax = parseCode({ "test/a.test.ts": text }, ["test/a.test.ts"]);
  return writtenTests(syntax).map(({ line, title }) => `${line} ${title}`);
}

test.each([
  ['test("is there", () => {});', ["2 is there"]],
  ['it("is there", { timeout: 5 }, async () => {});', ["2 is there"]],
  ['describe("a", () => { it("is there", () => {}); });', ["2 is there"]],
  ['if (process.env.CI === undefined)\n  test("is not declared", () => {});', ["3 is not declared"]],
  ['function declare() {\n  test("is not declared", () => {});\n}', ["3 is not declared"]],
  ['test.each([])("%d %% of %s", () => {});', ["2 %d %s of %s"]],
  ["test.each`a | b`(`adds $a`, () => {});", ["2 adds $a"]],
  ["for (const name of names) test(`has ${name} in it`, () => {});", ["2 has ${…} in it"]],
  ['test.concurrent("is " + "there", () => {});', ["2 is there"]],
  ['const own = test.extend({});\nown("is there", ({ a }) => a);', ["3 is there"]],
  // Whatever is called like a test is none when it is somebody else's, and what has no title of its own says nothing.
  ['const check = (name: string) => name;\ncheck("is none", () => {});', []],
  ["function declare(name: string) {\n  test(name, () => {});\n}", []],
  ['test.each([1, 2]);\ntest.extend({});\n/x/.test("a");', []],
])("%s", (code, titles) => {
  expect(titlesIn(code)).toEqual(titles);
});
