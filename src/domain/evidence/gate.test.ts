import { describe, expect, test } from "vitest";
import { GateName, GateNeed, GATES, missingNeeds } from "./gate.ts";

const NEEDY = {
  contract: ["contract-coverage", "surface", "effects", "budget", "integration"],
  claims: ["claims"],
  base: ["tests-untouched"],
  run: ["effects", "blindness", "e2e"],
} as const;

describe("gates", () => {
  test("there are sixteen, each with a defect it must refuse", () => {
    expect(Object.keys(GATES)).toEqual(GateName.options);
    expect(GateName.options).toHaveLength(16);
    for (const gate of GateName.options) expect(GATES[gate].planted).toMatch(/^an? \w+/);
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
