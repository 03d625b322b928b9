import { expect, test } from "vitest";
import { placeOfTest } from "./test-line.ts";

const FILES = {
  "test/a.test.ts": `describe("a", () => {
  test("adds", () => {});
  test('it\\'s quoted', () => {});
  test.each([1])("is %i", () => {});
  test("twice", () => {});
  test("twice", () => {});
});
`,
};

test.for([
  ["a > adds", 2],
  ["a > it's quoted", 3],
  ["a > is 1", undefined],
  ["a > twice", undefined],
  ["adds", 2],
] as const)("the test %j stands in line %s", ([name, line]) => {
  expect(placeOfTest(FILES, "test/a.test.ts", name).line).toBe(line);
});

test("of a file that is not there only the name is known", () => {
  expect(placeOfTest(FILES, "test/b.test.ts", "adds")).toEqual({ file: "test/b.test.ts" });
});
