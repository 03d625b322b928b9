// A module that builds on another one, so that there is something sealed beside it.
import { simulatedCase } from "./simulated-case.ts";

export const RECIPE_WEIGHT = simulatedCase({
  name: "recipe-weight",
  purpose: "Adds up the quantities of a recipe and gives its weight in grams.",
  specTask: "TSK-002",
  uses: ["parse-quantity"],
  tags: ["weight", "sum"],
  entry: "recipeWeight",
  signature: "(quantities: readonly string[]) => number",
  inputs: [
    {
      name: "quantities",
      type: "readonly string[]",
      constraint: "is not empty",
      requires: "args[0].length > 0",
    },
  ],
  output: {
    name: "weight",
    type: "number",
    invariant: "is a whole number that is not negative",
    ensures: "Number.isInteger(result) && result >= 0",
  },
  error: {
    name: "NoQuantities",
    when: "there is nothing to weigh",
    throws: 'error.message === "nothing to weigh"',
  },
  behavior: "The sum of all quantities in grams; an empty list throws NoQuantities.",
  sketch: {
    name: "orderDoesNotMatter",
    description: "the order of the quantities does not matter",
    invariant: "the weight of a list is the weight of the list turned round",
    type: "Commutative",
  },
  examples: [
    { title: "a recipe", call: 'recipeWeight(["250 g", "2 kg"])', gives: "2250" },
    { title: "a single thing", call: 'recipeWeight(["5 kg"])', gives: "5000" },
    { title: "nothing", call: "recipeWeight([])", throws: "NoQuantities: nothing to weigh" },
  ],
  source: `import { parseQuantity } from "#modules/parse-quantity";

/** Thrown when there is nothing to weigh. */
export class NoQuantities extends Error {}

/** The weight of quantities such as "250 g" and "2 kg", in grams. */
export function recipeWeight(quantities: readonly string[]): number {
  if (quantities.length === 0) throw new NoQuantities("nothing to weigh");
  return quantities.reduce((weight, quantity) => weight + parseQuantity(quantity), 0);
}
`,
  tests: {
    "test/recipe-weight.test.ts": `import fc from "fast-check";
import { expect, test } from "vitest";
import { NoQuantities, recipeWeight } from "../src/index.ts";

test("quantities are added up", () => {
  expect(recipeWeight(["250 g", "2 kg"])).toBe(2250);
  expect(recipeWeight(["3 g", "3 g", "1 g"])).toBe(7);
});

test("one quantity is its own weight", () => {
  expect(recipeWeight(["5 kg"])).toBe(5000);
});

test("the order of the quantities does not matter", () => {
  const amounts = fc.array(fc.integer({ min: 0, max: 9999 }), { minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(amounts, (list) => {
      const quantities = list.map((amount) => amount + " g");
      const sum = list.reduce((before, amount) => before + amount, 0);
      expect(recipeWeight(quantities)).toBe(sum);
      expect(recipeWeight(quantities.toReversed())).toBe(sum);
    }),
  );
});

test("nothing has no weight", () => {
  expect(() => recipeWeight([])).toThrow(NoQuantities);
  expect(() => recipeWeight([])).toThrow("nothing to weigh");
});
`,
    "test/recipe-weight.integration.test.ts": `import { expect, test } from "vitest";
import { recipeWeight } from "../src/index.ts";

test("a quantity that is none is told", () => {
  expect(() => recipeWeight(["1 g", "x"])).toThrow("no quantity");
});
`,
  },
  properties: [
    { name: "quantities are added up", type: "Other" },
    { name: "one quantity is its own weight", type: "Identity" },
    { name: "the order of the quantities does not matter", type: "Commutative", sketch: true },
    { name: "nothing has no weight", type: "Boundary" },
    { name: "a quantity that is none is told", type: "Boundary" },
  ],
});
