import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import type { UnappliedAmendment } from "../debate/amendments.ts";
import { parse } from "../parse.ts";
import type { PlanViolation } from "../plan/plan-checks.ts";
import { EscalationArtifact } from "./escalation.ts";
import { spoil } from "../../../test/spoil.ts";

const hash = "0".repeat(64);
const other = "1".repeat(64);
const state = {
  project_id: "p",
  spec_version: "1.0.0",
  updated_at: "2026-11-15T12:00:00Z",
  tasks: {
    "T-text-date-parse-001": {
      pillar: "text",
      epic: "date",
      story: "parse",
      task: "parse-date",
      depends_on: [],
      status: "HALTED",
      module_refs: [],
      shipped_at: null,
      halted_reason: "tests fail",
      escalation_ref: "ESC-0a1b2c3d",
      superseded_by: [],
      declaration_order: 0,
    },
  },
};
const escalation = {
  escalation_id: "ESC-0a1b2c3d",
  task_id: "T-text-date-parse-001",
  task_ref: "project/text/date/parse/parse-date/T-text-date-parse-001.md",
  created_at: "2026-11-15T12:00:00Z",
  debate_trail: {
    proposals: [
      {
        proposal_id: "PROP-0a1b2c3d",
        target_artifact_id: "IMPL-0a1b2c3d",
        claim: "reads every ISO date",
        deliverable_ref: `sha256:${hash}`,
        acceptance_checks: ["2026-11-15 is read"],
      },
    ],
    challenges: [],
    adjudications: [],
  },
  failed_invariants: [{ invariant: "refuses month 13", evidence: "test 4 fails" }],
  state_machine_snapshot: state,
  minimal_decision_required: "Should month 13 be refused or wrapped?",
  recommended_resolution: "AMEND_SPEC",
  resolution_context: "the criterion and the example disagree",
  resolution: null,
};
const mismatch = {
  module_id: "MM-date",
  module_version: "1.0.0",
  locked_fingerprint: hash,
  actual_fingerprint: other,
  changes: [{ dimension: "inputs", kind: "added", name: "locale", after: { name: "locale" } }],
};
const violation = {
  check: 5,
  name: "acyclic dependencies",
  path: "$.modules",
  message: "none",
  found: "a cycle",
};
const unapplied = { amendment_index: 0, reason: "the Proposer could not apply it", note: "no such function" };

const everything = {
  ...escalation,
  failed_module: "MM-date",
  abandoned_modules: ["MM-b"],
  shipped_modules: ["MM-c@1.0.0"],
  interface_change_ref: "ICE-0a1b2c3d",
  interface_change_decision: { decision: "DEFER", exception_id: "ICE-0a1b2c3d" },
  unapplied_amendments: [unapplied],
  fingerprint_mismatch: mismatch,
  plan_violations: [violation],
  plan_ref: `sha256:${hash}`,
  execution_log_ref: `sha256:${hash}`,
};

