// Challenge and adjudication where no arbiter sits: both follow by rule from holes, survivors and evidence.
import type { Adjudication, Challenge, ChallengeFailure, EvidenceReport } from "../debate/debate-records.ts";
import { RubricId } from "../debate/rubric.ts";
import { blockingHoles, type HoleType, type TypeHole } from "./type-hole.ts";
import type { MutationResult } from "./suite-verdict.ts";

type ChallengeWords = Omit<Challenge, "challenge_id" | "target_artifact_id">;
type AdjudicationWords = Omit<Adjudication, "adjudication_id" | "target_artifact_id">;

/** Which criterion a hole speaks against. */
const CRITERION_OF: Readonly<Record<HoleType, RubricId>> = {
  RepresentableInvalid: "R1",
  TypeConfusion: "R1",
  PartialFunction: "R3",
  LeakyAbstraction: "R6",
};

/** The type adversary's holes as the challenge of the contract round. */
export function challengeOnTypes(holes: readonly TypeHole[], analysis: string): ChallengeWords {
  const blocking = blockingHoles(holes);
  const against = new Map(blocking.map((hole) => [CRITERION_OF[hole.holeType], hole]));
  return challengeOf(
    blocking.map(({ invariantBroken, description, exploitSketch, suggestedFix }) => ({
      invariant: invariantBroken,
      evidence: `${description}: ${exploitSketch}`,
      required_change: suggestedFix,
    })),
    (criterion) => against.get(criterion)?.description,
    `The type adversary found nothing against it. ${analysis}`,
  );
}

/** What mutants and gates showed of the module; the mutation adversary's words are among it. */
export function challengeOnModule(
  { tests, mutation }: EvidenceReport,
  result: MutationResult | null,
): ChallengeWords {
  const killed =
    mutation === undefined ? "no mutants" : `${mutation.killed.hit} of ${mutation.killed.of} mutants`;
  const open = (result?.survivors ?? []).length;
  const said = result?.analysis ?? "nobody had to read survivors";
  return challengeOf(
    [],
    () => undefined,
    `${tests.length} tests passed on it and ${killed} were noticed, ${open} were not: ${said}`,
  );
}

function challengeOf(
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
