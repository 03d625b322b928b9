// A function whose contract says all there is to say about its result: the case that most cheats are played on.
import { simulatedCase } from "./simulated-case.ts";

export const SPLIT_GRAMS = simulatedCase({
  name: "split-grams",
  purpose: "Shares a weight out among a number of parts as evenly as grams allow.",
  specTask: "TSK-004",
  tags: ["weight", "share"],
  entry: "splitGrams",
  signature: "(total: number, parts: number) => number[]",
  inputs: [
    {
      name: "total",
      type: "number",
      constraint: "is a whole number that is not negative",
      requires: "Number.isSafeInteger(args[0]) && args[0] >= 0",
    },
    {
      name: "parts",
      type: "number",
      constraint: "is a whole number from 1 to 1000",
      requires: "Number.isInteger(args[1]) && args[1] >= 1 && args[1] <= 1000",
    },
  ],
  output: {
    name: "shares",
    type: "number[]",
    invariant: "adds up to the total, a share for each part, the larger first and one gram apart at most",
    ensures:
      "result.length === args[1] && result.reduce((sum, each) => sum + each, 0) === args[0] && " +
      "result.every((each, at) => each <= (result[at - 1] ?? each) && each >= (result[0] ?? 0) - 1)",
  },
  error: {
    name: "BadSplit",
    when: "the total or the number of parts is none",
    throws: 'error.message.startsWith("no weight") || error.message.startsWith("no number of parts")',
  },
  behavior: "Everybody gets the same, and the first get one gram more until nothing is left over.",
  sketch: {
    name: "nothingIsLost",
    description: "everything is given away, and fairly",
    invariant: "the shares add up to the total and are one gram apart at most",
    type: "Preservation",
  },
  examples: [
    { title: "a weight that does not divide", call: "splitGrams(100, 3)", gives: "[34, 33, 33]" },
    { title: "one who gets it all", call: "splitGrams(7, 1)", gives: "[7]" },
    { title: "nobody to share with", call: "splitGrams(100, 0)", throws: "BadSplit: no number of parts: 0" },
  ],
  source: `/** Thrown when there is nothing that could be shared out, or nobody to get it. */
export class BadSplit extends Error {}

/** Shares \`total\` grams out among \`parts\`, as evenly as grams allow; the larger shares come first. */
export function splitGrams(total: number, parts: number): number[] {
  if (!Number.isSafeInteger(total) || total < 0) throw new BadSplit(\`no weight: \${total}\`);
  if (!Number.isInteger(parts) || parts < 1 || parts > 1000) throw new BadSplit(\`no number of parts: \${parts}\`);
  const share = Math.floor(total / parts);
  const larger = total % parts;
  return Array.from({ length: parts }, (_, index) => (index < larger ? share + 1 : share));
}
`,
  tests: {
    "test/split-grams.test.ts": `import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BadSplit, splitGrams } from "../src/index.ts";

describe("splitGrams", () => {
  test("is as even as grams allow, the larger first", () => {
    for (const [total, parts, shares] of [
      [100, 4, [25, 25, 25, 25]],
      [100, 3, [34, 33, 33]],
      [5, 3, [2, 2, 1]],
      [0, 2, [0, 0]],
      [7, 1, [7]],
    ] as const)
      expect(splitGrams(total, parts)).toEqual(shares);
  });

  test("gives something to a thousand", () => {
    expect(splitGrams(1001, 1000).slice(0, 3)).toEqual([2, 1, 1]);
  });

  test("refuses what is no weight", () => {
    for (const total of [-1, 0.5, Number.NaN, 2 ** 53]) {
      expect(() => splitGrams(total, 2)).toThrow(BadSplit);
      expect(() => splitGrams(total, 2)).toThrow(\`no weight: \${total}\`);
    }
  });

  test("refuses what is no number of parts", () => {
    for (const parts of [0, 1.5, 1001, Number.NaN]) {
      expect(() => splitGrams(10, parts)).toThrow(BadSplit);
      expect(() => splitGrams(10, parts)).toThrow(\`no number of parts: \${parts}\`);
    }
  });

  test("gives everything away, and fairly", () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 50 }), (total, parts) => {
        const shares = splitGrams(total, parts);
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(total);
        expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
      }),
    );
  });
});
`,
  },
  properties: [
    { name: "splitGrams > is as even as grams allow, the larger first", type: "Other" },
    { name: "splitGrams > gives something to a thousand", type: "Boundary" },
    { name: "splitGrams > refuses what is no weight", type: "Boundary" },
    { name: "splitGrams > refuses what is no number of parts", type: "Boundary" },
    { name: "splitGrams > gives everything away, and fairly", type: "Preservation", sketch: true },
  ],
});
