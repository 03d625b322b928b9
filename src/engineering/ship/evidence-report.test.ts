import { expect, test } from "vitest";
import { CLAMP_CONTRACT } from "../../../test/module-samples.ts";
import type { ConstraintProof } from "../../domain/evidence/predicate-proof.ts";
import type { TestRun } from "../../domain/evidence/test-result.ts";
import { evidenceReport } from "./evidence-report.ts";

const RESULT = { file: "a.test.ts", layer: "unit", durationMs: 1, retries: 0 } as const;

function run(...names: string[]): TestRun {
  const results = names.map((name) => ({ ...RESULT, name, outcome: "passed" as const }));
  return { files: ["a.test.ts"], results, collectionErrors: [], strayErrors: [], focused: [], durationMs: 1 };
}

const PROOFS: ConstraintProof[] = [
  { of: "inputs.1.constraints.0", text: "is not above high", state: "PROVEN", predicates: [] },
  { of: "outputs.0.invariants.0", text: "lies within the range", state: "UNPROVEN", predicates: [] },
];
const truth = {
  source: "compiler" as const,
  tests: [
    { name: "clamps %d", calls: ["clamp"] },
    { name: "other", calls: ["clampless"] },
  ],
  functions: [],
};

function report(green: TestRun | undefined, proofs: ConstraintProof[] = PROOFS) {
  const evidence = new Map<string, unknown>([
    ["green", green],
    ["contract-coverage", proofs],
  ]);
  return evidenceReport({ contract: CLAMP_CONTRACT, truth, evidenceOf: (gate) => evidence.get(gate) });
}

test("names the tests that reach what was proven, and none for what was not", () => {
  expect(report(run("clamps 1", "clamps 2", "other"))?.constraintTests).toEqual([
    { path: "inputs.1.constraints.0", tests: ["clamps 1", "clamps 2"] },
    { path: "outputs.0.invariants.0", tests: [] },
  ]);
});

test("tests that fail, are skipped or run out of time have not passed", () => {
  const green = run("a", "b");
  const [first, second] = green.results;
  if (first === undefined || second === undefined) throw new Error("two tests");
  green.results = [
    { ...first, outcome: "skipped" },
    { ...second, outcome: "timeout" },
  ];
  expect(report(green)?.tests).toEqual([
    { name: "a", result: "FAIL" },
    { name: "b", result: "FAIL" },
  ]);
});

test("a name that would carry code is one short line", () => {
  const [only] = report(run(`export function secret() {\n  return ${"1 + ".repeat(200)}1;\n}`))?.tests ?? [];
  expect(only?.name.length).toBeLessThanOrEqual(300);
  expect(only?.name).not.toContain("\n");
});

test("without a test there is nothing to see", () => {
  expect(report(undefined)).toBeUndefined();
  expect(report(run())).toBeUndefined();
});

test("evidence that is none is refused", () => {
  const forged = { contract: CLAMP_CONTRACT, truth, evidenceOf: () => ({ results: "all fine" }) };
  expect(() => evidenceReport(forged)).toThrow("the evidence of a gate");
});
