// From whatever stopped a debate to what a person needs in order to decide.
import type { UnappliedAmendment } from "../../domain/debate/amendments.ts";
import type { Halt, Stop, Trail } from "../outcome.ts";
import type { DebateState, DebateUpdate } from "./state.ts";

type Reason = Pick<Halt, "failed" | "decision" | "recommended" | "context"> &
  Partial<Pick<Halt, "mismatch" | "unapplied" | "interfaceChange" | "executionLogRef">>;

/** The node that finds the reason writes it down and goes to `halt`. */
export function halted(state: DebateState, reason: Reason): { update: DebateUpdate; goto: "halt" } {
  return {
    update: { outcome: { kind: "halted", halt: { trail: trailOf(state), ...reason } } },
    goto: "halt",
  };
}

export function trailOf({ rounds, proposal, challenge, adjudication }: DebateState): Trail {
  return {
    proposals: [...rounds.map((round) => round.proposal), ...some(proposal)],
    challenges: [...rounds.map((round) => round.challenge), ...some(challenge)],
    adjudications: [...rounds.flatMap((round) => some(round.adjudication)), ...some(adjudication)],
  };
}

function some<T>(value: T | null): T[] {
  return value === null ? [] : [value];
}

export function stoppedBy(stop: Stop): Reason {
  const failed = [{ invariant: `the ${stop.role} can do its work`, evidence: `${stop.kind}: ${stop.why}` }];
  if (stop.interfaceChange !== null) {
    return {
      failed,
      decision: `Decide whether the contract asked for in ${stop.interfaceChange} is to change.`,
      recommended: "AMEND_SPEC",
      context: `The ${stop.role} cannot build on a module it depends on as that module's contract stands: ${stop.why}`,
      interfaceChange: stop.interfaceChange,
    };
  }
  return {
    failed,
    decision: `Say how the work can go on although the ${stop.role} could not: change the task, split it, or provide the code.`,
    recommended: stop.kind === "too-long" ? "SPLIT_TASK" : "AMEND_SPEC",
    context: `The ${stop.role} ended with ${stop.kind}: ${stop.why}`,
  };
}

/** The revisions are used up and the Challenger or the Arbiter still says no. */
export function rejected(state: DebateState): Reason {
  const { challenge, adjudication } = state;
  const failed = (challenge?.failures ?? []).map(({ invariant, evidence }) => ({ invariant, evidence }));
  const tooBig = challenge?.rubric_assessments.some(
    ({ criterion, assessment }) => criterion === "R6" && assessment === "NOT_MET",
  );
  const rationale = adjudication?.rationale ?? "The Arbiter was not asked.";
  return {
    failed: failed.length > 0 ? failed : [{ invariant: "the Arbiter approves", evidence: rationale }],
    decision:
      tooBig === true
        ? "Decide how the work is to be cut: the module is more than one micro module."
        : "Decide whether to provide a fix, change the task, or approve what the debate did not.",
    recommended: tooBig === true ? "REVISE_PLAN" : "PROVIDE_FIX",
    context: `After ${state.revisionsUsed} revisions the debate did not converge. The Arbiter's last word: ${rationale}`,
  };
}

/** The door, or the gates before it, refused, and no revision is left. */
export function refused(
  state: DebateState,
  findings: readonly string[],
  more: Partial<Pick<Halt, "mismatch" | "executionLogRef">> = {},
): Reason {
  return {
    failed: findings.map((finding) => ({ invariant: "the gates of ship hold", evidence: finding })),
    decision: "Provide code that passes the gates, or change what is asked for.",
    recommended: "PROVIDE_FIX",
    context: `After ${state.revisionsUsed} revisions the harness still refuses the work: ${findings[0] ?? "no reason was given"}`,
    ...more,
  };
}

export function unapplied(amendments: readonly UnappliedAmendment[]): Reason {
  return {
    failed: amendments.map(({ amendment_index, reason }) => ({
      invariant: `amendment ${amendment_index} is applied`,
      evidence: reason,
    })),
    decision: "Apply the amendments yourself, or decide that the module ships without them.",
    recommended: "PROVIDE_FIX",
    context: "The Arbiter approved with amendments, and not all of them were applied.",
    unapplied: [...amendments],
  };
}
