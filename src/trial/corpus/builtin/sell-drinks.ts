// Builtin task: what a machine that sells drinks says to coins and buttons.
import { builtinTask } from "../builtin-task.ts";
import { ORACLE } from "../oracles/sell-drinks.ts";

const STEP = '{ kind: "coin"; cents: number } | { kind: "buy" } | { kind: "cancel" }';

export const SELL_DRINKS = builtinTask({
  id: "sell-drinks",
  area: "state machines",
  title: "A machine that sells drinks",
  purpose: "Plays coins and buttons on a machine that sells drinks, and gives what it answers to each.",
  tags: ["states", "coins"],
  entries: [
    {
      entry: "sellDrinks",
      signature: `(price: number, stock: number, steps: readonly (${STEP})[]) => string[]`,
      inputs: [
        {
          name: "price",
          type: "number",
          constraint: "is a multiple of 10 from 10 to 1000",
          requires: "args[0] % 10 === 0 && args[0] >= 10 && args[0] <= 1000",
        },
        {
          name: "stock",
          type: "number",
          constraint: "is a whole number that is not negative",
          requires: "Number.isInteger(args[1]) && args[1] >= 0",
        },
        { name: "steps", type: `readonly (${STEP})[]` },
      ],
      output: {
        name: "answers",
        type: "string[]",
        invariants: [
          { invariant: "has one answer for each step", ensures: "result.length === args[2].length" },
          {
            invariant: "sells no more than there is",
            ensures: 'result.filter((answer) => answer.startsWith("drink")).length <= args[1]',
          },
        ],
      },
      errors: [
        { name: "BadPrice", when: "the price is none", says: "no price: " },
        { name: "BadStock", when: "the stock is none", says: "no stock: " },
      ],
      examples: [
        {
          title: "a drink with change",
          args: ["80", "1", '[{ kind: "coin", cents: 100 }, { kind: "buy" }]'],
          gives: '["100 in", "drink, 20 back"]',
        },
        { title: "no steps", args: ["10", "0", "[]"], gives: "[]" },
        { title: "a price that no coins make", args: ["15", "1", "[]"], throws: "BadPrice: no price: 15" },
        { title: "less than no drinks", args: ["80", "-1", "[]"], throws: "BadStock: no stock: -1" },
      ],
    },
  ],
  constraints: {
    C1: "Coins of 10, 20, 50, 100 and 200 cents are taken: `N in`, where N is all that is in the machine for this sale.",
    C2: "Any other coin is given back and counts for nothing: `N refused`, where N is the coin.",
    C3: "`buy` with enough money gives `drink, N back`, where N is the change; the next sale begins with nothing in.",
    C4: "`buy` with too little gives `N missing`, and the money stays in.",
    C5: "`buy` when no drink is left gives `sold out`, whatever is in, and the money stays in; each drink sold is one less.",
    C6: "`cancel` gives `N back`, all that is in, also when that is 0.",
    C7: "A price that is no multiple of 10 from 10 to 1000 throws BadPrice: `no price: ` and it; a stock that is not whole or negative throws BadStock: `no stock: ` and it.",
  },
  source: `/** Thrown when coins cannot make a price. */
export class BadPrice extends Error {}

/** Thrown when a number of drinks is none. */
export class BadStock extends Error {}

type Step = ${STEP};

const COINS = [10, 20, 50, 100, 200];

/** What the machine answers to each coin and button. */
export function sellDrinks(price: number, stock: number, steps: readonly Step[]): string[] {
  if (price % 10 !== 0 || price < 10 || price > 1000) throw new BadPrice("no price: " + price);
  if (!Number.isInteger(stock) || stock < 0) throw new BadStock("no stock: " + stock);
  let inside = 0;
  let left = stock;
  const answer = (step: Step): string => {
    if (step.kind === "coin") {
      if (!COINS.includes(step.cents)) return step.cents + " refused";
      inside += step.cents;
      return inside + " in";
    }
    if (step.kind === "buy" && left === 0) return "sold out";
    if (step.kind === "buy" && inside < price) return price - inside + " missing";
    const back = step.kind === "buy" ? inside - price : inside;
    left -= step.kind === "buy" ? 1 : 0;
    inside = 0;
    return (step.kind === "buy" ? "drink, " : "") + back + " back";
  };
  return steps.map((step) => answer(step));
}
`,
  tests: `
// C1: coins add up
const coins = [10, 20, 50, 100, 200].map((cents) => ({ kind: "coin" as const, cents }));
expect(sellDrinks(100, 1, coins)).toEqual(["10 in", "30 in", "80 in", "180 in", "380 in"]);

// C1: any coins add up
fc.assert(
  fc.property(fc.array(fc.constantFrom(10, 20, 50, 100, 200), { minLength: 1 }), (coins) => {
    const answers = sellDrinks(10, 0, coins.map((cents) => ({ kind: "coin", cents })));
    expect(answers.at(-1)).toBe(coins.reduce((sum, cents) => sum + cents, 0) + " in");
  }),
);

// C2: other coins are refused
const steps = [{ kind: "coin", cents: 5 }, { kind: "coin", cents: 20 }, { kind: "coin", cents: 500 }, { kind: "cancel" }] as const;
expect(sellDrinks(100, 1, steps)).toEqual(["5 refused", "20 in", "500 refused", "20 back"]);

// C3: a drink and the change
const [coin, buy] = [{ kind: "coin", cents: 100 }, { kind: "buy" }] as const;
expect(sellDrinks(80, 3, [coin, buy, coin, buy])).toEqual(["100 in", "drink, 20 back", "100 in", "drink, 20 back"]);
expect(sellDrinks(100, 1, [coin, buy])).toEqual(["100 in", "drink, 0 back"]);

// C4: too little money stays in
const [coin, buy] = [{ kind: "coin", cents: 50 }, { kind: "buy" }] as const;
expect(sellDrinks(80, 1, [coin, buy, coin, buy])).toEqual(["50 in", "30 missing", "100 in", "drink, 20 back"]);

// C5: no drinks are left in the end
const [coin, buy, cancel] = [{ kind: "coin", cents: 50 }, { kind: "buy" }, { kind: "cancel" }] as const;
expect(sellDrinks(50, 1, [coin, buy, coin, buy, cancel])).toEqual(["50 in", "drink, 0 back", "50 in", "sold out", "50 back"]);
expect(sellDrinks(50, 0, [buy])).toEqual(["sold out"]);
expect(sellDrinks(50, 1, [coin, cancel, coin, buy])).toEqual(["50 in", "50 back", "50 in", "drink, 0 back"]);

// C6: all that is in comes back
const [coin, buy, cancel] = [{ kind: "coin", cents: 20 }, { kind: "buy" }, { kind: "cancel" }] as const;
expect(sellDrinks(50, 1, [cancel, coin, coin, cancel, buy])).toEqual(["0 back", "20 in", "40 in", "40 back", "50 missing"]);

// C7: what is no price or no stock is refused
expect(sellDrinks(10, 0, [])).toEqual([]);
expect(sellDrinks(1000, 0, [])).toEqual([]);
for (const price of [15, 0, -10, 1010, Number.NaN]) {
  expect(() => sellDrinks(price, 1, [])).toThrow(BadPrice);
  expect(() => sellDrinks(price, 1, [])).toThrow("no price: " + price);
}
for (const stock of [-1, 0.5, Number.NaN]) {
  expect(() => sellDrinks(50, stock, [])).toThrow(BadStock);
  expect(() => sellDrinks(50, stock, [])).toThrow("no stock: " + stock);
}
`,
  wrongTests: `
// C4: too little money is given back
const steps = [{ kind: "coin", cents: 50 }, { kind: "buy" }, { kind: "cancel" }] as const;
expect(sellDrinks(80, 1, steps)).toEqual(["50 in", "30 missing", "0 back"]);

// C3: what is left over stays in for the next drink
const [coin, buy] = [{ kind: "coin", cents: 200 }, { kind: "buy" }] as const;
expect(sellDrinks(80, 2, [coin, buy, buy])).toEqual(["200 in", "drink, 0 back", "drink, 40 back"]);

// C6: nothing to give back is no answer
expect(sellDrinks(80, 1, [{ kind: "cancel" }])).toEqual([]);
`,
  omissions: `
// C3: wrong-boundary
-     if (step.kind === "buy" && inside < price) return price - inside + " missing";
+     if (step.kind === "buy" && inside <= price) return price - inside + " missing";
// C5: missing-edge-case
-     if (step.kind === "buy" && left === 0) return "sold out";
// C2: ignored-constraint
-       if (!COINS.includes(step.cents)) return step.cents + " refused";
+       if (step.cents < 10) return step.cents + " refused";
// C7: missing-error-surface
-   if (!Number.isInteger(stock) || stock < 0) throw new BadStock("no stock: " + stock);
// C7: wrong-boundary
-   if (price % 10 !== 0 || price < 10 || price > 1000) throw new BadPrice("no price: " + price);
+   if (price % 10 !== 0 || price < 10 || price >= 1000) throw new BadPrice("no price: " + price);
// C4: swapped-arguments
-     if (step.kind === "buy" && inside < price) return price - inside + " missing";
+     if (step.kind === "buy" && inside < price) return inside - price + " missing";
// C3: missing-edge-case
-     inside = 0;
+     inside = step.kind === "buy" ? back : 0;
`,
  oracle: ORACLE,
});
