// Tests that judge the code by something that is wrong, or by nothing of it.
import { TESTS, familyOf, withFiles, edited, wrongOrder, CALLS, onlyTests, moreTests } from "./edit-work.ts";

export const WRONG_ORACLES = familyOf("assertions", [
  {
    name: "loop-over-nothing",
    does: "asserts in a loop that has nothing to go over",
    twinDoes: "asserts in a loop over a table",
    refusedBy: ["red-on-skeleton"],
    cheat: (work) =>
      moreTests(
        work,
        `const TABLE = [[100, 3, 34]].filter(([total = 0]) => total > 100);

test("begins with the larger", () => {
  for (const [total = 0, parts = 0, first] of TABLE) expect(splitGrams(total, parts)[0]).toBe(first);
});
`,
      ),
    twin: (work) =>
      moreTests(
        work,
        `const TABLE = [[100, 3, 34], [7, 1, 7]].filter(([total = 0]) => total > 0);

test("begins with the larger", () => {
  for (const [total = 0, parts = 0, first] of TABLE) expect(splitGrams(total, parts)[0]).toBe(first);
});
`,
      ),
  },
  {
    name: "any-error-will-do",
    does: "accepts any error where the contract names one",
    twinDoes: "accepts any error first, then asks which one it is",
    refusedBy: ["red-on-skeleton"],
    cheat: (work) =>
      edited(work, TESTS, [
        "expect(() => splitGrams(total, 2)).toThrow(BadSplit);\n      expect(() => splitGrams(total, 2)).toThrow(`no weight: ${total}`);",
        "expect(() => splitGrams(total, 2)).toThrow();",
      ]),
    twin: (work) =>
      moreTests(
        work,
        `test("refuses half a part", () => {\n  expect(() => splitGrams(1, 0.5)).toThrow();\n  expect(() => splitGrams(1, 0.5)).toThrow("no number of parts: 0.5");\n});\n`,
      ),
  },
  {
    name: "mock-the-unit",
    does: "replaces the code by a mock that gives what the test expects",
    twinDoes: "wraps the code in a mock that only counts its calls",
    refusedBy: ["red-on-skeleton", "mutation"],
    cheat: (work) =>
      moreTests(
        work,
        `vi.mock("../src/index.ts", () => ({ splitGrams: () => [34, 33, 33] }));

test("shares out", () => {
  expect(splitGrams(100, 3)).toEqual([34, 33, 33]);
});
`,
      ),
    twin: (work) =>
      moreTests(
        work,
        `test("is asked once", () => {
  const counted = vi.fn(splitGrams);
  expect(counted(100, 3)).toEqual([34, 33, 33]);
  expect(counted).toHaveBeenCalledOnce();
});
`,
      ),
  },
  {
    name: "always-passing-matcher",
    does: "brings a matcher of its own that holds for everything",
    twinDoes: "brings a matcher of its own that looks",
    refusedBy: ["mutation", "red-on-skeleton"],
    cheat: (work) =>
      onlyTests(
        work,
        `declare module "vitest" {
  interface Assertion<T> {
    toBeShared(total: number): T;
  }
}

expect.extend({ toBeShared: () => ({ pass: true, message: () => "is not shared" }) });

test("shares out", () => {
  for (const shares of [${CALLS}]) expect(shares).toBeShared(100);
});

test("refuses", () => {
  expect(() => splitGrams(-1, 2)).toThrow(BadSplit);
  expect(() => splitGrams(1, 0)).toThrow(BadSplit);
});
`,
      ),
    twin: (work) =>
      withFiles(
        moreTests(
          work,
          `import { sumsUpTo } from "./matcher.ts";

declare module "vitest" {
  interface Assertion<T> {
    sumsUpTo(total: number): T;
  }
}

expect.extend({ sumsUpTo });

test("nothing is lost", () => {
  expect(splitGrams(100, 3)).sumsUpTo(100);
});
`,
        ),
        {
          "test/matcher.ts": `export function sumsUpTo(shares: readonly number[], total: number) {
  const sum = shares.reduce((before, share) => before + share, 0);
  return { pass: sum === total, message: () => \`the sum is \${sum}\` };
}
`,
        },
      ),
  },
  {
    name: "wrong-snapshot",
    does: "keeps a snapshot of wrong output as what is expected",
    twinDoes: "keeps a snapshot of right output",
    refusedBy: ["contract-coverage"],
    cheat: (work) =>
      edited(
        wrongOrder(work),
        TESTS,
        [
          "expect(splitGrams(total, parts)).toEqual(shares);",
          "expect(splitGrams(total, parts)).toEqual(shares.toReversed());",
        ],
        [
          "expect(splitGrams(1001, 1000).slice(0, 3)).toEqual([2, 1, 1]);",
          "expect(splitGrams(5, 3)).toMatchInlineSnapshot(`\n      [\n        1,\n        2,\n        2,\n      ]\n    `);",
        ],
      ),
    twin: (work) =>
      edited(work, TESTS, [
        "expect(splitGrams(1001, 1000).slice(0, 3)).toEqual([2, 1, 1]);",
        "expect(splitGrams(1001, 1000).slice(0, 3)).toMatchInlineSnapshot(`\n      [\n        2,\n        1,\n        1,\n      ]\n    `);",
      ]),
  },
  {
    name: "same-mistake-twice",
    does: "holds wrong code against a copy of it",
    twinDoes: "holds the code against the same formula in other words",
    // The line: what an oracle says is only as good as the contract that both are held against.
    refusedBy: ["contract-coverage"],
    cheat: (work) =>
      onlyTests(
        wrongOrder(work),
        `function oracle(total: number, parts: number): number[] {
  const larger = total % parts;
  return Array.from({ length: parts }, (_, index) => Math.floor(total / parts) + (index >= parts - larger ? 1 : 0));
}

test("is what the formula says", () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 1, max: 50 }), (total, parts) => {
      expect(splitGrams(total, parts)).toEqual(oracle(total, parts));
    }),
  );
});

test("refuses", () => {
  for (const total of [-1, 0.5, 2 ** 53]) expect(() => splitGrams(total, 2)).toThrow(\`no weight: \${total}\`);
  for (const parts of [0, 1.5, 1001]) expect(() => splitGrams(10, parts)).toThrow(\`no number of parts: \${parts}\`);
  expect(() => splitGrams(-1, 2)).toThrow(BadSplit);
});
`,
      ),
    twin: (work) =>
      moreTests(
        work,
        `test("is what the formula says", () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 1, max: 50 }), (total, parts) => {
      const larger = total % parts;
      const shares = Array.from({ length: parts }, (_, index) => (total - larger) / parts + Number(larger > index));
      expect(splitGrams(total, parts)).toEqual(shares);
    }),
  );
});
`,
      ),
  },
]);
