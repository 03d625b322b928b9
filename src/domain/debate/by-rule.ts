// Challenge and adjudication where no arbiter sits: both follow by rule from what was found.
import type { Adjudication, Challenge, ChallengeFailure } from "./debate-records.ts";
import { RubricId } from "./rubric.ts";

export type ChallengeWords = Omit<Challenge, "challenge_id" | "target_artifact_id">;
type AdjudicationWords = Omit<Adjudication, "adjudication_id" | "target_artifact_id">;

/** `against` says what speaks against a criterion; all others are met, on what `otherwise` says. */
export function challengeByRule(
  failures: ChallengeFailure[],
  against: (criterion: RubricId) => string | undefined,
  otherwise: string,
): ChallengeWords {
  return {
    verdict: failures.length > 0 ? "FAIL" : "PASS",
    failures,
    rubric_assessments: RubricId.options.map((criterion) => {
      const evidence = against(criterion);
      return {
        criterion,
        assessment: evidence === undefined ? ("MET" as const) : ("NOT_MET" as const),
        evidence: `${criterion}: ${evidence ?? otherwise}`,
      };
    }),
  };
}

export function adjudicateByRule(approves: boolean, rationale: string): AdjudicationWords {
  return {
    decision: approves ? "APPROVE" : "REJECT",
    ship_directive: approves ? "SHIP" : "NO_SHIP",
    amendments: [],
    rationale,
  };
}
