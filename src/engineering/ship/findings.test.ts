import { expect, test } from "vitest";
import type { Reported } from "../../evidence/verify.ts";
import { findingsOf } from "./findings.ts";

const seen = { gate: "green" as const, evidence: [], durationMs: 1, costUsd: 0 };

function failed(message: string, count = 1): Reported {
  const findings = Array.from({ length: count }, () => ({
    rule: "failed",
    message,
    file: "test/a.test.ts",
    line: 3,
  }));
  return { blocks: true, summary: "", verdict: { verdict: "FAIL", ...seen, denominator: 1, findings } };
}

function notRun(missing: string): Reported {
  const nothing = { ...seen, gate: "claims" as const, denominator: 0 as const, findings: [] };
  return { blocks: true, summary: missing, verdict: { verdict: "NOT_RUN", ...nothing, missing: [missing] } };
}

test("say which gate, where and what", () => {
  expect(findingsOf([failed("adds: expected 3")], "sum")).toEqual([
    "green: modules/sum/test/a.test.ts:3: adds: expected 3 (failed)",
  ]);
});

test("say nothing of what lies in the build of another module", () => {
  const trace =
    "adds: boom\n at x (/work/modules/low/index.js:1:20)\n at y (/work/modules/low/chunk-AB12.js:4:1)";
  expect(findingsOf([failed(trace)], "sum")).toEqual(["green: modules/sum/test/a.test.ts:3: adds: boom"]);
});

test("are few and short, in one line each", () => {
  const findings = findingsOf([failed(`a\u0000b\r\n${"x".repeat(5000)}`, 40)], "sum");
  expect(findings).toHaveLength(13);
  expect(findings.at(-1)).toBe("green: 28 more of this kind");
  for (const finding of findings) expect(finding).toMatch(/^[^\p{Cc}]{1,820}$/u);
});

test("leave out what was only stopped by another gate, and tell what is missing", () => {
  expect(findingsOf([notRun("green blocks"), notRun("claims")], "sum")).toEqual([
    "claims: it cannot look without claims",
  ]);
});
