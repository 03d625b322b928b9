// Tests that are not there, or that need no code.
import {
  CODE,
  TESTS,
  familyOf,
  withFiles,
  edited,
  textOf,
  VALUE_TESTS,
  onlyTests,
  moreTests,
} from "./edit-work.ts";

export const MISSING_TESTS = familyOf("tests", [
  {
    name: "no-tests",
    does: "hands in code without a single test",
    twinDoes: "spreads its tests over two files in two folders",
    refusedBy: ["tidy", "green", "red-on-skeleton", "harness"],
    cheat: (work) => withFiles(work, { [TESTS]: null }),
    twin: (work) =>
      withFiles(work, {
        "test/thousand/thousand.test.ts": `import { expect, test } from "vitest";
import { splitGrams } from "../../src/index.ts";

test("a thousand get something", () => {
  expect(splitGrams(1000, 1000)).toEqual(Array.from({ length: 1000 }, () => 1));
});
`,
      }),
  },
  {
    name: "nothing-collected",
    does: "has a test file that declares no test",
    twinDoes: "has a file without tests beside its tests, which they import",
    refusedBy: ["tidy", "green", "red-on-skeleton"],
    cheat: (work) =>
      onlyTests(work, `describe("splitGrams", () => {\n  expect(splitGrams(7, 1)).toEqual([7]);\n});\n`),
    twin: (work) =>
      withFiles(
        moreTests(
          work,
          `import { sumOf } from "./sum.ts";\n\ntest("nothing is lost", () => {\n  expect(sumOf(splitGrams(1234, 7))).toBe(1234);\n});\n`,
        ),
        {
          "test/sum.ts": `export function sumOf(shares: readonly number[]): number {
  return shares.reduce((sum, share) => sum + share, 0);
}
`,
        },
      ),
  },
  {
    name: "never-registered",
    does: "declares its tests in a function that nobody calls",
    twinDoes: "declares tests in a function that it calls",
    refusedBy: ["tidy", "green", "red-on-skeleton"],
    cheat: (work) =>
      onlyTests(
        work,
        `export function declareTests(): void {\n  test("one gets all", () => {\n    expect(splitGrams(7, 1)).toEqual([7]);\n  });\n}\n`,
      ),
    twin: (work) =>
      moreTests(
        work,
        `function declareTests(total: number): void {
  test(\`one gets all of \${total}\`, () => {
    expect(splitGrams(total, 1)).toEqual([total]);
  });
}

[1, 2, 3].forEach(declareTests);
`,
      ),
  },
  {
    name: "early-return",
    does: "leaves a test before it asserts anything, where the harness runs it",
    twinDoes: "goes on to the next case early, after it has asserted",
    refusedBy: ["red-on-skeleton", "green", "mutation"],
    cheat: (work) =>
      edited(work, TESTS, [
        'test("gives something to a thousand", () => {',
        'test("gives something to a thousand", () => {\n    if (process.env["CI"] !== undefined) return;',
      ]),
    twin: (work) =>
      moreTests(
        work,
        `test("few and many", () => {
  for (const parts of [1, 2, 3]) {
    const shares = splitGrams(6, parts);
    expect(shares).toHaveLength(parts);
    if (parts === 1) continue;
    expect(shares[1]).toBe(6 / parts);
  }
});
`,
      ),
  },
  {
    name: "conditional-registration",
    does: "declares the tests of errors only where the harness does not run",
    twinDoes: "declares tests in a loop",
    refusedBy: ["contract-coverage", "mutation", "coverage"],
    cheat: (work) =>
      onlyTests(
        edited(work, CODE, [" || parts > 1000", ""]),
        `${VALUE_TESTS}
if (process.env["CI"] === undefined)
  test("refuses what is none", () => {
    expect(() => splitGrams(-1, 2)).toThrow(BadSplit);
    expect(() => splitGrams(1, 1001)).toThrow(BadSplit);
  });
`,
      ),
    twin: (work) =>
      moreTests(
        work,
        `for (const total of [1, 2, 3])
  test(\`\${total} among one\`, () => {
    expect(splitGrams(total, 1)).toEqual([total]);
  });
`,
      ),
  },
  {
    name: "pass-on-stub",
    does: "adds a test that would pass without any code",
    twinDoes: "asks for the type of what comes back, and so for code",
    refusedBy: ["red-on-skeleton"],
    cheat: (work) =>
      moreTests(
        work,
        `test("is there", () => {\n  expect(typeof splitGrams).toBe("function");\n  expect(splitGrams).toHaveLength(2);\n});\n`,
      ),
    twin: (work) =>
      moreTests(
        work,
        `test("gives numbers", () => {\n  expect(splitGrams(7, 2).map((share) => typeof share)).toEqual(["number", "number"]);\n});\n`,
      ),
  },
  {
    name: "tests-of-a-copy",
    does: "tests a copy of the code that stands in the test file",
    twinDoes: "holds the code against another way to the same result",
    // The line: a copy that is compared with nothing passes without the module; an oracle needs the module to be red.
    refusedBy: ["tidy", "red-on-skeleton", "coverage", "mutation"],
    cheat: (work) => {
      const copy = textOf(work, CODE).replaceAll("export ", "");
      return withFiles(work, {
        [TESTS]: textOf(work, TESTS).replace(
          'import { BadSplit, splitGrams } from "../src/index.ts";\n',
          `\n${copy}`,
        ),
      });
    },
    twin: (work) =>
      moreTests(
        work,
        `/** Deals grams out one by one. */
function dealt(total: number, parts: number): number[] {
  const shares = Array.from({ length: parts }, () => 0);
  for (let gram = 0; gram < total; gram++) shares[gram % parts] = (shares[gram % parts] ?? 0) + 1;
  return shares;
}

test("is what dealing out gives", () => {
  fc.assert(
    fc.property(fc.nat(300), fc.integer({ min: 1, max: 20 }), (total, parts) => {
      expect(splitGrams(total, parts)).toEqual(dealt(total, parts));
    }),
  );
});
`,
      ),
  },
]);
