// A module with a contract that says much of its results, and changes of it that lie in some way.
import { MicroModuleContract } from "../src/domain/contract/contract.ts";
import type { Tried } from "./gate-samples.ts";
import { CLAMP_CONTRACT } from "./module-samples.ts";

const MEDIAN = `export class EmptyError extends Error {
  override readonly name = "EmptyError";
}

/** The middle of the values, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const half = Math.floor(sorted.length / 2);
  const high = sorted[half];
  if (high === undefined) throw new EmptyError("no values");
  if (sorted.length % 2 === 1) return high;
  return ((sorted[half - 1] ?? high) + high) / 2;
}
`;

const TESTS = `import { describe, expect, test } from "vitest";
import { EmptyError, median } from "../src/index.ts";

describe("median", () => {
  test("takes the middle of an odd number of values", () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([10, 9, 100, -4, 7])).toBe(9);
  });

  test("takes the mean of the two in the middle", () => {
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([1, 2])).toBe(1.5);
  });

  test("refuses nothing", () => {
    expect(() => median([])).toThrow(EmptyError);
    expect(() => median([])).toThrow("no values");
  });
});
`;

const of = (path: string) => ({ of: path, entry: "median" });

const contract = MicroModuleContract.parse({
  ...CLAMP_CONTRACT,
  name: "median",
  inputs: [{ name: "values", type: "number[]", constraints: ["is not empty"] }],
  outputs: [{ name: "result", type: "number", invariants: ["half of the values are on each side"] }],
  error_surfaces: [{ name: "EmptyError", when: "values is empty", surface: "exception" }],
  entry_points: [
    {
      name: "median",
      signature: "(values: readonly number[]) => number",
      inputs: ["values"],
      outputs: ["result"],
      errors: ["EmptyError"],
      effects: [],
    },
  ],
  predicates: [
    { id: "P1", ...of("inputs.0.constraints.0"), kind: "requires", expr: "args[0].length > 0" },
    {
      id: "P2",
      ...of("outputs.0.invariants.0"),
      kind: "ensures",
      expr: "args[0].filter((v) => v < result).length * 2 <= args[0].length && args[0].filter((v) => v > result).length * 2 <= args[0].length",
    },
    { id: "P3", ...of("error_surfaces.0"), kind: "throws", expr: 'error.name === "EmptyError"' },
  ],
});

type Changes = Readonly<Record<string, string>>;

/** Texts of the code, and of the tests, that are others. */
export function medianWith(code: Changes = {}, tests: Changes = {}): Tried {
  const files = { "src/index.ts": changed(MEDIAN, code), "test/median.test.ts": changed(TESTS, tests) };
  return { files, contract };
}

/** The body of `total`. */
export const SUM = "  return { total: values.reduce((sum, each) => sum + each, 0) };\n";

const TOTAL = `/** The sum of the values. */
export function total(values: readonly number[]): { total: number } {
${SUM}}
`;

const TOTAL_TESTS = `import { expect, test } from "vitest";
import { total } from "../src/index.ts";

test("adds up", () => {
  expect(total([1, 2])).toEqual({ total: 3 });
  expect(total([5])).toEqual({ total: 5 });
});
`;

const totalContract = MicroModuleContract.parse({
  ...contract,
  name: "total",
  inputs: [{ name: "values", type: "number[]", constraints: [] }],
  outputs: [{ name: "result", type: "{ total: number }", invariants: ["is a number"] }],
  error_surfaces: [],
  entry_points: [
    {
      name: "total",
      signature: "(values: readonly number[]) => { total: number }",
      inputs: ["values"],
      outputs: ["result"],
      errors: [],
      effects: [],
    },
  ],
  predicates: [
    {
      id: "P1",
      of: "outputs.0.invariants.0",
      entry: "total",
      kind: "ensures",
      expr: "Number.isFinite(result.total)",
    },
  ],
});

/** The same of a module that gives an object. */
export function totalWith(code: Changes = {}): Tried {
  return {
    files: { "src/index.ts": changed(TOTAL, code), "test/total.test.ts": TOTAL_TESTS },
    contract: totalContract,
  };
}

function changed(text: string, changes: Changes): string {
  return Object.entries(changes).reduce((all, [from, to]) => {
    if (!all.includes(from)) throw new Error(`no "${from}" in ${all}`);
    return all.replace(from, () => to);
  }, text);
}

/** A body that knows the inputs of the tests and no others. */
export const TABLE: Changes = {
  "/** The middle of the values":
    'const KNOWN = new Map([\n  ["3,1,2", 2],\n  ["10,9,100,-4,7", 9],\n  ["4,1,3,2", 2.5],\n  ["1,2", 1.5],\n]);\n\n/** The middle of the values',
  [MEDIAN.slice(MEDIAN.indexOf("  const sorted"), MEDIAN.lastIndexOf("}"))]:
    '  const found = KNOWN.get(values.join(","));\n  if (found === undefined) throw new EmptyError("no values");\n  return found;\n',
};
