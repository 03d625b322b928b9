import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { parse } from "../parse.ts";
import { ExecutionLog, ShipEvidence } from "./ship-evidence.ts";
import { spoil } from "../../../test/spoil.ts";

const hash = "0".repeat(64);
const evidence = {
  module_id: "MM-slug",
  module_version: "1.0.0",
  ship_id: "SHIP-0a1b2c3d",
  verified_at: "2026-11-15T12:00:00Z",
  verification: { result: "PASS", interface_fingerprint: hash, evidence_ref: `sha256:${hash}` },
  environment: { repo_revision: "abc", dependency_lock_ref: "def", runner_id: "local" },
};
const word = { escalation_ref: "ESC-0a1b2c3d", rationale: "the challenge was about style" };

describe("ShipEvidence", () => {
  it.each([{}, { undebated: true }, { override: word }, { attestation: word }])("accepts %j", (change) => {
    const value = { ...evidence, ...change };
    expect(parse(ShipEvidence, value)).toEqual({ kind: "ok", value });
  });

  it.each([
    [{ undebated: false }, "$.undebated"],
    [{ override: { ...word, rationale: " " } }, "$.override.rationale"],
    [{ attestation: "trust me" }, "$.attestation"],
    [{ ship_id: "ESC-0a1b2c3d" }, "$.ship_id"],
    [{ module_version: "1.0" }, "$.module_version"],
    [{ verification: { ...evidence.verification, result: "OK" } }, "$.verification.result"],
    [
      { verification: { ...evidence.verification, interface_fingerprint: "" } },
      "$.verification.interface_fingerprint",
    ],
    [
      { verification: { ...evidence.verification, evidence_ref: "all tests passed" } },
      "$.verification.evidence_ref",
    ],
    [{ environment: { ...evidence.environment, runner_id: "" } }, "$.environment.runner_id"],
  ])("refuses %j at %s", (change, path) => {
    expect(parse(ShipEvidence, { ...evidence, ...change })).toMatchObject({ problems: [{ path }] });
  });

  it.each(spoil({ ...evidence, override: word, attestation: word }))(
    "refuses $how at $path",
    ({ input, path }) => {
      const parsed = parse(ShipEvidence, input);
      expect(parsed.kind === "invalid" && parsed.problems.map((problem) => problem.path)).toContain(path);
    },
  );

  it("converts to JSON Schema", () => {
    expect(z.toJSONSchema(ShipEvidence)).toBeDefined();
    expect(z.toJSONSchema(ExecutionLog)).toBeDefined();
  });
});

const log = {
  module_id: "MM-slug",
  module_version: "1.0.0",
  executed_at: "2026-11-15T12:00:00Z",
  tests: [
    { name: "lowers", result: "PASS", duration_ms: 0 },
    { name: "trims", result: "FAIL" },
    { name: "joins", result: "PASS", duration_ms: 1.5 },
  ],
  summary: { total: 3, passed: 2, failed: 1 },
};

describe("ExecutionLog", () => {
  it("accepts a log that adds up", () => {
    expect(parse(ExecutionLog, log)).toEqual({ kind: "ok", value: log });
  });

  it.each([
    [{ total: 4, passed: 2, failed: 1 }, [["$.summary.total", "3, as the tests show", "4"]]],
    [{ total: 3, passed: 3, failed: 1 }, [["$.summary.passed", "2, as the tests show", "3"]]],
    [{ total: 3, passed: 2, failed: 0 }, [["$.summary.failed", "1, as the tests show", "0"]]],
    [
      { total: 3, passed: 3, failed: 0 },
      [
        ["$.summary.passed", "2, as the tests show", "3"],
        ["$.summary.failed", "1, as the tests show", "0"],
      ],
    ],
  ])("refuses the summary %j", (summary, expected) => {
    expect(parse(ExecutionLog, { ...log, summary })).toEqual({
      kind: "invalid",
      problems: expected.map(([path, wanted, found]) => ({ path, expected: wanted, found })),
    });
  });

  it.each(spoil(log))("refuses $how at $path", ({ input, path }) => {
    const parsed = parse(ExecutionLog, input);
    expect(parsed.kind === "invalid" && parsed.problems.map((problem) => problem.path)).toContain(path);
  });

  it("refuses two tests of one name", () => {
    const tests = [log.tests[0], log.tests[1], log.tests[0]];
    expect(parse(ExecutionLog, { ...log, tests })).toEqual({
      kind: "invalid",
      problems: [
        { path: "$.tests[2].name", expected: "a name that tests[0] does not have", found: '"lowers" again' },
      ],
    });
  });

  it("refuses an empty run, whatever its summary says", () => {
    const empty = { ...log, tests: [], summary: { total: 0, passed: 0, failed: 0 } };
    expect(parse(ExecutionLog, empty)).toMatchObject({
      problems: [{ path: "$.tests" }, { path: "$.summary.total" }],
    });
  });

  it.each([
    [{ name: "lowers", result: "SKIPPED" }, "$.tests[0].result"],
    [{ name: " ", result: "PASS" }, "$.tests[0].name"],
    [{ name: "lowers", result: "PASS", duration_ms: -1 }, "$.tests[0].duration_ms"],
    [{ name: "lowers", result: "PASS", duration_ms: Number.NaN }, "$.tests[0].duration_ms"],
  ])("refuses the test %j", (test, path) => {
    const summary = { total: 1, passed: 1, failed: 0 };
    expect(parse(ExecutionLog, { ...log, tests: [test], summary })).toMatchObject({ problems: [{ path }] });
  });

  it("accepts exactly the summaries that a count by hand gives", () => {
    const off = fc.constantFrom(0, 0, 0, 0, 1, -1);
    const results = fc.array(fc.constantFrom("PASS", "FAIL"), { minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(results, off, off, off, (outcomes, offTotal, offPassed, offFailed) => {
        let good = 0;
        for (const outcome of outcomes) if (outcome === "PASS") good++;
        const tests = outcomes.map((result, index) => ({ name: `test ${index}`, result }));
        const summary = {
          total: outcomes.length + offTotal,
          passed: good + offPassed,
          failed: outcomes.length - good + offFailed,
        };
        const right = offTotal === 0 && offPassed === 0 && offFailed === 0;
        expect(parse(ExecutionLog, { ...log, tests, summary }).kind === "ok").toBe(right);
      }),
      { numRuns: 300 },
    );
  });
});
