// Builtin task: the median of each window of a row of numbers.
import { builtinTask } from "../builtin-task.ts";
import { ORACLE } from "../oracles/moving-median.ts";

export const MOVING_MEDIAN = builtinTask({
  id: "moving-median",
  area: "small algorithms",
  title: "A moving median",
  purpose: "Gives the median of every window of neighbouring numbers in a row.",
  tags: ["median", "window"],
  entries: [
    {
      entry: "movingMedian",
      signature: "(values: readonly number[], size: number) => number[]",
      inputs: [
        {
          name: "values",
          type: "readonly number[]",
          constraint: "has no NaN",
          requires: "args[0].every((value) => !Number.isNaN(value))",
        },
        {
          name: "size",
          type: "number",
          constraint: "is a whole number of at least 1",
          requires: "Number.isInteger(args[1]) && args[1] >= 1",
        },
      ],
      output: {
        name: "medians",
        type: "number[]",
        invariants: [
          {
            invariant: "has one median for each place at which a whole window begins",
            ensures: "result.length === Math.max(0, args[0].length - args[1] + 1)",
          },
        ],
      },
      errors: [
        { name: "BadSize", when: "the size is none", says: "no size: " },
        {
          name: "BadValue",
          when: "a value is not a number",
          says: "no number at ",
        },
      ],
      examples: [
        { title: "windows of three", args: ["[5, 1, 9, 2]", "3"], gives: "[5, 2]" },
        { title: "too few", args: ["[1]", "2"], gives: "[]" },
        { title: "windows of nothing", args: ["[5]", "0"], throws: "BadSize: no size: 0" },
        { title: "what is no number", args: ["[5, Number.NaN]", "1"], throws: "BadValue: no number at 1" },
      ],
    },
  ],
  constraints: {
    C1: "There is one median for each window of `size` neighbours, in the order of the windows.",
    C2: "The median of an odd number of values is the one in the middle when they are in the order of numbers.",
    C3: "The median of an even number is the mean of the two in the middle.",
    C4: "Where there are fewer values than `size`, there is no window and no median.",
    C5: "The input is left as it was.",
    C6: "A size that is not a whole number of at least 1 throws BadSize: `no size: ` and it; NaN among the values throws BadValue: `no number at ` and its place from 0.",
  },
  source: `/** Thrown when the size of a window is none. */
export class BadSize extends Error {}

/** Thrown when a value is not a number. */
export class BadValue extends Error {}

/** The median of each window of neighbouring values. */
export function movingMedian(values: readonly number[], size: number): number[] {
  if (!Number.isInteger(size) || size < 1) throw new BadSize("no size: " + size);
  const bad = values.findIndex((value) => Number.isNaN(value));
  if (bad !== -1) throw new BadValue("no number at " + bad);
  const ends = values.slice(size - 1);
  return ends.map((_, start) => median(values.slice(start, start + size)));
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const [low = 0, high = low] = sorted.slice((sorted.length - 1) >> 1, (sorted.length >> 1) + 1);
  return (low + high) / 2;
}
`,
  tests: `
// C1: one median for each window
expect(movingMedian([1, 2, 3, 4], 1)).toEqual([1, 2, 3, 4]);
expect(movingMedian([5, 1, 9, 2], 3)).toEqual([5, 2]);
expect(movingMedian([5, 1, 9, 2], 4)).toEqual([3.5]);

// C2: the one in the middle, by number
expect(movingMedian([10, 9, 100], 3)).toEqual([10]);
expect(movingMedian([-1, -20, 3, 0, 7], 5)).toEqual([0]);

// C2: as many values are above as below
const values = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 3, maxLength: 12 });
fc.assert(
  fc.property(values, (list) => {
    movingMedian(list, 3).forEach((middle, start) => {
      const window = list.slice(start, start + 3);
      expect(window.includes(middle)).toBe(true);
      expect(window.filter((value) => value < middle).length).toBeLessThanOrEqual(1);
      expect(window.filter((value) => value > middle).length).toBeLessThanOrEqual(1);
    });
  }),
);

// C3: the mean of the two in the middle
expect(movingMedian([1, 4, 2, 9], 2)).toEqual([2.5, 3, 5.5]);
expect(movingMedian([7, 1, 3, 100], 4)).toEqual([5]);

// C4: no window, no median
expect(movingMedian([1, 2], 3)).toEqual([]);
expect(movingMedian([], 1)).toEqual([]);

// C5: the input is left as it was
const given = [3, 1, 2];
expect(movingMedian(given, 3)).toEqual([2]);
expect(given).toEqual([3, 1, 2]);

// C6: what is no size or no number is refused
for (const size of [0, -1, 1.5, Number.NaN]) {
  expect(() => movingMedian([1, 2, 3], size)).toThrow(BadSize);
  expect(() => movingMedian([], size)).toThrow("no size: " + size);
}
expect(() => movingMedian([1, Number.NaN, 2], 1)).toThrow(BadValue);
expect(() => movingMedian([1, 2, Number.NaN], 9)).toThrow("no number at 2");
expect(() => movingMedian([Number.NaN], 1)).toThrow("no number at 0");
`,
  wrongTests: `
// C4: the windows at the ends are shorter
expect(movingMedian([1, 2, 3], 3)).toEqual([1.5, 2, 2.5]);

// C3: the lower of the two in the middle
expect(movingMedian([1, 4], 2)).toEqual([1]);

// C2: the mean of all
expect(movingMedian([1, 2, 9], 3)).toEqual([4]);
`,
  omissions: `
// C2: missing-edge-case
-   const sorted = values.toSorted((one, other) => one - other);
+   const sorted = values.toSorted();
// C3: swapped-arguments
-   return (low + high) / 2;
+   return (low + low) / 2;
// C1: wrong-boundary
-   const ends = values.slice(size - 1);
+   const ends = values.slice(size);
// C4: missing-edge-case
-   const ends = values.slice(size - 1);
+   const ends = values.slice(Math.min(size, values.length) - 1);
// C6: missing-error-surface
-   if (bad !== -1) throw new BadValue("no number at " + bad);
// C6: wrong-boundary
-   if (!Number.isInteger(size) || size < 1) throw new BadSize("no size: " + size);
+   if (!Number.isInteger(size) || size < 0) throw new BadSize("no size: " + size);
// C5: ignored-constraint
-   return ends.map((_, start) => median(values.slice(start, start + size)));
+   return ends.map((_, start) => median(size === values.length && Array.isArray(values) ? values.sort((a, b) => a - b) : values.slice(start, start + size)));
`,
  oracle: ORACLE,
});
