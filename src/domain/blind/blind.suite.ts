// Specifications, holes and failures for tests of the blind protocol.
import type { FailurePattern, FailureType } from "../evidence/structured-failure.ts";
import type { FunctionSpec } from "./function-spec.ts";
import { HybridResult } from "./hybrid-result.ts";
import type { PropertyWritten } from "./suite-coverage.ts";
import type { Severity, TypeHole } from "./type-hole.ts";
import { nothingUnderstood } from "./understanding.ts";
import { witnessReportOf } from "./witness-events.ts";

export function specOf(name: string, sketch = `${name}Holds`): FunctionSpec {
  return {
    name,
    signature: "(title: string) => string",
    brief: `${name} in short`,
    behavior: `${name} in full`,
    examples: [{ description: "two words", input: `${name}("A b")`, expected: '"a-b"', edgeCase: false }],
    properties: [{ name: sketch, description: "holds", invariant: "for every title", type: "Preservation" }],
    priority: 1,
  };
}

export const SLUG_SPEC = specOf("slugify", "noSpaces");

/** What a tester says about one test of it. */
export const NO_SPACES: PropertyWritten = {
  name: "has no spaces",
  targetFunctions: ["slugify"],
  propertyType: "Preservation",
  description: "no spaces",
  coversExamples: [0],
  coversSketch: "noSpaces",
};

/** Of a module with which everything went well. */
export function sampleResult(change: Partial<HybridResult> = {}): HybridResult {
  return HybridResult.parse({
    task: "T-text-slug-make-001",
    module: "MM-slugify",
    shipped: "MM-slugify@1.0.0",
    halted: null,
    spec: [SLUG_SPEC],
    coverage: null,
    understanding: nothingUnderstood(),
    typeAdversary: null,
    mutationAdversary: null,
    matrix: [],
    witness: witnessReportOf([]),
    blindness: null,
    echoesDropped: 0,
    totalCost: 0,
    ...change,
  });
}

export function holeOf(severity: Severity, description = "a blank title"): TypeHole {
  return {
    holeType: "PartialFunction",
    description,
    invariantBroken: "returns a slug for every title",
    exploitSketch: 'slugify(" ")',
    severity,
    suggestedFix: "declare BlankTitle",
  };
}

export function patternNamed(name: string, category: FailureType = "PropertyFailed"): FailurePattern {
  const digit = name.codePointAt(0)?.toString(16) ?? "0";
  return { signature: digit.padEnd(64, "0"), affectedFns: ["slugify"], category, occurrences: 1 };
}
