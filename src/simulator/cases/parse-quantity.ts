// A pure function that can fail: the case that most cheats are played on.
import { simulatedCase } from "./simulated-case.ts";

export const PARSE_QUANTITY = simulatedCase({
  name: "parse-quantity",
  purpose: "Reads a quantity such as 250 g or 2 kg and gives it in grams.",
  specTask: "TSK-001",
  tags: ["weight", "parse"],
  entry: "parseQuantity",
  signature: "(text: string) => number",
  inputs: [
    {
      name: "text",
      type: "string",
      constraint: "is one to four digits, a space, and g or kg",
      requires: String.raw`/^\d{1,4} k?g$/.test(args[0])`,
    },
  ],
  output: {
    name: "grams",
    type: "number",
    invariant: "is a whole number that is not negative",
    ensures: "Number.isInteger(result) && result >= 0",
  },
  error: {
    name: "BadQuantity",
    when: "the text is no quantity",
    throws: 'error.message.startsWith("no quantity")',
  },
  behavior: "Grams are given as they are, kilograms times a thousand; any other text throws BadQuantity.",
  sketch: {
    name: "quantitiesComeBack",
    description: "every amount comes back, whatever its unit",
    invariant: "n g is n, and n kg is n times 1000",
    type: "Preservation",
  },
  examples: [
    { title: "grams", call: 'parseQuantity("250 g")', gives: "250" },
    { title: "kilograms", call: 'parseQuantity("2 kg")', gives: "2000" },
    {
      title: "a text that is none",
      call: 'parseQuantity("two eggs")',
      throws: 'BadQuantity: no quantity: "two eggs"',
    },
  ],
  source: String.raw`/** Thrown when the text is no quantity. */
export class BadQuantity extends Error {}

/** The grams of a quantity such as "250 g" or "2 kg". */
export function parseQuantity(text: string): number {
  const parts = /^(\d{1,4}) (k?g)$/.exec(text);
  if (parts === null) throw new BadQuantity("no quantity: " + JSON.stringify(text));
  const amount = Number(parts[1]);
  return parts[2] === "kg" ? amount * 1000 : amount;
}
`,
  tests: {
    "test/parse-quantity.test.ts": String.raw`import fc from "fast-check";
import { expect, test } from "vitest";
import { BadQuantity, parseQuantity } from "../src/index.ts";

test("grams are read as they are", () => {
  expect(parseQuantity("250 g")).toBe(250);
  expect(parseQuantity("0 g")).toBe(0);
  expect(parseQuantity("9999 g")).toBe(9999);
});

test("kilograms are a thousand grams each", () => {
  expect(parseQuantity("2 kg")).toBe(2000);
  expect(parseQuantity("12 kg")).toBe(12_000);
});

test("every amount comes back, whatever its unit", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9999 }), (amount) => {
      expect(parseQuantity(amount + " g")).toBe(amount);
      expect(parseQuantity(amount + " kg")).toBe(amount * 1000);
    }),
  );
});

test("whatever else is no quantity", () => {
  const others = ["", "250", "g", " g", "250g", "250  g", "10000 g", "x250 g", "250 gx", "2.5 kg", "2 mg", "-1 g"];
  for (const text of others) {
    expect(() => parseQuantity(text)).toThrow(BadQuantity);
    expect(() => parseQuantity(text)).toThrow("no quantity: " + JSON.stringify(text));
  }
});
`,
  },
  properties: [
    { name: "grams are read as they are", type: "Identity" },
    { name: "kilograms are a thousand grams each", type: "Other" },
    { name: "every amount comes back, whatever its unit", type: "Preservation", sketch: true },
    { name: "whatever else is no quantity", type: "Boundary" },
  ],
});
