// What a debate remembers between two nodes: the standing records, the budgets, and how it ended.
import { z } from "zod";
import { MicroModuleContract } from "../../domain/contract/contract.ts";
import {
  Adjudication,
  AppliedAmendment,
  Challenge,
  ChallengeFailure,
  EvidenceReport,
  Proposal,
} from "../../domain/debate/debate-records.ts";
import { MAX_COMPLIANCE_RETRIES, MAX_REVISIONS } from "../../domain/debate/retry-policy.ts";
import { PersonsWord } from "../../domain/people/ship-evidence.ts";
import { Text } from "../../domain/refs.ts";
import { stateKey } from "../../graph/define-graph.ts";
import type { StateOf, UpdateOf } from "../../graph/port.ts";
import { Ended } from "../outcome.ts";

/** One round of the debate that stands in the trail. */
const Round = z.strictObject({
  proposal: Proposal,
  challenge: Challenge,
  adjudication: Adjudication.nullable(),
});
type Round = z.infer<typeof Round>;

const Asked = z.strictObject({
  proposer: z.int().nonnegative(),
  challenger: z.int().nonnegative(),
  arbiter: z.int().nonnegative(),
});

export const debateState = {
  /** How often each role was asked in this thread; scripts and recordings tell calls apart by it. */
  asked: stateKey({ schema: Asked, initial: () => ({ proposer: 0, challenger: 0, arbiter: 0 }) }),
  contract: stateKey({ schema: MicroModuleContract.nullable(), initial: () => null }),
  /** The artifact of the locked contract. */
  contractRef: stateKey({ schema: Text.nullable(), initial: () => null }),
  /** The module as it stands. */
  commit: stateKey({ schema: Text.nullable(), initial: () => null }),
  /** Before amendments were applied: a commit, or a contract in the contract round. */
  before: stateKey({ schema: z.union([Text, MicroModuleContract]).nullable(), initial: () => null }),
  applied: stateKey({ schema: z.array(AppliedAmendment), initial: () => [] }),
  evidence: stateKey({ schema: EvidenceReport.nullable(), initial: () => null }),
  /** All of both rounds, also those that the harness sent back before anybody judged them. */
  proposals: stateKey({ schema: z.array(Proposal), initial: () => [] }),
  proposal: stateKey({ schema: Proposal.nullable(), initial: () => null }),
  challenge: stateKey({ schema: Challenge.nullable(), initial: () => null }),
  adjudication: stateKey({ schema: Adjudication.nullable(), initial: () => null }),
  /** What sends the work back. */
  failures: stateKey({ schema: z.array(ChallengeFailure), initial: () => [] }),
  findings: stateKey({ schema: z.array(Text), initial: () => [] }),
  /** Rounds before the standing one. */
  rounds: stateKey({ schema: z.array(Round), initial: () => [] }),
  revisionsUsed: stateKey({ schema: z.int().min(0).max(MAX_REVISIONS), initial: () => 0 }),
  complianceRetries: stateKey({ schema: z.int().min(0).max(MAX_COMPLIANCE_RETRIES), initial: () => 0 }),
  violations: stateKey({ schema: z.array(Text), initial: () => [] }),
  /** A person's fix, which is challenged like any proposal. */
  fix: stateKey({ schema: Text.nullable(), initial: () => null }),
  override: stateKey({ schema: PersonsWord.nullable(), initial: () => null }),
  outcome: stateKey({ schema: Ended.nullable(), initial: () => null }),
};

export type DebateState = StateOf<typeof debateState>;
export type DebateUpdate = UpdateOf<typeof debateState>;

export function nextAsked(state: DebateState, role: keyof DebateState["asked"]): DebateUpdate {
  return { asked: { ...state.asked, [role]: state.asked[role] + 1 } };
}

/** The one that stands from now on. */
export function proposed(state: DebateState, proposal: Proposal): DebateUpdate {
  return { proposal, proposals: [...state.proposals, proposal] };
}

/** For what an earlier node must have left. */
export function present<T>(value: T | null, what: string): T {
  if (value === null) throw new Error(`the debate has no ${what}`);
  return value;
}

/** The round at hand, as it goes into the trail; nothing where nobody has challenged yet. */
export function standing({ proposal, challenge, adjudication }: DebateState): Round[] {
  return proposal === null || challenge === null ? [] : [{ proposal, challenge, adjudication }];
}
