// Writes a small module into a temporary folder, for tests of toolchains and gates.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { MicroModuleContract } from "../src/domain/contract/contract.ts";
import { temporaryDirectory } from "./temporary.ts";

export function moduleFolder(files: Readonly<Record<string, string>>): string {
  const folder = join(temporaryDirectory(), "module");
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** A module that every gate accepts. */
export const CLAMP: Readonly<Record<string, string>> = {
  "src/index.ts": `export class RangeError_ extends Error {}

/** The value nearest to \`value\` that is not outside of \`low\` and \`high\`. */
export function clamp(value: number, low: number, high: number): number {
  if (low > high) throw new RangeError_("low is above high");
  if (value < low) return low;
  return value > high ? high : value;
}
`,
  "test/clamp.test.ts": `import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clamp, RangeError_ } from "../src/index.ts";

describe("clamp", () => {
  test.each([
    [5, 0, 10, 5],
    [-5, 0, 10, 0],
    [15, 0, 10, 10],
    [3, 3, 3, 3],
  ])("%d within %d and %d is %d", (value, low, high, expected) => {
    expect(clamp(value, low, high)).toBe(expected);
  });

  test("refuses a range that is none", () => {
    expect(() => clamp(1, 2, 1)).toThrow(RangeError_);
    expect(() => clamp(1, 2, 1)).toThrow("low is above high");
  });

  test("never leaves the range", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer(), fc.integer(), (value, one, other) => {
        const [low, high] = one < other ? [one, other] : [other, one];
        const result = clamp(value, low, high);
        expect(result >= low && result <= high).toBe(true);
        if (value >= low && value <= high) expect(result).toBe(value);
      }),
    );
  });
});
`,
};

/** What CLAMP promises. */
export const CLAMP_CONTRACT = MicroModuleContract.parse({
  module_id: "MM-clamp",
  module_version: "1.0.0",
  name: "clamp",
  purpose: "Keeps a number within a range.",
  tags: [],
  language: "typescript",
  inputs: [
    { name: "value", type: "number", constraints: [] },
    { name: "low", type: "number", constraints: ["is not above high"] },
    { name: "high", type: "number", constraints: [] },
  ],
  outputs: [{ name: "result", type: "number", invariants: ["lies within the range"] }],
  error_surfaces: [{ name: "RangeError_", when: "low is above high", surface: "exception" }],
  effects: [],
  modes: { sync: true, async: false, notes: "" },
  entry_points: [
    {
      name: "clamp",
      signature: "(value: number, low: number, high: number) => number",
      inputs: ["value", "low", "high"],
      outputs: ["result"],
      errors: ["RangeError_"],
      effects: [],
    },
  ],
  predicates: [
    { id: "P1", of: "inputs.1.constraints.0", entry: "clamp", kind: "requires", expr: "args[1] <= args[2]" },
    {
      id: "P2",
      of: "outputs.0.invariants.0",
      entry: "clamp",
      kind: "ensures",
      expr: "result >= args[1] && result <= args[2]",
    },
    {
      id: "P3",
      of: "error_surfaces.0",
      entry: "clamp",
      kind: "throws",
      expr: 'error.name === "RangeError_" || error.message === "low is above high"',
    },
  ],
  error_cases: [],
  dependencies: [],
  packages: [],
  compatibility: { backward_compatible_with: [], breaking_change_policy: "" },
  runtime_budgets: {},
});

/** Shows all that CLAMP_CONTRACT promises. */
export const CLAMP_EXAMPLES = `# Examples of clamp

## clamp: a value above the range

What is too large becomes the upper end.

\`\`\`ts
import { clamp } from "#modules/clamp";

clamp(15, 0, 10);
\`\`\`

\`\`\`json
10
\`\`\`

## clamp: a range that is none

The ends must be in order.

\`\`\`ts
import { clamp } from "#modules/clamp";

clamp(1, 2, 1);
\`\`\`

\`\`\`error
RangeError_: low is above high
\`\`\`
`;
