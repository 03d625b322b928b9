// The verdict follows from findings by rule, and each finding speaks to whoever can do something about it.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { faultOf, sortedByFault, unassignedGates, verdictOf } from "./tester-verdict.ts";
import { feedbackLine, revisionFeedback } from "./revision-feedback.ts";

const CASES: [string, ReturnType<typeof faultOf>][] = [
  ["static: modules/a/src/index.ts:1: imports child_process (forbidden-import)", "critical"],
  ["static: modules/a/src/index.ts:1: makes code from text (eval)", "critical"],
  ["static: modules/a/src/index.ts:3: f has complexity 12, more than 10 (complexity)", "code"],
  ["static: modules/a/test/a.test.ts:3: asserts nothing (no-assertion)", "tests"],
  ["effects: modules/a/src/index.ts:2: uses fs.writeFile (undeclared-write)", "critical"],
  ["effects: modules/a/test/a.test.ts:2: uses fs.readFile (undeclared-read)", "tests"],
  ["effects: the run watched no effect", "code"],
  ["tests-untouched: test/a.test.ts is not what the author of the tests committed: put it back", "critical"],
  ["blindness: a canary crossed (leak)", "critical"],
  ["green: modules/a/test/a.test.ts:3: adds: failed (failed)", "code"],
  ["green: modules/a/test/a.test.ts:3: adds: skipped (skipped)", "tests"],
  ["green: modules/a/test/a.test.ts: adds tries 1 input (lazy-property)", "tests"],
  [
    "green: modules/a/test/a.test.ts:3: adds passes although an assertion in it failed (lost-assertion)",
    "tests",
  ],
  ["green: modules/a/test/a.test.ts:3: expect(a) stands there and is never run (never-asserted)", "tests"],
  ["build: modules/a/test/a.test.ts:3: no exported member x (type-error)", "code"],
  ["surface: f is missing (missing)", "code"],
  ["examples: examples.md:4: gives 2 (wrong-output)", "code"],
  ["coverage: modules/a/src/index.ts: lines: 20 % covered (coverage-lines)", "tests"],
  ['contract-coverage: inputs.0.constraints.0 "x" was never put to the test (unproven)', "tests"],
  ['contract-coverage: outputs.0.invariants.0 "x" did not hold: f(1) (refuted)', "code"],
  ["mutation: modules/a/src/index.ts:2: a > b became a >= b (survivor)", "tests"],
  [
    "red-on-skeleton: modules/a/test/a.test.ts:1: passes although nothing is implemented (green-on-stubs)",
    "tests",
  ],
  ["tidy: modules/a/src/index.ts:9: no test uses f (untested-export)", "tests"],
  ["tidy: modules/a/src/index.ts:9: TODO (todo)", "code"],
  ["layers: there is no property test (missing-layer)", "tests"],
  ["integration: looked at nothing: write tests", "tests"],
  ["there is no such file", "code"],
];

describe("a finding", () => {
  test.each(CASES)("%s → %s", (finding, fault) => {
    expect(faultOf(finding)).toBe(fault);
  });

  test("of any gate has somebody to speak to", () => {
    expect(unassignedGates()).toEqual([]);
  });
});

describe("the verdict", () => {
  test("is PASS only where nothing at all was found; the worst decides", () => {
    fc.assert(
      fc.property(fc.subarray(CASES), (found) => {
        const verdict = verdictOf(sortedByFault(found.map(([finding]) => finding)));
        const faults = found.map(([, fault]) => fault);
        const expected = faults.includes("critical")
          ? "FAIL"
          : faults.includes("code")
            ? "NEEDS_REVISION"
            : faults.includes("tests")
              ? "weak"
              : "PASS";
        expect(verdict).toBe(expected);
      }),
    );
  });
});

test("feedback tells the call, the input and both results, and is cut short", () => {
  const failure = {
    propertyName: "adds",
    failureType: "PropertyFailed" as const,
    counterexample: "[1,2]",
    expected: "3",
    actual: "4",
    message: "x".repeat(2000),
  };
  const [told] = revisionFeedback([{ failure, functions: ["add"] }]);
  if (told === undefined) throw new Error("nothing was told");
  expect(told).toMatchObject({
    test: "adds",
    calls: ["add"],
    counterexample: "[1,2]",
    expected: "3",
    actual: "4",
  });
  expect(told.message).toHaveLength(800);
  expect(feedbackLine({ ...told, message: "no" })).toBe("adds: calls add; for [1,2]; expected 3; got 4; no");
  expect(revisionFeedback(Array.from({ length: 50 }, () => ({ failure, functions: [] })))).toHaveLength(20);
});
