import { describe, expect, test } from "vitest";
import { GateName, GateNeed, GATES, missingNeeds } from "./gate.ts";

const NEEDY = {
  contract: ["contract-coverage", "examples", "surface", "effects", "budget", "integration"],
  claims: ["claims"],
  base: ["tests-untouched"],
  examples: ["examples"],
  earlier: ["regression"],
  run: ["effects", "blindness", "e2e"],
} as const;

describe("gates", () => {
  test("each has a defect that it must refuse", () => {
    expect(Object.entries(GATES).map(([gate, { planted }]) => `${gate}: ${planted}`)).toEqual([
      "build: a type error",
      "red-on-skeleton: a test that passes on stubs",
      "green: an implementation that throws",
      "claims: a false claim",
      "coverage: an uncovered function",
      "contract-coverage: a constraint without a test",
      "layers: a suite whose only test does nothing with the module",
      "examples: an output that is not what comes",
      "mutation: a mutant the suite must kill",
      "static: a forbidden import",
      "surface: a changed signature",
      "tests-untouched: a changed assertion",
      "effects: an undeclared write",
      "tidy: an untested export",
      "budget: a quadratic implementation",
      "blindness: a leaked canary",
      "integration: a broken dependency",
      "regression: an implementation that throws",
      "e2e: a broken dependency",
    ]);
    expect(Object.keys(GATES)).toEqual(GateName.options);
  });

  test.each(GateNeed.options)("what cannot do without %s", (need) => {
    const others = GateNeed.options.filter((option) => option !== need);
    const waiting = GateName.options.filter((gate) => missingNeeds(gate, others).length > 0);
    expect(waiting).toEqual(NEEDY[need]);
    for (const gate of waiting) expect(missingNeeds(gate, others)).toEqual([need]);
  });

  test("everything that is missing is named", () => {
    expect(missingNeeds("effects", [])).toEqual(["contract", "run"]);
    expect(missingNeeds("effects", ["run", "contract", "claims"])).toEqual([]);
    expect(missingNeeds("green", [])).toEqual([]);
  });
});
