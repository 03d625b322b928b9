// Why a task did not ship, in the words of its escalation; empty where it did.
import type { TaskOutcome } from "../engineering/port.ts";

export function haltWords(outcome: TaskOutcome): string {
  switch (outcome.kind) {
    case "shipped":
      return "";
    case "stopped":
      return outcome.why;
    case "halted": {
      const { failed_invariants, plan_violations = [], minimal_decision_required } = outcome.escalation;
      const failed = failed_invariants.map(({ evidence }) => evidence);
      const violations = plan_violations.map(({ path, message }) => `${path}: ${message}`);
      return [...failed, ...violations].join("; ") || minimal_decision_required;
    }
  }
}