describe("EscalationArtifact", () => {
  it.each([
    {},
    { state_machine_snapshot: `sha256:${hash}` },
    { resolution: { action: "ABANDON_TASK", rationale: "nobody needs it" } },
    { failed_invariants: [], interface_change_ref: "ICE-0a1b2c3d" },
    { failed_invariants: [], fingerprint_mismatch: mismatch },
    { failed_invariants: [], plan_violations: [violation], plan_ref: `sha256:${hash}` },
    { failed_invariants: [], unapplied_amendments: [{ amendment_index: 0, reason: "no record of it" }] },
    everything,
    { failed_module: "MM-a", abandoned_modules: ["MM-b"], shipped_modules: ["MM-c@1.0.0"] },
    {
      interface_change_ref: "ICE-0a1b2c3d",
      interface_change_decision: { decision: "DEFER", exception_id: "ICE-0a1b2c3d" },
    },
  ])("accepts %j", (change) => {
    const value = { ...escalation, ...change };
    expect(parse(EscalationArtifact, value)).toEqual({ kind: "ok", value });
  });

  it.each([
    [
      { failed_invariants: [] },
      "$",
      "why it halted, in one of failed_invariants, interface_change_ref, unapplied_amendments, fingerprint_mismatch, plan_violations",
      "none of them",
    ],
    [
      { failed_invariants: [], plan_violations: [], unapplied_amendments: [] },
      "$",
      "why it halted, in one of failed_invariants, interface_change_ref, unapplied_amendments, fingerprint_mismatch, plan_violations",
      "none of them",
    ],
    [
      { task_ref: "project/T-text-date-parse-002.md" },
      "$.task_ref",
      "the path of T-text-date-parse-001.md",
      '"project/T-text-date-parse-002.md"',
    ],
    [
      { task_ref: "project/X-T-text-date-parse-001.md" },
      "$.task_ref",
      "the path of T-text-date-parse-001.md",
      '"project/X-T-text-date-parse-001.md"',
    ],
    [
      { state_machine_snapshot: { ...state, tasks: {} } },
      "$.state_machine_snapshot.tasks",
      "the halted task T-text-date-parse-001",
      "a state without it",
    ],
    [
      { fingerprint_mismatch: { ...mismatch, actual_fingerprint: hash } },
      "$.fingerprint_mismatch.actual_fingerprint",
      "a fingerprint other than the locked one",
      "the same",
    ],
    [
      {
        interface_change_ref: "ICE-0a1b2c3d",
        interface_change_decision: { decision: "DEFER", exception_id: "ICE-ffffffff" },
      },
      "$.interface_change_decision.exception_id",
      "a decision about ICE-0a1b2c3d",
      '"ICE-ffffffff"',
    ],
    [
      { interface_change_decision: { decision: "DEFER", exception_id: "ICE-ffffffff" } },
      "$.interface_change_decision.exception_id",
      "a decision about an interface_change_ref",
      '"ICE-ffffffff"',
    ],
  ])("refuses %j and says why", (change, path, expected, found) => {
    expect(parse(EscalationArtifact, { ...escalation, ...change })).toEqual({
      kind: "invalid",
      problems: [{ path, expected, found }],
    });
  });

  it.each([
    [{ escalation_id: "ESC-1" }, "$.escalation_id"],
    [{ minimal_decision_required: " " }, "$.minimal_decision_required"],
    [{ resolution_context: "" }, "$.resolution_context"],
    [{ recommended_resolution: "ATTEST_SHIPPED" }, "$.recommended_resolution"],
    [{ recommended_resolution: "WAIT" }, "$.recommended_resolution"],
    [{ failed_invariants: [{ invariant: "x", evidence: "" }] }, "$.failed_invariants[0].evidence"],
    [{ resolution: undefined }, "$.resolution"],
    [{ resolution: { action: "ABANDON_TASK" } }, "$.resolution.rationale"],
    [{ state_machine_snapshot: "the state" }, "$.state_machine_snapshot"],
    [{ debate_trail: { proposals: [], challenges: [] } }, "$.debate_trail.adjudications"],
    [{ fingerprint_mismatch: { ...mismatch, module_version: "1" } }, "$.fingerprint_mismatch.module_version"],
    [{ plan_violations: [{ ...violation, check: 0 }] }, "$.plan_violations[0].check"],
    [{ plan_violations: [{ ...violation, check: 8 }] }, "$.plan_violations[0].check"],
    [{ unapplied_amendments: [{ ...unapplied, reason: "" }] }, "$.unapplied_amendments[0].reason"],
    [{ abandoned_modules: ["MM-a@1.0.0"] }, "$.abandoned_modules[0]"],
    [{ shipped_modules: ["MM-a"] }, "$.shipped_modules[0]"],
  ])("refuses %j at %s", (change, path) => {
    expect(parse(EscalationArtifact, { ...escalation, ...change })).toMatchObject({ problems: [{ path }] });
  });

  it("takes what the checks of plans and amendments report, as they report it", () => {
    type Held<Key extends keyof EscalationArtifact> = NonNullable<EscalationArtifact[Key]>;
    expectTypeOf<PlanViolation[]>().toExtend<Held<"plan_violations">>();
    expectTypeOf<UnappliedAmendment[]>().toExtend<Held<"unapplied_amendments">>();
  });

  it.each(
    spoil(everything, [
      "$.state_machine_snapshot",
      "$.plan_violations[0].found",
      "$.unapplied_amendments[0].note",
      "$.fingerprint_mismatch.changes",
    ]),
  )("refuses $how at $path", ({ input, path }) => {
    const parsed = parse(EscalationArtifact, input);
    expect(parsed.kind === "invalid" && parsed.problems.map((problem) => problem.path)).toContain(path);
  });

  it("converts to JSON Schema", () => {
    expect(z.toJSONSchema(EscalationArtifact)).toBeDefined();
  });
});
