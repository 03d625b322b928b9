// The specification decides between implementations only where it speaks of the very input.
import { describe, expect, test } from "vitest";
import { SLUG_SPEC } from "./blind.suite.ts";
import { contradictsSpec, decideBySpec, matrixOf } from "./cross-check.ts";

const FOUND = { entry: "slugify", args: '"A b"', left: '"a-b"', right: '"a_b"' };

describe("the specification", () => {
  test.each([
    [FOUND, "left"],
    [{ ...FOUND, left: '"a_b"', right: "'a-b'" }, "right"],
    [{ ...FOUND, left: '"x"', right: '"y"' }, "neither"],
    [{ ...FOUND, args: '"A  b"' }, "undecided"],
    [{ ...FOUND, entry: "shorten" }, "undecided"],
  ] as const)("about %j says %s", (found, decided) => {
    expect(decideBySpec([SLUG_SPEC], found)).toBe(decided);
  });

  test("spaces inside of texts count", () => {
    expect(decideBySpec([SLUG_SPEC], { ...FOUND, args: '"Ab"' })).toBe("undecided");
  });
});

test("a test contradicts it when it asks for the refuted result on that input", () => {
  const failure = { counterexample: '["A b"]', expected: '"a_b"', message: "no" };
  expect(contradictsSpec(failure, FOUND, FOUND.right)).toBe(true);
  expect(contradictsSpec({ ...failure, expected: '"a-b"' }, FOUND, FOUND.right)).toBe(false);
  expect(contradictsSpec({ ...failure, counterexample: '["z"]' }, FOUND, FOUND.right)).toBe(false);
});

test("the matrix has a cell for each suite and implementation, and a row for what nobody claims", () => {
  const suites = [
    { suite: "property", tests: ["p1", "p2"] },
    { suite: "fuzz", tests: ["f1"] },
  ];
  expect(matrixOf(suites, [["p2"], ["f1", "stray"]])).toEqual([
    { suite: "property", implementation: 0, failing: ["p2"] },
    { suite: "fuzz", implementation: 0, failing: [] },
    { suite: "property", implementation: 1, failing: [] },
    { suite: "fuzz", implementation: 1, failing: ["f1"] },
    { suite: "unclaimed", implementation: 1, failing: ["stray"] },
  ]);
});
