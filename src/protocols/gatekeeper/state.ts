// What the gatekeeper protocol remembers between two nodes: where the work stands, commits, verdicts and words, never code.
import { z } from "zod";
import { TesterOutput } from "../../domain/agent/gatekeeper-roles.ts";
import { VerifierOutput } from "../../domain/agent/solo-roles.ts";
import { MicroModuleContract } from "../../domain/contract/contract.ts";
import { EvidenceReport, Proposal } from "../../domain/debate/debate-records.ts";
import { StructuredFailure } from "../../domain/evidence/structured-failure.ts";
import { ModuleResearch } from "../../domain/gatekeeper/module-research.ts";
import { ModuleSpec } from "../../domain/gatekeeper/module-spec.ts";
import { RevisionFeedback } from "../../domain/gatekeeper/revision-feedback.ts";
import { LayeredResults } from "../../domain/gatekeeper/test-suite-record.ts";
import { TesterVerdict } from "../../domain/gatekeeper/tester-verdict.ts";
import { openedWork } from "../../domain/gatekeeper/transition.ts";
import { WorkGraph } from "../../domain/gatekeeper/work-graph.ts";
import { PersonsWord } from "../../domain/people/ship-evidence.ts";
import { Text } from "../../domain/refs.ts";
import { stateKey } from "../../graph/define-graph.ts";
import type { StateOf, UpdateOf } from "../../graph/port.ts";
import { Ended, Trail } from "../outcome.ts";

const Count = z.int().nonnegative();

const Asked = z.strictObject({
  researcher: Count,
  architect: Count,
  builder: Count,
  tester: Count,
  verifier: Count,
});

/** Commits of the builder, each on the one before, the first on the skeleton. */
const Code = z.strictObject({ commits: z.array(Text), claim: Text, pack: Text });

/** Commits of the tester, and what it says about them. */
const Suite = z.strictObject({ commits: z.array(Text), said: TesterOutput, pack: Text });

/** A test that has failed on code of this work, by its name and the hash of its text. */
const Law = z.strictObject({ test: Text, hash: Text });

const text = stateKey({ schema: Text.nullable(), initial: () => null });
const texts = stateKey({ schema: z.array(Text), initial: () => [] });

export const gatekeeperState = {
  work: stateKey({ schema: WorkGraph, initial: () => openedWork() }),
  /** How often each role was asked in this thread. */
  asked: stateKey({
    schema: Asked,
    initial: () => ({ researcher: 0, architect: 0, builder: 0, tester: 0, verifier: 0 }),
  }),
  research: stateKey({ schema: ModuleResearch.nullable(), initial: () => null }),
  researchRef: text,
  spec: stateKey({ schema: ModuleSpec.nullable(), initial: () => null }),
  specPack: text,
  contract: stateKey({ schema: MicroModuleContract.nullable(), initial: () => null }),
  contractRef: text,
  skeleton: text,
  code: stateKey({ schema: Code.nullable(), initial: () => null }),
  suite: stateKey({ schema: Suite.nullable(), initial: () => null }),
  /** The tests on the skeleton; those of the candidate must be the same. */
  suiteCommit: text,
  /** The last tests that were seen to build and to be red on stubs. */
  believed: text,
  merged: text,
  /** For whoever is asked next. */
  findings: texts,
  feedback: stateKey({ schema: z.array(RevisionFeedback), initial: () => [] }),
  earlierFailures: stateKey({ schema: z.array(StructuredFailure), initial: () => [] }),
  law: stateKey({ schema: z.array(Law), initial: () => [] }),
  weaknesses: texts,
  verdict: stateKey({ schema: TesterVerdict.nullable(), initial: () => null }),
  results: stateKey({ schema: LayeredResults.nullable(), initial: () => null }),
  evidence: stateKey({ schema: EvidenceReport.nullable(), initial: () => null }),
  verified: stateKey({
    schema: z.strictObject({ output: VerifierOutput, pack: Text.nullable() }).nullable(),
    initial: () => null,
  }),
  trail: stateKey({
    schema: Trail,
    initial: () => ({ proposals: [], challenges: [], adjudications: [] }),
  }),
  proposal: stateKey({ schema: Proposal.nullable(), initial: () => null }),
  fix: text,
  override: stateKey({ schema: PersonsWord.nullable(), initial: () => null }),
  outcome: stateKey({ schema: Ended.nullable(), initial: () => null }),
};

export type GatekeeperState = StateOf<typeof gatekeeperState>;
export type GatekeeperUpdate = UpdateOf<typeof gatekeeperState>;

/** Counts one more call of a role. */
export function counted(
  { asked }: Pick<GatekeeperState, "asked">,
  role: keyof z.infer<typeof Asked>,
): { attempt: number; asked: z.infer<typeof Asked> } {
  const attempt = asked[role] + 1;
  return { attempt, asked: { ...asked, [role]: attempt } };
}
