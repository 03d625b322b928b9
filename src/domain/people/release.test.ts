import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { parse } from "../parse.ts";
import { IntegrationGate } from "./integration-verdict.ts";
import { failedGates, overallResult, ReleaseFailureReport, ReleaseManifest } from "./release.ts";
import { spoil } from "../../../test/spoil.ts";

const gates = {
  dependency_check: "PASS",
  fingerprint_check: "PASS",
  deprecation_check: "PASS",
  code_index_check: "PASS",
  e2e_check: "PASS",
} as const;
const { e2e_check: _, ...withoutE2e } = gates;
const evidenceFor = (results: Readonly<Record<string, string>>) =>
  Object.entries(results).map(([gate, result]) =>
    result === "PASS"
      ? { gate, result, summary: "s", durationMs: 1, denominator: 2, planted: "a defect", violations: [] }
      : { gate, result, summary: "s", durationMs: 1, denominator: 2, violations: [violation] },
  );
const violation = {
  module_ref: "MM-page@1.0.0",
  references: ["MM-slug@1.0.0"],
  explanation: "MM-slug@1.0.0 is superseded",
  next: "cupel index show MM-slug",
};
const withGates = (results: Readonly<Record<string, string>>) => ({
  integration_gates: results,
  evidence: evidenceFor(results),
});
const manifest = {
  release_id: "REL-0a1b2c3d",
  version: "1.0.0",
  commit: "0".repeat(40),
  tasks: ["T-b-001"],
  created_at: "2026-11-15T12:00:00Z",
  spec_version: "1.0.0",
  scope: "full",
  modules: [
    { module_ref: "MM-slug@1.0.0", ship_ref: "SHIP-0a1b2c3d" },
    { module_ref: "MM-slug@2.0.0", ship_ref: "SHIP-ffffffff" },
  ],
  ...withGates(gates),
  overall_result: "PASS",
  abandoned_tasks: [{ task_id: "T-a-001", reason: "not needed", superseded_by: [] }],
  overrides: [{ module_ref: "MM-slug@1.0.0", escalation_ref: "ESC-0a1b2c3d", rationale: "style only" }],
  attestations: [
    {
      task_id: "T-b-001",
      module_refs: ["MM-slug@2.0.0"],
      escalation_ref: "ESC-0a1b2c3d",
      rationale: "by hand",
    },
  ],
  notes: "",
};

const split = { task_id: "T-a-001", reason: "split", superseded_by: ["T-b-001"] };

