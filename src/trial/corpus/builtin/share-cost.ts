// Builtin task: shares an amount out by weights without losing a cent.
import { builtinTask } from "../builtin-task.ts";
import { ORACLE } from "../oracles/share-cost.ts";

export const SHARE_COST = builtinTask({
  id: "share-cost",
  area: "money",
  title: "Share a cost out by weights",
  purpose: "Shares an amount in cents out by weights, so that no cent is lost.",
  tags: ["money", "share"],
  entries: [
    {
      entry: "shareCost",
      signature: "(cents: number, weights: readonly number[]) => number[]",
      inputs: [
        {
          name: "cents",
          type: "number",
          constraint: "is a whole number from 0 to 1000000000",
          requires: "Number.isInteger(args[0]) && args[0] >= 0 && args[0] <= 1000000000",
        },
        {
          name: "weights",
          type: "readonly number[]",
          constraint: "has whole numbers from 0 to 1000, not all of them 0",
          requires:
            "args[1].every((each) => Number.isInteger(each) && each >= 0 && each <= 1000) && args[1].some((each) => each > 0)",
        },
      ],
      output: {
        name: "shares",
        type: "number[]",
        invariants: [
          {
            invariant: "has a share for each weight, and they add up to the amount",
            ensures:
              "result.length === args[1].length && result.reduce((sum, each) => sum + each, 0) === args[0]",
          },
        ],
      },
      errors: [
        { name: "BadCost", when: "the amount is none", says: "no amount: " },
        {
          name: "BadWeights",
          when: "the weights are none",
          says: "no weights: ",
        },
      ],
      examples: [
        { title: "a cent that is left over", args: ["100", "[1, 1, 1]"], gives: "[34, 33, 33]" },
        { title: "nothing to share", args: ["0", "[1, 2]"], gives: "[0,0]" },
        { title: "half a cent", args: ["0.5", "[1]"], throws: "BadCost: no amount: 0.5" },
        { title: "nobody to pay", args: ["100", "[0, 0]"], throws: "BadWeights: no weights: 0, 0" },
      ],
    },
  ],
  constraints: {
    C1: "Each share is its part of the amount by weight, rounded down, or one cent more.",
    C2: "The cents that rounding leaves over go, one each, to the shares that lost most by it.",
    C3: "Of shares that lost the same, those that come first get the cent.",
    C4: "A weight of 0 gets nothing.",
    C5: "An amount that is not a whole number from 0 to 1000000000 throws BadCost: `no amount: ` and it.",
    C6: "No weights, weights that are all 0, or one that is not a whole number from 0 to 1000 throw BadWeights: `no weights: ` and them, parted by a comma and a blank.",
  },
  source: `/** Thrown when an amount is none. */
export class BadCost extends Error {}

/** Thrown when weights are none. */
export class BadWeights extends Error {}

/** The shares of an amount by weights; they add up to it. */
export function shareCost(cents: number, weights: readonly number[]): number[] {
  if (!isWhole(cents, 1_000_000_000)) throw new BadCost("no amount: " + cents);
  const sum = total(weights);
  if (sum === 0 || !weights.every((weight) => isWhole(weight, 1000))) {
    throw new BadWeights("no weights: " + weights.join(", "));
  }
  const shares = weights.map((weight) => Math.floor((cents * weight) / sum));
  const lost = weights.map((weight, index) => ({ index, cents: (cents * weight) % sum }));
  const byLoss = lost.toSorted((one, other) => other.cents - one.cents);
  const lucky = byLoss.slice(0, cents - total(shares)).map(({ index }) => index);
  return shares.map((share, index) => (lucky.includes(index) ? share + 1 : share));
}

function isWhole(value: number, most: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= most;
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
`,
  tests: `
// C1: shares go by weight
expect(shareCost(100, [1, 3])).toEqual([25, 75]);
expect(shareCost(0, [1, 2])).toEqual([0, 0]);
expect(shareCost(7, [5])).toEqual([7]);

// C1: every share is its part rounded down, or a cent more
const weights = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 8 });
fc.assert(
  fc.property(fc.nat(1_000_000), weights, (cents, list) => {
    const sum = list.reduce((before, weight) => before + weight, 0);
    const shares = shareCost(cents, list);
    expect(shares.reduce((before, share) => before + share, 0)).toBe(cents);
    shares.forEach((share, index) => {
      const exact = (cents * (list[index] ?? 0)) / sum;
      expect(share === Math.floor(exact) || share === Math.floor(exact) + 1).toBe(true);
    });
  }),
);

// C2: who lost most gets the cent
expect(shareCost(10, [1, 2, 4])).toEqual([1, 3, 6]);
expect(shareCost(5, [1, 9])).toEqual([1, 4]);
expect(shareCost(11, [2, 5, 8])).toEqual([1, 4, 6]);

// C3: of equal losses the first get the cent
expect(shareCost(100, [1, 1, 1])).toEqual([34, 33, 33]);
expect(shareCost(5, [1, 1, 1])).toEqual([2, 2, 1]);

// C4: a weight of 0 gets nothing
expect(shareCost(101, [0, 1, 0, 1])).toEqual([0, 51, 0, 50]);

// C5: what is no amount is refused
expect(shareCost(1_000_000_000, [1000])).toEqual([1_000_000_000]);
for (const cents of [-1, 0.5, 1_000_000_001, Number.NaN]) {
  expect(() => shareCost(cents, [1])).toThrow(BadCost);
  expect(() => shareCost(cents, [1])).toThrow("no amount: " + cents);
}

// C6: what are no weights is refused
for (const weights of [[], [0, 0], [-1, 2], [1, 0.5], [1001, 1]]) {
  expect(() => shareCost(9, weights)).toThrow(BadWeights);
  expect(() => shareCost(9, weights)).toThrow("no weights: " + weights.join(", "));
}
`,
  wrongTests: `
// C3: the last one gets the cent that is left over
expect(shareCost(100, [1, 1, 1])).toEqual([33, 33, 34]);

// C2: shares are rounded to the nearest cent
expect(shareCost(5, [1, 1])).toEqual([3, 3]);

// C6: nobody to share with is no error
expect(shareCost(10, [])).toEqual([]);
`,
  omissions: `
// C2: ignored-constraint
-   const byLoss = lost.toSorted((one, other) => other.cents - one.cents);
+   const byLoss = lost;
// C2: swapped-arguments
-   const byLoss = lost.toSorted((one, other) => other.cents - one.cents);
+   const byLoss = lost.toSorted((one, other) => one.cents - other.cents);
// C6: missing-error-surface
-   if (sum === 0 || !weights.every((weight) => isWhole(weight, 1000))) {
+   if (!weights.every((weight) => isWhole(weight, 1000))) {
// C6: missing-edge-case
-   if (sum === 0 || !weights.every((weight) => isWhole(weight, 1000))) {
+   if (sum === 0) {
// C5: wrong-boundary
-   return Number.isInteger(value) && value >= 0 && value <= most;
+   return Number.isInteger(value) && value >= 0 && value < most;
// C5: wrong-boundary
-   return Number.isInteger(value) && value >= 0 && value <= most;
+   return Number.isInteger(value) && value <= most;
// C3: missing-edge-case
-   const byLoss = lost.toSorted((one, other) => other.cents - one.cents);
+   const byLoss = lost.toReversed().toSorted((one, other) => other.cents - one.cents);
`,
  oracle: ORACLE,
});
