// The specification decides between implementations only where it speaks of the very input.
import { describe, expect, test } from "vitest";
import { SLUG_SPEC } from "./blind.suite.ts";
import { contradictsSpec, decideBySpec, matrixOf } from "./cross-check.ts";

const FOUND = {
  entry: "slugify",
  args: '"A b"',
  left: 'returned "a-b"',
  right: 'returned "a_b"',
  breaks: { left: [], right: [] },
};
const ELSEWHERE = { ...FOUND, args: '"A  b"' };

describe("the specification", () => {
  test.each([
    [FOUND, "left"],
    [{ ...FOUND, left: FOUND.right, right: "returned 'a-b'" }, "right"],
    [{ ...FOUND, left: 'returned "x"', right: "threw <BlankTitle>" }, "neither"],
    [ELSEWHERE, "undecided"],
    [{ ...ELSEWHERE, breaks: { left: ["P1"], right: [] } }, "right"],
    [{ ...ELSEWHERE, breaks: { left: [], right: ["P1"] } }, "left"],
    [{ ...ELSEWHERE, breaks: { left: ["P2"], right: ["P1"] } }, "neither"],
    // Examples come first: what they say was agreed in so many words.
    [{ ...FOUND, breaks: { left: ["P1"], right: [] } }, "left"],
    [{ ...FOUND, entry: "shorten" }, "undecided"],
  ] as const)("about %j says %s", (found, decided) => {
    expect(decideBySpec([SLUG_SPEC], found)).toBe(decided);
  });

  test("promises an error by its class", () => {
    const examples = SLUG_SPEC.examples.map((each) => ({ ...each, expected: "throws BlankTitle" }));
    const spec = { ...SLUG_SPEC, examples };
    const thrown = { ...FOUND, left: "threw <TypeError>", right: "threw <BlankTitle>" };
    expect(decideBySpec([spec], thrown)).toBe("right");
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
