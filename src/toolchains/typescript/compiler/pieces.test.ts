// A test is another one when what it asks for has changed, wherever that stands; what stands beside it says nothing about it.
import { describe, expect, test } from "vitest";
import { pieces } from "./pieces.ts";
import { viewOf } from "./samples.suite.ts";

const CODE = "export function grams(text: string): number {\n  return Number.parseInt(text, 10);\n}\n";
const HELPER = `export function same(left: number, right: number): void {
  if (left !== right) throw new Error(left + " is not " + right);
}

export const UNITS = ["g", "kg"];
`;
const TESTS = `import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { grams } from "../src/index.ts";
import { same } from "./helper.ts";

const CASES = ["1 g", "2 g"];

function check(text: string): void {
  same(grams(text), Number(text.split(" ")[0]));
}

describe("weights", () => {
  const all = CASES.map((text) => text);

  test("are read", () => {
    for (const text of all) check(text);
  });
});

test("nothing weighs nothing", () => {
  expect(grams("0 g")).toBe(0);
});

test("any weight is read", () => {
  fc.assert(fc.property(fc.nat(), (weight) => grams(weight + " g") === weight));
});
`;

const FEWER_RUNS = {
  tests: TESTS.replace("const CASES", "fc.configureGlobal({ numRuns: 1 });\n\nconst CASES"),
};

function piecesWith(
  change: { code?: string; helper?: string; tests?: string } = {},
): ReadonlyMap<string, string> {
  const { code = CODE, helper = HELPER, tests = TESTS } = change;
  return pieces(viewOf({ "src/index.ts": code, "test/helper.ts": helper, "test/grams.test.ts": tests }));
}

const READ = "weights > are read";

function isChanged(change: Parameters<typeof piecesWith>[0], name = READ): boolean {
  const [before, after] = [piecesWith().get(name), piecesWith(change).get(name)];
  expect(before).toBeDefined();
  expect(after).toBeDefined();
  return before !== after;
}

describe("a test is another one when", () => {
  test.each([
    ["its own code is", { tests: TESTS.replace("check(text);", "grams(text);") }],
    ["there is less in the table that it goes over", { tests: TESTS.replace(', "2 g"', "") }],
    ["what its group holds is", { tests: TESTS.replace("CASES.map((text) => text)", "CASES.slice(1)") }],
    [
      "a helper asks for less",
      { tests: TESTS.replace("same(grams(text), Number", "void (grams(text), Number") },
    ],
    ["a helper in another file does", { helper: HELPER.replace("throw new Error", "console.log") }],
    ["somebody empties the table", { tests: TESTS.replace('describe("', 'CASES.splice(0);\n\ndescribe("') }],
    [
      "somebody stops the clock",
      {
        tests: TESTS.replace("import { describe,", "import { vi, describe,").replace(
          "const CASES",
          "vi.useFakeTimers();\n\nconst CASES",
        ),
      },
    ],
  ])("%s", (_, change) => {
    expect(isChanged(change)).toBe(true);
  });
});

test("a test is another one when a library that it uses is set up anew, and no other test is", () => {
  expect(isChanged(FEWER_RUNS, "any weight is read")).toBe(true);
  expect(isChanged(FEWER_RUNS)).toBe(false);
});

describe("a test is the same when", () => {
  test.each([
    ["the code of the module is another", { code: CODE.replace("10", "16") }],
    ["another test is", { tests: TESTS.replace('grams("0 g")', 'grams("0 kg")') }],
    [
      "there is one more",
      { tests: `${TESTS}\ntest("one more", () => {\n  expect(grams("3 g")).toBe(3);\n});\n` },
    ],
    [
      "there is one more in its group",
      { tests: TESTS.replace("  test(", '  test("one more", () => {\n    check("3 g");\n  });\n\n  test(') },
    ],
    ["a helper that it does not use is", { helper: HELPER.replace('"kg"', '"mg"') }],
    ["there is one more helper", { helper: `${HELPER}\nexport const NONE = 0;\n` }],
    [
      "the layout is",
      { tests: TESTS.replace("function check(text: string)", "function  check(text: string)") },
    ],
  ])("%s", (_, change) => {
    expect(isChanged(change)).toBe(false);
  });

  test("what only another test uses is", () => {
    expect(isChanged({ tests: TESTS.replace(', "2 g"', "") }, "nothing weighs nothing")).toBe(false);
  });
});
