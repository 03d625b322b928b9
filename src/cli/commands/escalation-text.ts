// A halted task as a person reads it: what failed, what is needed, and what to type.
import type { EscalationArtifact } from "../../domain/people/escalation.ts";
import type { Line } from "../lines.ts";

export function escalationLines(escalation: EscalationArtifact, isOpen: boolean): Line[] {
  const { task_id, failed_invariants, plan_violations = [], interface_change_ref } = escalation;
  return [
    { bold: "What is needed" },
    `  ${escalation.minimal_decision_required}`,
    `  ${escalation.resolution_context}`,
    "",
    { bold: "What failed" },
    ...failed_invariants.map(({ invariant, evidence }) => `  ${invariant}: ${evidence}`),
    ...plan_violations.map(({ path, message }) => `  ${path}: ${message}`),
    ...(interface_change_ref === undefined ? [] : [`  ${interface_change_ref} asks for another contract`]),
    "",
    `Recommended: ${escalation.recommended_resolution}`,
    ...(isOpen
      ? [
          `Next: ${interface_change_ref === undefined ? `cupel resolve ${task_id}` : `cupel ice ${interface_change_ref}`}`,
        ]
      : []),
  ];
}
