// Why a task halted, in the words of an escalation: from a plan that could not be locked, or from modules that failed.
import type { Halt } from "../protocols/outcome.ts";
import type { Grounds } from "./escalation.ts";
import type { Made } from "./make-modules.ts";
import type { PlanOutcome } from "./plan/plan-outcome.ts";

export function groundsOfPlan(outcome: Exclude<PlanOutcome, { kind: "locked" }>): Grounds {
  const nothing = { debate_trail: { proposals: [], challenges: [], adjudications: [] } };
  if (outcome.kind === "refused") {
    return {
      ...nothing,
      failed_invariants: [],
      plan_violations: outcome.violations,
      plan_ref: outcome.planRef,
      minimal_decision_required: "Give a plan that holds, or make the task smaller.",
      recommended_resolution: "REVISE_PLAN",
      resolution_context: `${outcome.violations.length} things are wrong with the last plan; revise how the task is cut, or simplify its scope. The first: ${outcome.violations[0]?.path ?? ""}: ${outcome.violations[0]?.message ?? ""}`,
    };
  }
  const { role, kind, why } = outcome.stop;
  return {
    ...nothing,
    failed_invariants: [
      { invariant: "every task is cut into a plan", evidence: `the ${role} is ${kind}: ${why}` },
    ],
    minimal_decision_required: `Remove what stopped the ${role}, or give a plan yourself.`,
    recommended_resolution: kind === "blocked" ? "AMEND_SPEC" : "REVISE_PLAN",
    resolution_context: why,
  };
}

/** One decision at a time: it is about the first module that failed, and the others are told with it. */
export function groundsOfModules(
  { halts, abandoned, shipped }: Extract<Made, { kind: "halted" }>,
  planRef?: string,
): Grounds {
  const [first, ...others] = halts;
  if (first === undefined) throw new Error("a task halted and no module did");
  const { halt } = first;
  const also = others.map(({ module }) => module).join(", ");
  return {
    debate_trail: {
      proposals: halts.flatMap(({ halt }) => halt.trail.proposals),
      challenges: halts.flatMap(({ halt }) => halt.trail.challenges),
      adjudications: halts.flatMap(({ halt }) => halt.trail.adjudications),
    },
    failed_invariants: halts.flatMap(({ halt }) => halt.failed),
    minimal_decision_required: halt.decision,
    recommended_resolution: halt.recommended,
    resolution_context: others.length === 0 ? halt.context : `${halt.context}\n\nAlso halted: ${also}.`,
    failed_module: first.module,
    abandoned_modules: abandoned,
    shipped_modules: shipped,
    ...(planRef === undefined ? {} : { plan_ref: planRef }),
    ...only(halt),
  };
}

/** A change that a person approved and the debate about it did not agree on. */
export function groundsOfChange(exceptionId: string, target: string, halt: Halt): Grounds {
  return {
    debate_trail: halt.trail,
    failed_invariants: halt.failed,
    minimal_decision_required: `Decide anew about ${exceptionId}: the debate about the contract of ${target} did not agree on a change.`,
    recommended_resolution: halt.recommended,
    resolution_context: halt.context,
    ...only({ ...halt, interfaceChange: exceptionId }),
  };
}

function only({ mismatch, unapplied, executionLogRef, interfaceChange }: Halt): Partial<Grounds> {
  return {
    ...(interfaceChange === undefined ? {} : { interface_change_ref: interfaceChange }),
    ...(mismatch === undefined ? {} : { fingerprint_mismatch: mismatch }),
    ...(unapplied === undefined ? {} : { unapplied_amendments: unapplied }),
    ...(executionLogRef === undefined ? {} : { execution_log_ref: executionLogRef }),
  };
}
