// A fix loop notices on the failures themselves whether it gets closer, runs in circles or stands still.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { patternNamed } from "./blind.suite.ts";
import {
  learn,
  nothingUnderstood,
  repeatedFix,
  stuckOn,
  tried,
  type Understanding,
} from "./understanding.ts";

/** Each word is one run of the tests, each letter one failure. */
function after(...runs: string[]): Understanding {
  return runs.reduce(
    (known, run) =>
      learn(
        known,
        run.split("").map((name) => patternNamed(name)),
      ),
    nothingUnderstood(),
  );
}

describe("converging", () => {
  test.each([
    [["abc", "ab", "a"], true, "fewer each time"],
    [["ab", "cd", "ef"], true, "others each time"],
    [["a", "a"], true, "one step without effect is not the end"],
    [["a", "ab", "abc"], false, "more and more"],
    [["ab", "abc", "abc"], false, "more, and then no change"],
    [["ab", "cd", "ab"], false, "back where it was"],
    [["abc", "abd", "ab"], true, "fewer after a detour"],
  ] as const)("%j: %s (%s)", (runs, converging, _why) => {
    expect(after(...runs).converging).toBe(converging);
  });

  test("a test that gets further is progress, even when more of them fail", () => {
    const loaded = learn(nothingUnderstood(), [patternNamed("x", "ParseError")]);
    const runs = learn(loaded, [patternNamed("a"), patternNamed("b"), patternNamed("c")]);
    expect(runs.learnings.at(-1)).toContain("let tests come further: 1 failures before, 3 after");
    expect(learn(runs, [patternNamed("a"), patternNamed("b"), patternNamed("c")]).converging).toBe(true);
  });

  test("as long as every run has fewer failures than the one before, nobody gives up", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h"), { minLength: 1 }),
        (letters) => {
          const runs = letters.map((_, index) => letters.slice(index).join(""));
          expect(after(...runs)).toMatchObject({ converging: true });
          expect(after(...runs).learnings).toHaveLength(runs.length - 1);
        },
      ),
    );
  });
});

describe("stuck", () => {
  test("at the third time of the same failure, not before", () => {
    expect(stuckOn(after("ab", "a"))).toEqual([]);
    expect(stuckOn(after("ab", "a", "ac")).map(({ occurrences }) => occurrences)).toEqual([3]);
  });
});

describe("a fix that was tried", () => {
  const fix = {
    function: "slugify",
    whatChanged: "trims",
    whyFailed: "spaces",
    fixType: "LogicFix" as const,
    code: "h1",
  };
  const known = tried(nothingUnderstood(), [fix]);

  test("is known again by the code it led to, under whatever name", () => {
    expect(repeatedFix(known, [{ function: "slugify", code: "h1" }])).toEqual(fix);
    expect(repeatedFix(known, [{ function: "slugify", code: "h2" }])).toBeUndefined();
    expect(repeatedFix(known, [{ function: "shorten", code: "h1" }])).toBeUndefined();
  });

  test("is named in what was learned from it", () => {
    const first = tried(after("ab"), [fix]);
    expect(learn(first, [patternNamed("a")]).learnings).toEqual([
      "LogicFix in slugify (trims) helped: 2 failures before, 1 after.",
    ]);
  });
});
