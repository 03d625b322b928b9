// How a debate stops: with its whole trail and the reason.
import type { Trail } from "../outcome.ts";
import type { Reason } from "../halt-reasons.ts";
import type { DebateState, DebateUpdate } from "./state.ts";

/** The node that finds the reason writes it down and goes to `halt`. */
export function halted(state: DebateState, reason: Reason): { update: DebateUpdate; goto: "halt" } {
  return {
    update: { outcome: { kind: "halted", halt: { trail: trailOf(state), ...reason } } },
    goto: "halt",
  };
}

export function trailOf({ rounds, proposals, challenge, adjudication }: DebateState): Trail {
  return {
    proposals: [...proposals],
    challenges: [...rounds.map((round) => round.challenge), ...some(challenge)],
    adjudications: [...rounds.flatMap((round) => some(round.adjudication)), ...some(adjudication)],
  };
}

function some<T>(value: T | null): T[] {
  return value === null ? [] : [value];
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
