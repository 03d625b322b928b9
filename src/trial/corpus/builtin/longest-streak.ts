// Builtin task: the longest run of days without a gap.
import { builtinTask } from "../builtin-task.ts";
import { ORACLE } from "../oracles/longest-streak.ts";

export const LONGEST_STREAK = builtinTask({
  id: "longest-streak",
  area: "small algorithms",
  title: "The longest streak",
  purpose: "Finds the longest run of days without a gap among days in any order.",
  tags: ["streak", "days"],
  entries: [
    {
      entry: "longestStreak",
      signature: "(days: readonly number[]) => { first: number; length: number }",
      inputs: [
        {
          name: "days",
          type: "readonly number[]",
          constraint: "has at least one day, and only whole numbers that are exact",
          requires: "args[0].length > 0 && args[0].every((day) => Number.isSafeInteger(day))",
        },
      ],
      output: {
        name: "streak",
        type: "{ first: number; length: number }",
        invariants: [
          {
            invariant: "begins with a day that is there, after one that is not",
            ensures: "args[0].includes(result.first) && !args[0].includes(result.first - 1)",
          },
          {
            invariant: "ends with a day that is there, before one that is not",
            ensures:
              "result.length >= 1 && args[0].includes(result.first + result.length - 1) && !args[0].includes(result.first + result.length)",
          },
        ],
      },
      errors: [
        { name: "NoDays", when: "there are no days", says: "there are no days" },
        { name: "BadDay", when: "a day is no whole number", says: "no day: " },
      ],
      examples: [
        { title: "three in a row", args: ["[7, 3, 1, 2]"], gives: '{ "first": 1, "length": 3 }' },
        { title: "one day", args: ["[0]"], gives: '{"first":0,"length":1}' },
        { title: "no days", args: ["[]"], throws: "NoDays: there are no days" },
        { title: "half a day", args: ["[1, 2.5]"], throws: "BadDay: no day: 2.5" },
      ],
    },
  ],
  constraints: {
    C1: "A streak is days that follow each other without a gap; its first day and its length are given.",
    C2: "The order of the days does not matter, and a day that comes twice counts once.",
    C3: "Of several streaks of the same length the earliest is given.",
    C4: "Days may be negative; a day alone is a streak of 1.",
    C5: "No days throw NoDays: `there are no days`.",
    C6: "A day that is no whole number, or too large to be exact, throws BadDay: `no day: ` and it.",
  },
  source: `/** Thrown when there are no days. */
export class NoDays extends Error {}

/** Thrown when a day is no whole number. */
export class BadDay extends Error {}

/** The longest run of days without a gap, the earliest of several. */
export function longestStreak(days: readonly number[]): { first: number; length: number } {
  const bad = days.find((day) => !Number.isSafeInteger(day));
  if (bad !== undefined) throw new BadDay("no day: " + bad);
  if (days.length === 0) throw new NoDays("there are no days");
  let best = { first: 0, length: 0 };
  let current = best;
  for (const day of [...new Set(days)].toSorted((one, other) => one - other)) {
    const isNext = day === current.first + current.length;
    current = isNext ? { ...current, length: current.length + 1 } : { first: day, length: 1 };
    if (current.length > best.length) best = current;
  }
  return best;
}
`,
  tests: `
// C1: days without a gap are a streak
expect(longestStreak([1, 2, 3, 7])).toEqual({ first: 1, length: 3 });
expect(longestStreak([1, 5, 6, 9])).toEqual({ first: 5, length: 2 });

// C1: days from here to there are one streak
fc.assert(
  fc.property(fc.integer({ min: -1000, max: 1000 }), fc.integer({ min: 1, max: 30 }), (first, length) => {
    const days = Array.from({ length }, (_, index) => first + index);
    expect(longestStreak([...days.toReversed(), first - 5])).toEqual(length === 1 ? { first: first - 5, length } : { first, length });
  }),
);

// C2: neither order nor repetition matters
expect(longestStreak([9, 11, 10, 2, 1])).toEqual({ first: 9, length: 3 });
expect(longestStreak([4, 5, 5, 6, 5])).toEqual({ first: 4, length: 3 });
expect(longestStreak([10, 9, 2])).toEqual({ first: 9, length: 2 });

// C3: the earliest of several
expect(longestStreak([20, 21, 1, 2])).toEqual({ first: 1, length: 2 });

// C4: negative and lonely days count
expect(longestStreak([-1, 0, -2])).toEqual({ first: -2, length: 3 });
expect(longestStreak([5])).toEqual({ first: 5, length: 1 });
expect(longestStreak([0])).toEqual({ first: 0, length: 1 });

// C5: no days are refused
expect(() => longestStreak([])).toThrow(NoDays);
expect(() => longestStreak([])).toThrow("there are no days");

// C6: what is no day is refused
for (const day of [0.5, Number.NaN, 2 ** 53, Number.POSITIVE_INFINITY]) {
  expect(() => longestStreak([1, day])).toThrow(BadDay);
  expect(() => longestStreak([day])).toThrow("no day: " + day);
}
`,
  wrongTests: `
// C3: the latest of several
expect(longestStreak([1, 2, 20, 21])).toEqual({ first: 20, length: 2 });

// C2: a day that comes twice counts twice
expect(longestStreak([4, 4, 5])).toEqual({ first: 4, length: 3 });

// C5: without days the streak is 0
expect(longestStreak([])).toEqual({ first: 0, length: 0 });
`,
  omissions: `
// C3: wrong-boundary
-     if (current.length > best.length) best = current;
+     if (current.length >= best.length) best = current;
// C2: missing-edge-case
-   for (const day of [...new Set(days)].toSorted((one, other) => one - other)) {
+   for (const day of [...days].toSorted((one, other) => one - other)) {
// C2: missing-edge-case
-   for (const day of [...new Set(days)].toSorted((one, other) => one - other)) {
+   for (const day of [...new Set(days)].toSorted()) {
// C5: missing-error-surface
-   if (days.length === 0) throw new NoDays("there are no days");
// C6: ignored-constraint
-   const bad = days.find((day) => !Number.isSafeInteger(day));
+   const bad = days.find((day) => Number.isNaN(day));
// C1: swapped-arguments
-   return best;
+   return { first: best.length, length: best.first };
// C4: missing-edge-case
-   let best = { first: 0, length: 0 };
+   let best = { first: 0, length: 1 };
`,
  oracle: ORACLE,
});
