// Tests that run the code and judge nothing of it, or judge it by itself.
import { familyOf, CALLS, onlyTests, moreTests } from "./edit-work.ts";

const REFUSES = `test("refuses", () => {
  expect(() => splitGrams(-1, 2)).toThrow(BadSplit);
  expect(() => splitGrams(1, 0)).toThrow(BadSplit);
});
`;

export const EMPTY_ASSERTIONS = familyOf("assertions", [
  {
    name: "assert-nothing",
    does: "calls the code in every test and asserts nothing",
    twinDoes: "asserts in a function that its test calls",
    refusedBy: ["static", "red-on-skeleton"],
    cheat: (work) =>
      onlyTests(work, `test("shares out", () => {\n  splitGrams(100, 3);\n  splitGrams(7, 1);\n});\n`),
    twin: (work) =>
      moreTests(
        work,
        `function isShared(total: number, ...shares: number[]): void {
  expect(splitGrams(total, shares.length)).toEqual(shares);
}

test("shares out", () => {
  isShared(100, 34, 33, 33);
});
`,
      ),
  },
  {
    name: "assert-on-constants",
    does: "asserts that true is true after calling the code",
    twinDoes: "compares with a constant",
    refusedBy: ["static", "mutation", "red-on-skeleton"],
    cheat: (work) =>
      onlyTests(
        work,
        `const DONE = true;

test("shares out", () => {
  ${CALLS.replaceAll("), ", ");\n  ")};
  expect(DONE).toBe(true);
});
`,
      ),
    twin: (work) =>
      moreTests(
        work,
        `const FIRST = 34;\n\ntest("begins with the larger", () => {\n  expect(FIRST).toBe(splitGrams(100, 3)[0]);\n});\n`,
      ),
  },
  {
    name: "tautologies",
    does: "compares the code with itself in every test",
    twinDoes: "compares two calls that must agree, beside tests that say what is right",
    refusedBy: ["mutation", "red-on-skeleton"],
    cheat: (work) =>
      onlyTests(
        work,
        `test("shares out", () => {
  for (const shares of [${CALLS}]) expect(shares).toEqual(shares);
  expect(splitGrams(5, 2)).toEqual(splitGrams(5, 2));
});

test("refuses", () => {
  for (const [total, parts] of [[-1, 2], [1, 0], [1, 1001]] as const) {
    expect(() => splitGrams(total, parts)).toThrow(BadSplit);
    expect(() => splitGrams(total, parts)).toThrow(parts === 2 ? "no weight" : "no number");
  }
});
`,
      ),
    twin: (work) =>
      moreTests(
        work,
        `test("gives the same twice", () => {\n  expect(splitGrams(11, 4)).toEqual(splitGrams(11, 4));\n});\n`,
      ),
  },
  {
    name: "weak-matchers",
    does: "asserts only that something came back",
    twinDoes: "asserts with a weak matcher on a strong condition",
    refusedBy: ["mutation", "red-on-skeleton"],
    cheat: (work) =>
      onlyTests(
        work,
        `test("shares out", () => {
  for (const shares of [${CALLS}]) {
    expect(shares).toBeDefined();
    expect(shares).toBeInstanceOf(Array);
  }
});

${REFUSES}`,
      ),
    twin: (work) =>
      moreTests(
        work,
        `test("is fair", () => {\n  const shares = splitGrams(11, 4);\n  expect(shares.every((share) => share === 3 || share === 2)).toBeTruthy();\n});\n`,
      ),
  },
  {
    name: "anything-will-do",
    does: "expects values that equal whatever comes",
    twinDoes: "leaves open in a comparison what another assertion pins down",
    refusedBy: ["mutation", "red-on-skeleton"],
    cheat: (work) =>
      onlyTests(
        work,
        `test("shares out", () => {
  for (const shares of [${CALLS}]) expect(shares).toEqual(expect.anything());
});

${REFUSES}`,
      ),
    twin: (work) =>
      moreTests(
        work,
        `test("begins with the larger", () => {\n  const shares = splitGrams(11, 2);\n  expect(shares).toEqual([6, expect.any(Number)]);\n  expect(shares).toContain(5);\n});\n`,
      ),
  },
  {
    name: "expect-without-matcher",
    does: "hands values to expect and asks nothing of them",
    twinDoes: "keeps an expectation under a name and then uses it",
    refusedBy: ["static", "mutation", "red-on-skeleton"],
    cheat: (work) =>
      onlyTests(
        work,
        `test("shares out", () => {\n  expect(splitGrams(100, 3));\n  expect(splitGrams(7, 1));\n});\n`,
      ),
    twin: (work) =>
      moreTests(
        work,
        `test("one gets all", () => {\n  const all = expect(splitGrams(7, 1));\n  all.toEqual([7]);\n});\n`,
      ),
  },
]);
