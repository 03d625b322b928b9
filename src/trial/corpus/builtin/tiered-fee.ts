// Builtin task: a fee whose price per unit changes from tier to tier.
import { builtinTask } from "../builtin-task.ts";
import { ORACLE } from "../oracles/tiered-fee.ts";

export const TIERED_FEE = builtinTask({
  id: "tiered-fee",
  area: "money",
  title: "A fee in tiers",
  purpose: "Adds up the fee for a number of units whose price changes from tier to tier.",
  tags: ["money", "tiers"],
  entries: [
    {
      entry: "tieredFee",
      signature: "(units: number, tiers: readonly { upTo: number; cents: number }[]) => number",
      inputs: [
        {
          name: "units",
          type: "number",
          constraint: "is a whole number that is not negative",
          requires: "Number.isInteger(args[0]) && args[0] >= 0",
        },
        {
          name: "tiers",
          type: "readonly { upTo: number; cents: number }[]",
          constraint: "has whole ends that rise from above 0, and whole prices that are not negative",
          requires:
            "args[1].every((tier, at) => Number.isInteger(tier.upTo) && tier.upTo > (at === 0 ? 0 : args[1][at - 1].upTo) && Number.isInteger(tier.cents) && tier.cents >= 0)",
        },
      ],
      output: {
        name: "fee",
        type: "number",
        invariants: [{ invariant: "is not negative", ensures: "result >= 0" }],
      },
      errors: [
        { name: "BadUnits", when: "the units are none", says: "no units: " },
        { name: "BadTiers", when: "the tiers are none", says: "no tier: " },
        {
          name: "BeyondTiers",
          when: "there are more units than tiers for them",
          says: "no tier for ",
        },
      ],
      examples: [
        { title: "two tiers", args: ["12", "[{ upTo: 10, cents: 5 }, { upTo: 20, cents: 3 }]"], gives: "56" },
        { title: "no units", args: ["0", "[]"], gives: "0" },
        { title: "less than nothing", args: ["-1", "[]"], throws: "BadUnits: no units: -1" },
        {
          title: "a tier without end",
          args: ["1", "[{ upTo: 0, cents: 5 }]"],
          throws: "BadTiers: no tier: up to 0 for 5",
        },
        {
          title: "too many units",
          args: ["5", "[{ upTo: 4, cents: 1 }]"],
          throws: "BeyondTiers: no tier for 5 units",
        },
      ],
    },
  ],
  constraints: {
    C1: "Each tier begins after the end of the one before, the first at unit 1, and holds up to and including `upTo`.",
    C2: "Every unit costs the price of its own tier: units in lower tiers keep their price.",
    C3: "No units cost nothing.",
    C4: "Units that are not a whole number, or negative, throw BadUnits: `no units: ` and them.",
    C5: "A tier whose end is not whole or not above the one before, or whose price is not whole or negative, throws BadTiers: `no tier: up to `, its end, ` for ` and its price; also where no unit is in it.",
    C6: "More units than the last tier holds throw BeyondTiers: `no tier for `, the units and ` units`.",
  },
  source: `/** Thrown when a number of units is none. */
export class BadUnits extends Error {}

/** Thrown when tiers do not rise or a price is none. */
export class BadTiers extends Error {}

/** Thrown when there are more units than tiers for them. */
export class BeyondTiers extends Error {}

/** The fee of so many units, each at the price of its tier. */
export function tieredFee(units: number, tiers: readonly { upTo: number; cents: number }[]): number {
  if (!Number.isInteger(units) || units < 0) throw new BadUnits("no units: " + units);
  let fee = 0;
  let end = 0;
  for (const { upTo, cents } of tiers) {
    if (![upTo, cents].every(Number.isInteger) || upTo <= end || cents < 0) {
      throw new BadTiers("no tier: up to " + upTo + " for " + cents);
    }
    fee += Math.max(0, Math.min(units, upTo) - end) * cents;
    end = upTo;
  }
  if (units > end) throw new BeyondTiers("no tier for " + units + " units");
  return fee;
}
`,
  tests: `
// C1: a tier holds up to and including its end
const tiers = [{ upTo: 10, cents: 5 }, { upTo: 20, cents: 3 }];
expect(tieredFee(10, tiers)).toBe(50);
expect(tieredFee(11, tiers)).toBe(53);
expect(tieredFee(20, tiers)).toBe(80);

// C2: units in lower tiers keep their price
const tiers = [{ upTo: 2, cents: 100 }, { upTo: 5, cents: 10 }, { upTo: 9, cents: 1 }];
expect(tieredFee(7, tiers)).toBe(232);
expect(tieredFee(1, tiers)).toBe(100);

// C2: each unit more costs the price of its tier
const ends = fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 5 });
fc.assert(
  fc.property(ends, fc.nat(29), (list, units) => {
    const tiers = list.toSorted((a, b) => a - b).map((upTo) => ({ upTo, cents: upTo * 7 }));
    const price = tiers.find(({ upTo }) => upTo > units)?.cents;
    if (price !== undefined) expect(tieredFee(units + 1, tiers) - tieredFee(units, tiers)).toBe(price);
    expect(tieredFee(1, tiers)).toBe((tiers[0]?.cents ?? 0));
  }),
);

// C3: no units cost nothing
expect(tieredFee(0, [{ upTo: 3, cents: 9 }])).toBe(0);
expect(tieredFee(0, [])).toBe(0);

// C4: what are no units is refused
for (const units of [-1, 0.5, Number.NaN]) {
  expect(() => tieredFee(units, [{ upTo: 3, cents: 9 }])).toThrow(BadUnits);
  expect(() => tieredFee(units, [])).toThrow("no units: " + units);
}

// C5: what is no tier is refused
for (const [upTo, cents] of [[5, 1], [4, 1], [6.5, 1], [9, -1], [9, 0.5]] as const) {
  expect(() => tieredFee(1, [{ upTo: 5, cents: 2 }, { upTo, cents }])).toThrow(BadTiers);
  expect(() => tieredFee(1, [{ upTo: 5, cents: 2 }, { upTo, cents }])).toThrow("no tier: up to " + upTo + " for " + cents);
}
expect(tieredFee(1, [{ upTo: 5, cents: 0 }])).toBe(0);

// C6: more units than tiers are refused
expect(() => tieredFee(6, [{ upTo: 5, cents: 2 }])).toThrow(BeyondTiers);
expect(() => tieredFee(1, [])).toThrow("no tier for 1 units");
`,
  wrongTests: `
// C2: all units cost the price of the tier they reach
expect(tieredFee(12, [{ upTo: 10, cents: 5 }, { upTo: 20, cents: 3 }])).toBe(36);

// C6: units beyond the last tier keep its price
expect(tieredFee(6, [{ upTo: 5, cents: 2 }])).toBe(12);

// C1: the end of a tier is in the next one
expect(tieredFee(10, [{ upTo: 10, cents: 5 }, { upTo: 20, cents: 3 }])).toBe(48);
`,
  omissions: `
// C6: missing-error-surface
-   if (units > end) throw new BeyondTiers("no tier for " + units + " units");
// C6: wrong-boundary
-   if (units > end) throw new BeyondTiers("no tier for " + units + " units");
+   if (units > end + 1) throw new BeyondTiers("no tier for " + units + " units");
// C5: missing-edge-case
-     if (![upTo, cents].every(Number.isInteger) || upTo <= end || cents < 0) {
+     if (![upTo, cents].every(Number.isInteger) || cents < 0) {
// C5: wrong-boundary
-     if (![upTo, cents].every(Number.isInteger) || upTo <= end || cents < 0) {
+     if (![upTo, cents].every(Number.isInteger) || upTo < end || cents < 0) {
// C1: ignored-constraint
-     fee += Math.max(0, Math.min(units, upTo) - end) * cents;
+     fee += Math.max(0, Math.min(units, upTo)) * cents;
// C2: missing-edge-case
-     fee += Math.max(0, Math.min(units, upTo) - end) * cents;
+     fee += (Math.min(units, upTo) - end) * cents;
// C2: swapped-arguments
-     fee += Math.max(0, Math.min(units, upTo) - end) * cents;
+     fee += Math.max(0, Math.max(units, upTo) - end) * cents;
`,
  oracle: ORACLE,
});
