// What the blind protocol remembers between two nodes: commits, verdicts, budgets and what everybody said, never code.
import { z } from "zod";
import { TestFlavour, TypeAdversaryOutput, TypesOutput } from "../../domain/agent/blind-roles.ts";
import { MatrixCell } from "../../domain/blind/cross-check.ts";
import { FunctionSpec } from "../../domain/blind/function-spec.ts";
import { PropertyWritten } from "../../domain/blind/suite-coverage.ts";
import { MutationResult } from "../../domain/blind/suite-verdict.ts";
import { TypeHole } from "../../domain/blind/type-hole.ts";
import { nothingUnderstood, Understanding } from "../../domain/blind/understanding.ts";
import { WitnessReport } from "../../domain/blind/witness.ts";
import { MicroModuleContract } from "../../domain/contract/contract.ts";
import { EvidenceReport, Proposal } from "../../domain/debate/debate-records.ts";
import { CoverageReport } from "../../domain/evidence/coverage.ts";
import { BlindnessCertificate } from "../../domain/evidence/blindness-certificate.ts";
import { PersonsWord } from "../../domain/people/ship-evidence.ts";
import { Text } from "../../domain/refs.ts";
import { stateKey } from "../../graph/define-graph.ts";
import type { StateOf, UpdateOf } from "../../graph/port.ts";
import { Ended, Stop, Trail } from "../outcome.ts";
import { FailedTest } from "../seen.ts";

const Count = z.int().nonnegative();

const Asked = z.strictObject({
  types: Count,
  type_adversary: Count,
  tests: Count,
  impl: Count,
  fix: Count,
  mutation_adversary: Count,
});
export type Asked = z.infer<typeof Asked>;

const nobody: Asked = { types: 0, type_adversary: 0, tests: 0, impl: 0, fix: 0, mutation_adversary: 0 };

/** One tester's work: commits on the skeleton, the newest last, and what it says about them. */
export const Suite = z.strictObject({
  flavour: TestFlavour,
  commits: z.array(Text),
  properties: z.array(PropertyWritten),
  pack: Text,
  /** Why it goes back to its author. */
  findings: z.array(Text),
});
export type Suite = z.infer<typeof Suite>;

export const Implementation = z.strictObject({
  /** Which of the implementers made it. */
  number: Count,
  commits: z.array(Text),
  /** Functions that its author says it works on. */
  says: z.array(Text),
  pack: Text,
  findings: z.array(Text),
});
export type Implementation = z.infer<typeof Implementation>;

/** How work that ran beside other work ended; it is looked at where the ways meet. */
const Ending = z.union([
  z.strictObject({ kind: z.literal("done") }),
  z.strictObject({ kind: z.literal("stopped"), stop: Stop }),
  /** Somebody beside it made it pointless. */
  z.strictObject({ kind: z.literal("aborted") }),
]);
export type Ending = z.infer<typeof Ending>;

const Adversary = z.strictObject({ output: TypeAdversaryOutput, pack: Text });

const text = stateKey({ schema: Text.nullable(), initial: () => null });
const count = stateKey({ schema: Count, initial: () => 0 });
const texts = stateKey({ schema: z.array(Text), initial: () => [] });
const ending = stateKey<typeof Ending>({ schema: Ending, initial: () => ({ kind: "done" }) });

export const blindState = {
  /** How often each role was asked in this thread; nodes that run side by side count roles of their own. */
  asked: stateKey({ schema: Asked, initial: () => nobody, merge: (a, b) => mostAsked(a, b) }),
  types: stateKey({ schema: TypesOutput.nullable(), initial: () => null }),
  typesPack: text,
  contract: stateKey({ schema: MicroModuleContract.nullable(), initial: () => null }),
  contractRef: text,
  /** The specification with every property that was asked for later. */
  functions: stateKey({ schema: z.array(FunctionSpec), initial: () => [] }),
  typeFixes: count,
  /** What sends the types back besides holes. */
  typeFindings: texts,
  skeleton: text,
  skeletonFindings: texts,
  adversary: stateKey({ schema: Adversary.nullable(), initial: () => null }),
  adversaryEnding: ending,
  /** Of earlier rounds: they were fixed and still teach. */
  fixedHoles: stateKey({ schema: z.array(TypeHole), initial: () => [] }),
  suites: stateKey({ schema: z.array(Suite), initial: () => [] }),
  testsEnding: ending,
  impls: stateKey({ schema: z.array(Implementation), initial: () => [] }),
  implEnding: ending,
  /** Writers that have read the adversary's letter, by node. */
  letterRead: stateKey({ schema: z.array(Text), initial: () => [], merge: (a, b) => [...a, ...b] }),
  testRejections: count,
  coverage: stateKey({ schema: CoverageReport.nullable(), initial: () => null }),
  /** The verified tests on the skeleton; they are the law from then on. */
  suiteCommit: text,
  merged: text,
  /** Other implementations with the same tests, while it is not decided between them. */
  rivals: texts,
  matrix: stateKey({ schema: z.array(MatrixCell), initial: () => [] }),
  /** Commits of fixes on top of the merge, the newest last. */
  fixes: texts,
  /** Whether what is validated next is the work of a fixer. */
  afterFix: stateKey({ schema: z.boolean(), initial: () => false }),
  fixAttempts: count,
  failures: stateKey({ schema: z.array(FailedTest), initial: () => [] }),
  gateFindings: texts,
  understanding: stateKey({ schema: Understanding, initial: nothingUnderstood }),
  evidence: stateKey({ schema: EvidenceReport.nullable(), initial: () => null }),
  mutation: stateKey({ schema: MutationResult.nullable(), initial: () => null }),
  mutationRounds: count,
  advised: stateKey({ schema: z.boolean(), initial: () => false }),
  certificate: stateKey({ schema: BlindnessCertificate.nullable(), initial: () => null }),
  trail: stateKey({
    schema: Trail,
    initial: () => ({ proposals: [], challenges: [], adjudications: [] }),
  }),
  contractProposal: stateKey({ schema: Proposal.nullable(), initial: () => null }),
  proposal: stateKey({ schema: Proposal.nullable(), initial: () => null }),
  fix: text,
  override: stateKey({ schema: PersonsWord.nullable(), initial: () => null }),
  witness: stateKey({ schema: WitnessReport.nullable(), initial: () => null }),
  outcome: stateKey({ schema: Ended.nullable(), initial: () => null }),
};

export type BlindState = StateOf<typeof blindState>;
export type BlindUpdate = UpdateOf<typeof blindState>;

function mostAsked(a: Asked, b: Asked): Asked {
  return {
    types: Math.max(a.types, b.types),
    type_adversary: Math.max(a.type_adversary, b.type_adversary),
    tests: Math.max(a.tests, b.tests),
    impl: Math.max(a.impl, b.impl),
    fix: Math.max(a.fix, b.fix),
    mutation_adversary: Math.max(a.mutation_adversary, b.mutation_adversary),
  };
}

/** Counts `more` calls of a role. */
export function counted({ asked }: Pick<BlindState, "asked">, role: keyof Asked, more = 1): BlindUpdate {
  return { asked: { ...asked, [role]: asked[role] + more } };
}
