// Specifications, holes and failures for tests of the blind protocol.
import type { FailurePattern, FailureType } from "../evidence/structured-failure.ts";
import type { FunctionSpec } from "./function-spec.ts";
import type { Severity, TypeHole } from "./type-hole.ts";

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
