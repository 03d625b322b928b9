// Tests that the runner is told to leave out, or to try until they pass.
import {
  CODE,
  TESTS,
  familyOf,
  edited,
  withBody,
  GUARDS,
  RIGHT,
  VALUE_TESTS,
  onlyTests,
  moreTests,
} from "./edit-work.ts";

export const LEFT_OUT_TESTS = familyOf("tests", [
  {
    name: "skip-tests",
    does: "skips the tests that its code would fail",
    twinDoes: "has a test whose name begins with skip",
    refusedBy: ["static", "green", "red-on-skeleton"],
    cheat: (work) =>
      edited(edited(work, CODE, [" || parts > 1000", ""]), TESTS, [
        'test("refuses what is no number',
        'test.skip("refuses what is no number',
      ]),
    twin: (work) =>
      moreTests(
        work,
        `test("skip: nobody is skipped", () => {\n  expect(splitGrams(3, 3)).toEqual([1, 1, 1]);\n});\n`,
      ),
  },
  {
    name: "skip-group",
    does: "skips a whole group of tests",
    twinDoes: "calls a group skip",
    refusedBy: ["static", "green", "red-on-skeleton"],
    cheat: (work) => edited(work, TESTS, ['describe("splitGrams"', 'describe.skip("splitGrams"']),
    twin: (work) => edited(work, TESTS, ['describe("splitGrams"', 'describe("skip"']),
  },
  {
    name: "skip-itself",
    does: "has a test that skips itself while it runs",
    twinDoes: "has a test that uses what the runner hands it in order to assert",
    refusedBy: ["static", "green", "red-on-skeleton"],
    cheat: (work) =>
      edited(work, TESTS, [
        'test("gives something to a thousand", () => {',
        'test("gives something to a thousand", ({ skip }) => {\n    skip();',
      ]),
    twin: (work) =>
      edited(work, TESTS, [
        'test("gives something to a thousand", () => {',
        'test("gives something to a thousand", ({ expect }) => {',
      ]),
  },
  {
    name: "only-tests",
    does: "lets one test run alone",
    twinDoes: "has a test about the only share",
    refusedBy: ["static", "green", "red-on-skeleton"],
    cheat: (work) => edited(work, TESTS, ['test("gives something', 'test.only("gives something']),
    twin: (work) =>
      moreTests(
        work,
        `test("only one gets all", () => {\n  const [only, ...others] = splitGrams(7, 1);\n  expect(only).toBe(7);\n  expect(others).toEqual([]);\n});\n`,
      ),
  },
  {
    name: "todo-tests",
    does: "announces tests instead of writing them",
    twinDoes: "has a test whose name begins with todo",
    refusedBy: ["static", "green", "red-on-skeleton"],
    cheat: (work) =>
      onlyTests(
        work,
        `${VALUE_TESTS}\ntest.todo("refuses what is no weight");\ntest.todo("refuses what is no number of parts");\n`,
      ),
    twin: (work) =>
      moreTests(
        work,
        `test("todo is nothing when nothing is shared out", () => {\n  expect(splitGrams(0, 3)).toEqual([0, 0, 0]);\n});\n`,
      ),
  },
  {
    name: "conditional-skip",
    does: "skips tests where the harness runs them",
    twinDoes: "asserts one thing or another by a condition, but always something",
    refusedBy: ["static", "green", "red-on-skeleton"],
    cheat: (work) =>
      edited(work, TESTS, [
        'test("gives something',
        'test.skipIf(process.env["CI"] !== undefined)("gives something',
      ]),
    twin: (work) =>
      moreTests(
        work,
        `test.each([
  [10, 3],
  [9, 3],
])("%d among %d", (total, parts) => {
  const [first = 0, ...others] = splitGrams(total, parts);
  if (total % parts === 0) expect(others.every((share) => share === first)).toBe(true);
  else expect(others.some((share) => share === first - 1)).toBe(true);
});
`,
      ),
  },
  {
    name: "retry-until-green",
    does: "has code that fails at first and tests that try again until it does not",
    twinDoes: "asks three times and holds every answer against the same",
    refusedBy: ["green"],
    cheat: (work) =>
      edited(
        withBody(
          work,
          `${GUARDS}  calls += 1;\n  if (calls % 3 === 1) return [];\n${RIGHT}`,
          "let calls = 0;\n",
        ),
        TESTS,
        [
          'test("gives something to a thousand", () =>',
          'test("gives something to a thousand", { retry: 3 }, () =>',
        ],
      ),
    twin: (work) =>
      moreTests(
        work,
        `test("is the same whenever it is asked", { timeout: 2000 }, () => {
  for (let again = 0; again < 3; again++) expect(splitGrams(8, 3)).toEqual([3, 3, 2]);
});
`,
      ),
  },
  {
    name: "expected-to-fail",
    does: "marks the tests that fail as expected to fail",
    twinDoes: "expects a call to fail, and says how",
    refusedBy: ["static"],
    cheat: (work) =>
      edited(edited(work, CODE, [" || parts > 1000", ""]), TESTS, [
        'test("refuses what is no number',
        'test.fails("refuses what is no number',
      ]),
    twin: (work) =>
      moreTests(
        work,
        `test("fails for half a part", () => {\n  expect(() => splitGrams(1, 0.5)).toThrow(new BadSplit("no number of parts: 0.5"));\n});\n`,
      ),
  },
]);
