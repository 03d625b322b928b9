// What a person gets when the factory stops: what failed, the whole debate, and the one decision that is needed.
import { z } from "zod";
import { idOfType } from "../artifact/artifact-type.ts";
import { DimensionChange } from "../contract/contract-diff.ts";
import { Adjudication, Amendment, Challenge, Proposal } from "../debate/debate-records.ts";
import { refuse } from "../parse.ts";
import { Fingerprint, IsoTime, ModuleId, ModuleRef, PayloadRef, Semver, TaskId, Text } from "../refs.ts";
import { ProjectState } from "../task/project-state.ts";
import { InterfaceChangeDecision, InterfaceChangeException } from "./interface-change.ts";
import { HumanResolution, ResolutionAction } from "./resolution.ts";

export const FailedInvariant = z.strictObject({ invariant: Text, evidence: Text });
export type FailedInvariant = z.infer<typeof FailedInvariant>;

/** Code whose public face is not the one that was promised. */
export const FingerprintMismatch = z
  .strictObject({
    module_id: ModuleId,
    module_version: Semver,
    locked_fingerprint: Fingerprint,
    actual_fingerprint: Fingerprint,
    changes: z.array(DimensionChange),
  })
  .superRefine((mismatch, context) => {
    if (mismatch.locked_fingerprint === mismatch.actual_fingerprint) {
      refuse(context, ["actual_fingerprint"], "a fingerprint other than the locked one", "the same");
    }
  });
export type FingerprintMismatch = z.infer<typeof FingerprintMismatch>;

const UnappliedAmendment = z.strictObject({
  amendment_index: z.int().nonnegative(),
  amendment: Amendment.optional(),
  reason: Text,
  note: z.string().optional(),
});

const PlanViolation = z.strictObject({
  check: z.int().min(1).max(7),
  name: Text,
  path: Text,
  message: Text,
  found: z.string(),
});

/** Each of these alone says why the factory stopped. */
const REASONS = [
  "failed_invariants",
  "interface_change_ref",
  "unapplied_amendments",
  "fingerprint_mismatch",
  "plan_violations",
] as const;

export const EscalationArtifact = z
  .strictObject({
    escalation_id: idOfType("ESCALATION"),
    task_id: TaskId,
    /** The path of the task file. */
    task_ref: Text,
    created_at: IsoTime,
    debate_trail: z.strictObject({
      proposals: z.array(Proposal),
      challenges: z.array(Challenge),
      adjudications: z.array(Adjudication),
    }),
    failed_invariants: z.array(FailedInvariant),
    /** The state itself, or the address of it where it is large. */
    state_machine_snapshot: z.union([PayloadRef, ProjectState]),
    minimal_decision_required: Text,
    /** The factory's best guess; it never suggests that a person should vouch for work. */
    recommended_resolution: ResolutionAction.exclude(["ATTEST_SHIPPED"]),
    resolution_context: Text,
    failed_module: ModuleId.optional(),
    abandoned_modules: z.array(ModuleId).optional(),
    shipped_modules: z.array(ModuleRef).optional(),
    interface_change_ref: idOfType("INTERFACE_CHANGE_EXCEPTION").optional(),
    /** The request itself: what should change, why, and what shows it. */
    interface_change: InterfaceChangeException.optional(),
    unapplied_amendments: z.array(UnappliedAmendment).optional(),
    fingerprint_mismatch: FingerprintMismatch.optional(),
    plan_violations: z.array(PlanViolation).optional(),
    /** The plan at fault: the last one that was refused, or the locked one. */
    plan_ref: PayloadRef.optional(),
    execution_log_ref: PayloadRef.optional(),
    /** What the person said to the request for another contract. */
    interface_change_decision: InterfaceChangeDecision.optional(),
    /** Null until a person has resolved it. */
    resolution: HumanResolution.nullable(),
  })
  .superRefine((escalation, context) => {
    checkTask(escalation, context);
    checkReason(escalation, context);
    checkInterfaceChange(escalation, context);
  });
export type EscalationArtifact = z.infer<typeof EscalationArtifact>;

type Context = z.core.$RefinementCtx;

function checkTask(escalation: EscalationArtifact, context: Context): void {
  const { task_id, task_ref, state_machine_snapshot: snapshot } = escalation;
  const file = `${task_id}.md`;
  if (task_ref.split("/").at(-1) !== file) {
    refuse(context, ["task_ref"], `the path of ${file}`, `"${task_ref}"`);
  }
  if (typeof snapshot !== "string" && !Object.hasOwn(snapshot.tasks, task_id)) {
    refuse(context, ["state_machine_snapshot", "tasks"], `the halted task ${task_id}`, "a state without it");
  }
}

/** A person cannot decide about a halt that nothing explains. */
function checkReason(escalation: EscalationArtifact, context: Context): void {
  const explained = REASONS.some((key) => {
    const reason = escalation[key];
    return Array.isArray(reason) ? reason.length > 0 : reason !== undefined;
  });
  if (!explained) refuse(context, [], `why it halted, in one of ${REASONS.join(", ")}`, "none of them");
}

function checkInterfaceChange(escalation: EscalationArtifact, context: Context): void {
  const told = escalation.interface_change?.exception_id;
  if (told !== undefined && told !== escalation.interface_change_ref) {
    const expected = `the request ${escalation.interface_change_ref ?? "of an interface_change_ref"}`;
    refuse(context, ["interface_change", "exception_id"], expected, `"${told}"`);
  }
  const decided = escalation.interface_change_decision?.exception_id;
  if (decided !== undefined && decided !== escalation.interface_change_ref) {
    const expected = `a decision about ${escalation.interface_change_ref ?? "an interface_change_ref"}`;
    refuse(context, ["interface_change_decision", "exception_id"], expected, `"${decided}"`);
  }
}