describe("ReleaseManifest", () => {
  it.each([
    {},
    { scope: "partial", version: "1.0.0-partial.2", ...withGates(withoutE2e) },
    { scope: "partial" },
    {
      ...withGates({ ...gates, e2e_check: "FAIL" }),
      overall_result: "FAIL",
      notes: "the first page does not load",
    },
    { abandoned_tasks: [], overrides: [], attestations: [] },
  ])("accepts %j", (change) => {
    const value = { ...manifest, ...change };
    expect(parse(ReleaseManifest, value)).toEqual({ kind: "ok", value });
  });

  it.each([
    [{ overall_result: "FAIL" }, "$.overall_result", "PASS, because every gate passed", "FAIL"],
    [
      { ...withGates({ ...gates, deprecation_check: "FAIL", e2e_check: "FAIL" }), notes: "x" },
      "$.overall_result",
      "FAIL, because deprecation_check, e2e_check failed",
      "PASS",
    ],
    [
      withGates(withoutE2e),
      "$.integration_gates.e2e_check",
      "a result, because the release is full",
      "nothing",
    ],
    [
      { ...withGates({ ...gates, e2e_check: "FAIL" }), overall_result: "FAIL", notes: " " },
      "$.notes",
      "what made e2e_check fail",
      "nothing",
    ],
    [{ evidence: manifest.evidence.slice(1) }, "$.evidence", "one PASS of dependency_check", "nothing"],
    [
      { evidence: [...manifest.evidence, manifest.evidence[0]] },
      "$.evidence",
      "one PASS of dependency_check",
      "PASS and PASS",
    ],
    [
      { modules: [...manifest.modules, manifest.modules[0]] },
      "$.modules[2].module_ref",
      "a module that modules[0] does not hold",
      '"MM-slug@1.0.0" again',
    ],
    [
      { overrides: [{ ...manifest.overrides[0], module_ref: "MM-x@1.0.0" }] },
      "$.overrides[0].module_ref",
      "a module of this release",
      '"MM-x@1.0.0"',
    ],
    [
      { attestations: [{ ...manifest.attestations[0], module_refs: ["MM-x@1.0.0"] }] },
      "$.attestations[0].module_refs[0]",
      "a module of this release",
      '"MM-x@1.0.0"',
    ],
  ])("refuses %j and says why", (change, path, expected, found) => {
    expect(parse(ReleaseManifest, { ...manifest, ...change })).toEqual({
      kind: "invalid",
      problems: [{ path, expected, found }],
    });
  });

  it.each([
    [{ integration_gates: { ...gates, e2e_check: "NOT_RUN" } }, "$.integration_gates.e2e_check"],
    [
      { integration_gates: { ...gates, dependency_check: undefined } },
      "$.integration_gates.dependency_check",
    ],
    [{ integration_gates: { ...gates, smoke_check: "PASS" } }, "$.integration_gates.smoke_check"],
    [{ release_id: "REL-1" }, "$.release_id"],
    [{ scope: "most" }, "$.scope"],
    [{ abandoned_tasks: undefined }, "$.abandoned_tasks"],
    [
      { abandoned_tasks: [{ task_id: "T-a-001", reason: "", superseded_by: [] }] },
      "$.abandoned_tasks[0].reason",
    ],
    [{ overrides: [{ ...manifest.overrides[0], rationale: "" }] }, "$.overrides[0].rationale"],
  ])("refuses %j at %s", (change, path) => {
    expect(parse(ReleaseManifest, { ...manifest, ...change })).toMatchObject({ problems: [{ path }] });
  });

  it("refuses a release of nothing", () => {
    const nothing = { ...manifest, modules: [], overrides: [], attestations: [] };
    expect(parse(ReleaseManifest, nothing)).toEqual({
      kind: "invalid",
      problems: [{ path: "$.modules", expected: "at least 1 entry", found: "[]" }],
    });
  });

  it("accepts PASS exactly when no gate fails", () => {
    const result = fc.constantFrom("PASS" as const, "FAIL" as const);
    const anyGates = fc.record(
      {
        dependency_check: result,
        fingerprint_check: result,
        deprecation_check: result,
        code_index_check: result,
        e2e_check: result,
      },
      { requiredKeys: [...IntegrationGate.options] },
    );
    fc.assert(
      fc.property(anyGates, result, (integration_gates, overall_result) => {
        const allPass = !JSON.stringify(integration_gates).includes("FAIL");
        const value = { ...manifest, ...withGates(integration_gates), overall_result, notes: "details" };
        expect(parse(ReleaseManifest, value).kind === "ok").toBe(allPass === (overall_result === "PASS"));
        expect(overallResult(integration_gates)).toBe(allPass ? "PASS" : "FAIL");
        expect(failedGates(integration_gates).length === 0).toBe(allPass);
      }),
    );
  });

  it.each(spoil({ ...manifest, abandoned_tasks: [split] }, ["$.notes"]))(
    "refuses $how at $path",
    ({ input, path }) => {
      const parsed = parse(ReleaseManifest, input);
      expect(parsed.kind === "invalid" && parsed.problems.map((problem) => problem.path)).toContain(path);
    },
  );

  it("converts to JSON Schema", () => {
    expect(z.toJSONSchema(ReleaseManifest)).toBeDefined();
    expect(z.toJSONSchema(ReleaseFailureReport)).toBeDefined();
  });
});

describe("ReleaseFailureReport", () => {
  const failure = { gate: "deprecation_check", violations: [violation] };
  const report = { release_id: "REL-0a1b2c3d", created_at: "2026-11-15T12:00:00Z", failures: [failure] };

  it("accepts a gate with what it failed for", () => {
    expect(parse(ReleaseFailureReport, report)).toEqual({ kind: "ok", value: report });
  });

  it.each(spoil(report))("refuses $how at $path", ({ input, path }) => {
    const parsed = parse(ReleaseFailureReport, input);
    expect(parsed.kind === "invalid" && parsed.problems.map((problem) => problem.path)).toContain(path);
  });

  it.each([
    [{ failures: [] }, "$.failures"],
    [{ failures: [{ ...failure, violations: [] }] }, "$.failures[0].violations"],
    [{ failures: [{ ...failure, gate: "build" }] }, "$.failures[0].gate"],
    [{ failures: [failure, failure] }, "$.failures[1].gate"],
    [
      { failures: [{ ...failure, violations: [{ ...violation, explanation: "" }] }] },
      "$.failures[0].violations[0].explanation",
    ],
  ])("refuses %j at %s", (change, path) => {
    expect(parse(ReleaseFailureReport, { ...report, ...change })).toMatchObject({ problems: [{ path }] });
  });
});
