// What challenges in the blind protocol: holes in the types, and what mutants showed of the module.
import { challengeByRule, type ChallengeWords } from "../debate/by-rule.ts";
import type { EvidenceReport } from "../debate/debate-records.ts";
import type { RubricId } from "../debate/rubric.ts";
import { blockingHoles, type HoleType, type TypeHole } from "./type-hole.ts";
import type { MutationResult } from "./suite-verdict.ts";

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
  return challengeByRule(
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
  return challengeByRule(
    [],
    () => undefined,
    `${tests.length} tests passed on it and ${killed} were noticed, ${open} were not: ${said}`,
  );
}
