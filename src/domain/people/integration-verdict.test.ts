import { describe, expect, it } from "vitest";
import { IntegrationVerdict, judgeIntegration } from "./integration-verdict.ts";

const violation = {
  module_ref: "MM-slug@1.0.0",
  references: [],
  explanation: "it is not there",
  next: "cupel status",
};
const outcome = { gate: "e2e_check" as const, summary: "s", looked: 2, violations: [], durationMs: 1 };
const planted = { planted: "a defect", refused: true };

describe("an integration gate", () => {
  it("passes when it looked at something and refused its plant", () => {
    const verdict = judgeIntegration({ ...outcome, planted });
    expect(IntegrationVerdict.parse(verdict)).toMatchObject({
      result: "PASS",
      denominator: 2,
      planted: "a defect",
    });
  });

  it.each([
    ["looked at nothing", { looked: 0, planted }, /looked at nothing, which is not a pass/],
    ["planted nothing", {}, /no defect was planted/],
    ["let its plant pass", { planted: { ...planted, refused: false } }, /it let a defect pass/],
    ["found something", { planted, violations: [violation] }, /it is not there/],
    [
      "found something and let its plant pass",
      { planted: { ...planted, refused: false }, violations: [violation] },
      /it is not there/,
    ],
  ])("fails when it %s, and says why", (_, change, why) => {
    const verdict = IntegrationVerdict.parse(judgeIntegration({ ...outcome, ...change }));
    expect(verdict.result).toBe("FAIL");
    expect(verdict.violations[0]?.explanation).toMatch(why);
  });
});
