import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { parse, renderProblem } from "../parse.ts";
import {
  CodeCoverage,
  codeCoverage,
  type FileCoverage,
  ratio,
  SpecCoverage,
  specRatios,
} from "./coverage.ts";

const spec: SpecCoverage = {
  functionsCovered: ["push"],
  functionsUncovered: ["pop", "peek"],
  examplesCovered: 1,
  examplesTotal: 4,
  sketchesCovered: ["inverse", "size"],
  sketchesUncovered: [],
  criteriaWithTests: [
    ["AC-1", "a"],
    ["AC-1", "b"],
    ["AC-2", "c"],
  ],
  criteriaMissing: ["AC-3", "AC-4"],
};
const count = fc.nat(50).chain((total) => fc.record({ covered: fc.nat(total), total: fc.constant(total) }));
const files: fc.Arbitrary<FileCoverage[]> = fc.uniqueArray(
  fc.record({
    file: fc.constantFrom("a.ts", "b.ts", "c.ts", "__proto__"),
    lines: count,
    branches: count,
    uncoveredFunctions: fc.constant([]),
  }),
  { selector: (entry) => entry.file },
);

describe("code coverage", () => {
  test("is summed over its files, and the sum is accepted", () => {
    fc.assert(
      fc.property(files, (entries) => {
        const coverage = codeCoverage(entries);
        let [covered, total] = [0, 0];
        for (const entry of entries) {
          covered += entry.branches.covered;
          total += entry.lines.total;
        }
        expect(coverage.branches.covered).toBe(covered);
        expect(coverage.lines.total).toBe(total);
        expect(parse(CodeCoverage, coverage).kind).toBe("ok");
      }),
    );
  });

  const file: FileCoverage = {
    file: "a.ts",
    lines: { covered: 3, total: 4 },
    branches: { covered: 0, total: 0 },
    uncoveredFunctions: ["pop"],
  };
  test.each<[string, unknown, string]>([
    [
      "a better sum",
      { ...codeCoverage([file]), lines: { covered: 4, total: 4 } },
      "$.lines: expected the sum over the files, 3 of 4, found 4 of 4",
    ],
    [
      "a smaller total",
      { ...codeCoverage([file]), lines: { covered: 3, total: 3 } },
      "$.lines: expected the sum over the files, 3 of 4, found 3 of 3",
    ],
    [
      "more covered than there is",
      codeCoverage([{ ...file, lines: { covered: 5, total: 4 } }]),
      "$.files[0].lines.covered: expected at most the total 4, found 5",
    ],
    [
      "a negative count",
      codeCoverage([{ ...file, lines: { covered: -1, total: 4 } }]),
      "$.files[0].lines.covered: expected at least 0, found -1",
    ],
    [
      "a negative total",
      codeCoverage([{ ...file, branches: { covered: -2, total: -1 } }]),
      "$.files[0].branches.total: expected at least 0, found -1",
    ],
    [
      "half a line",
      codeCoverage([{ ...file, lines: { covered: 0.5, total: 4 } }]),
      "$.files[0].lines.covered: expected an int, found 0.5",
    ],
    [
      "half a total",
      codeCoverage([{ ...file, lines: { covered: 0, total: 4.5 } }]),
      "$.files[0].lines.total: expected an int, found 4.5",
    ],
    [
      "a file twice",
      codeCoverage([file, file]),
      '$.files[1].file: expected each file once, found "a.ts" again',
    ],
  ])("refuses %s", (_, input, line) => {
    const parsed = parse(CodeCoverage, input);
    expect(parsed.kind === "invalid" && parsed.problems.map(renderProblem)).toContain(line);
  });
});

describe("a share", () => {
  test("of nothing is undefined, never 1", () => {
    expect(ratio({ covered: 0, total: 0 })).toBeUndefined();
    expect(ratio(codeCoverage([]).lines)).toBeUndefined();
    expect(specRatios({ ...spec, functionsCovered: [], functionsUncovered: [] }).functions).toBeUndefined();
    expect(specRatios({ ...spec, examplesCovered: 0, examplesTotal: 0 }).examples).toBeUndefined();
    expect(specRatios({ ...spec, sketchesCovered: [] }).sketches).toBeUndefined();
    expect(specRatios({ ...spec, criteriaWithTests: [], criteriaMissing: [] }).criteria).toBeUndefined();
  });

  test("of something lies between 0 and 1", () => {
    expect(ratio({ covered: 0, total: 3 })).toBe(0);
    expect(ratio({ covered: 3, total: 4 })).toBe(0.75);
    expect(ratio({ covered: 3, total: 3 })).toBe(1);
  });

  test("of the specification counts each name once", () => {
    expect(specRatios(spec)).toEqual({ functions: 1 / 3, examples: 0.25, sketches: 1, criteria: 0.5 });
  });
});

describe("spec coverage", () => {
  test.each<[string, Partial<SpecCoverage>, string]>([
    [
      "more examples than there are",
      { examplesCovered: 5 },
      "$.examplesCovered: expected at most the total 4, found 5",
    ],
    [
      "a function on both sides",
      { functionsUncovered: ["pop", "push"] },
      '$.functionsUncovered[1]: expected a name that is not covered as well, found "push"',
    ],
    [
      "a sketch on both sides",
      { sketchesUncovered: ["size"] },
      '$.sketchesUncovered[0]: expected a name that is not covered as well, found "size"',
    ],
    [
      "a criterion on both sides",
      { criteriaMissing: ["AC-2"] },
      '$.criteriaMissing[0]: expected a name that is not covered as well, found "AC-2"',
    ],
  ])("refuses %s", (_, change, line) => {
    const parsed = parse(SpecCoverage, { ...spec, ...change });
    expect(parsed.kind === "invalid" && parsed.problems.map(renderProblem)).toEqual([line]);
  });

  test.each(["examplesCovered", "examplesTotal"])("refuses a negative or broken number of %s", (key) => {
    const negative = { ...spec, examplesCovered: -2, examplesTotal: -1 };
    expect(problems(SpecCoverage, { ...negative, [key]: -2 })).toContain(
      `$.${key}: expected at least 0, found -2`,
    );
    expect(problems(SpecCoverage, { ...spec, [key]: 1.5 })).toContain(`$.${key}: expected an int, found 1.5`);
  });

  test("accepts every example covered", () => {
    expect(parse(SpecCoverage, { ...spec, examplesCovered: 4 }).kind).toBe("ok");
  });

  test("accepts what adds up", () => {
    expect(parse(SpecCoverage, spec)).toEqual({ kind: "ok", value: spec });
  });
});

test.each([
  ["CodeCoverage", CodeCoverage],
  ["SpecCoverage", SpecCoverage],
])("%s converts to JSON Schema and holds no open object", (_, schema) => {
  const json = JSON.stringify(z.toJSONSchema(schema, { io: "input" }));
  expect(json.match(/"type":"object"/g)?.length).toBe(json.match(/"additionalProperties":false/g)?.length);
});

function problems(schema: z.ZodType, input: unknown): string[] {
  const parsed = parse(schema, input);
  return parsed.kind === "ok" ? [] : parsed.problems.map(renderProblem);
}
