// Builtin task: joins ranges of numbers that overlap or touch.
import { builtinTask } from "../builtin-task.ts";
import { ORACLE } from "../oracles/merge-ranges.ts";

export const MERGE_RANGES = builtinTask({
  id: "merge-ranges",
  area: "data structures",
  title: "Join ranges",
  purpose: "Joins ranges of numbers that overlap or touch, and gives them in order.",
  tags: ["ranges", "union"],
  entries: [
    {
      entry: "mergeRanges",
      signature: "(ranges: readonly (readonly [number, number])[]) => [number, number][]",
      inputs: [
        {
          name: "ranges",
          type: "readonly (readonly [number, number])[]",
          constraint: "has only ranges whose beginning is below their end",
          requires: "args[0].every((range) => range[0] < range[1])",
        },
      ],
      output: {
        name: "merged",
        type: "[number, number][]",
        invariants: [
          {
            invariant: "is in order, with a gap after each range but the last",
            ensures:
              "result.every((range, at) => range[0] < range[1] && (at === 0 || result[at - 1][1] < range[0]))",
          },
        ],
      },
      errors: [
        {
          name: "BadRange",
          when: "a range does not begin below its end",
          says: "no range: ",
        },
      ],
      examples: [
        { title: "two that overlap", args: ["[[1, 4], [3, 6], [8, 9]]"], gives: "[[1, 6], [8, 9]]" },
        { title: "two that touch", args: ["[[1, 2], [2, 3]]"], gives: "[[1,3]]" },
        { title: "an empty range", args: ["[[2, 2]]"], throws: "BadRange: no range: 2 to 2" },
      ],
    },
  ],
  constraints: {
    C1: "Ranges that overlap become one, from the lowest beginning to the highest end; others stay as they are.",
    C2: "Ranges that touch, where one begins at the end of the other, become one.",
    C3: "A range within another one adds nothing.",
    C4: "The result is in order of the beginnings, whatever the order of the input.",
    C5: "The input is left as it was: neither the list nor a range in it is changed.",
    C6: "A range that does not begin below its end throws BadRange: `no range: `, its beginning, ` to ` and its end.",
  },
  source: `/** Thrown when a range does not begin below its end. */
export class BadRange extends Error {}

/** The same numbers as the ranges cover, in as few ranges as possible. */
export function mergeRanges(ranges: readonly (readonly [number, number])[]): [number, number][] {
  for (const [from, to] of ranges) {
    if (!(from < to)) throw new BadRange("no range: " + from + " to " + to);
  }
  const merged: [number, number][] = [];
  for (const [from, to] of ranges.toSorted((one, other) => one[0] - other[0])) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}
`,
  tests: `
// C1: ranges that overlap become one
expect(mergeRanges([[1, 4], [3, 6], [8, 9]])).toEqual([[1, 6], [8, 9]]);
expect(mergeRanges([])).toEqual([]);
expect(mergeRanges([[-2, 5]])).toEqual([[-2, 5]]);

// C1: a number is covered afterwards if it was before
const range = fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 1, max: 9 }));
const ranges = fc.array(range.map(([from, size]): [number, number] => [from, from + size]));
fc.assert(
  fc.property(ranges, fc.integer({ min: 0, max: 40 }), (list, number) => {
    const covers = (all: readonly (readonly [number, number])[]) => all.some(([from, to]) => from <= number && number < to);
    expect(covers(mergeRanges(list))).toBe(covers(list));
  }),
);

// C2: ranges that touch become one
expect(mergeRanges([[1, 2], [2, 3], [4, 5]])).toEqual([[1, 3], [4, 5]]);

// C3: a range within another one adds nothing
expect(mergeRanges([[1, 10], [2, 3], [4, 5]])).toEqual([[1, 10]]);
expect(mergeRanges([[1, 10], [2, 3], [9, 12]])).toEqual([[1, 12]]);

// C4: the order of the input does not matter
expect(mergeRanges([[20, 21], [3, 4], [10, 11]])).toEqual([[3, 4], [10, 11], [20, 21]]);
expect(mergeRanges([[3, 6], [1, 4]])).toEqual([[1, 6]]);

// C5: the input is left as it was
const given: [number, number][] = [[5, 7], [1, 6]];
expect(mergeRanges(given)).toEqual([[1, 7]]);
expect(given).toEqual([[5, 7], [1, 6]]);

// C6: what is no range is refused
for (const [from, to] of [[2, 2], [3, 1], [Number.NaN, 1]] as const) {
  expect(() => mergeRanges([[0, 9], [from, to]])).toThrow(BadRange);
  expect(() => mergeRanges([[from, to]])).toThrow("no range: " + from + " to " + to);
}
`,
  wrongTests: `
// C2: ranges that only touch stay apart
expect(mergeRanges([[1, 2], [2, 3]])).toEqual([[1, 2], [2, 3]]);

// C6: an empty range is passed over
expect(mergeRanges([[2, 2], [3, 4]])).toEqual([[3, 4]]);
`,
  omissions: `
// C2: wrong-boundary
-     if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
+     if (last !== undefined && from < last[1]) last[1] = Math.max(last[1], to);
// C3: missing-edge-case
-     if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
+     if (last !== undefined && from <= last[1]) last[1] = to;
// C4: ignored-constraint
-   for (const [from, to] of ranges.toSorted((one, other) => one[0] - other[0])) {
+   for (const [from, to] of ranges) {
// C6: wrong-boundary
-     if (!(from < to)) throw new BadRange("no range: " + from + " to " + to);
+     if (!(from <= to)) throw new BadRange("no range: " + from + " to " + to);
// C6: missing-error-surface
-     if (!(from < to)) throw new BadRange("no range: " + from + " to " + to);
+     if (from > to) throw new BadRange("no range: " + from + " to " + to);
// C4: swapped-arguments
-   for (const [from, to] of ranges.toSorted((one, other) => one[0] - other[0])) {
+   for (const [from, to] of ranges.toSorted((one, other) => other[0] - one[0])) {
// C5: ignored-constraint
-   for (const [from, to] of ranges.toSorted((one, other) => one[0] - other[0])) {
+   for (const [from, to] of [ranges].flat().filter((each) => Array.isArray(ranges) && ranges.sort((one, other) => one[0] - other[0]).includes(each))) {
`,
  oracle: ORACLE,
});
