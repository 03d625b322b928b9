// What a node of a tree remembers between two steps.
import { z } from "zod";
import { MicroModuleContract } from "../../domain/contract/contract.ts";
import { EvidenceReport, Proposal } from "../../domain/debate/debate-records.ts";
import { StructuredFailure } from "../../domain/evidence/structured-failure.ts";
import { CriteriaCoverage, Critique } from "../../domain/fractal/exits.ts";
import { ChildSpec, Criterion, PlannedTest } from "../../domain/fractal/node-spec.ts";
import { TestManifest } from "../../domain/fractal/test-manifest.ts";
import { PersonsWord } from "../../domain/people/ship-evidence.ts";
import { Text } from "../../domain/refs.ts";
import { MergeEvent } from "../../domain/run/merge-event.ts";
import { GitId } from "../../domain/run/workspace-record.ts";
import { stateKey } from "../../graph/define-graph.ts";
import type { StateOf, UpdateOf } from "../../graph/port.ts";
import { Ended, Trail } from "../outcome.ts";

const count = () => stateKey({ schema: z.int().nonnegative(), initial: () => 0 });
const texts = () => stateKey({ schema: z.array(Text), initial: (): string[] => [] });

/** Where a node goes on after it was moved onto what a sibling brought. */
const Next = z.enum(["impl", "review", "author"]);

export const fractalState = {
  /** Calls of all roles; scripts and recordings tell calls apart by it. */
  asked: count(),
  /** The planner's conversation, which its test author and implementer go on from; null where nobody shall. */
  session: stateKey({ schema: Text.nullable(), initial: () => null }),
  contract: stateKey({ schema: MicroModuleContract.nullable(), initial: () => null }),
  contractRef: stateKey({ schema: Text.nullable(), initial: () => null }),
  testPlan: stateKey({ schema: z.array(PlannedTest), initial: () => [] }),
  children: stateKey({ schema: z.array(ChildSpec), initial: () => [] }),
  answers: stateKey({
    schema: z.array(z.strictObject({ question: Text, answer: Text })),
    initial: () => [],
  }),
  /** A question that nobody has answered yet. */
  question: stateKey({
    schema: z.strictObject({ question: Text, ambiguityReference: Text, specSentence: Text }).nullable(),
    initial: () => null,
  }),
  /** The planner's own work, before it is laid out. */
  planned: stateKey({ schema: GitId.nullable(), initial: () => null }),
  scaffold: stateKey({ schema: GitId.nullable(), initial: () => null }),
  /** The newest commit of the node's branch. */
  commit: stateKey({ schema: GitId.nullable(), initial: () => null }),
  /** The commit whose tests count. */
  tests: stateKey({ schema: GitId.nullable(), initial: () => null }),
  manifest: stateKey({ schema: TestManifest.nullable(), initial: () => null }),
  coverage: stateKey({ schema: CriteriaCoverage.nullable(), initial: () => null }),
  challenge: stateKey({
    schema: z.strictObject({ test: Text, criterion: Criterion.shape.id }).nullable(),
    initial: () => null,
  }),
  concluded: stateKey({ schema: z.boolean(), initial: () => false }),
  /** Whether its children had to be waited for already. */
  released: stateKey({ schema: z.boolean(), initial: () => false }),
  findings: texts(),
  failures: stateKey({ schema: z.array(StructuredFailure), initial: () => [] }),
  critiques: stateKey({ schema: z.array(Critique), initial: () => [] }),
  history: stateKey({
    schema: z.array(z.strictObject({ strategy: Text, outcome: Text })),
    initial: () => [],
  }),
  planFixes: count(),
  testFixes: count(),
  attempts: count(),
  reviews: count(),
  /** How often somebody more able was asked, and how often with a fresh mind. */
  upgrades: count(),
  resets: count(),
  next: stateKey({ schema: Next, initial: () => "impl" as const }),
  shift: stateKey({
    schema: z.strictObject({ event: MergeEvent, touched: z.array(Text), base: GitId }).nullable(),
    initial: () => null,
  }),
  evidence: stateKey({ schema: EvidenceReport.nullable(), initial: () => null }),
  signOff: stateKey({ schema: Text.nullable(), initial: () => null }),
  pack: stateKey({ schema: Text.nullable(), initial: () => null }),
  proposal: stateKey({ schema: Proposal.nullable(), initial: () => null }),
  trail: stateKey({
    schema: Trail,
    initial: (): Trail => ({ proposals: [], challenges: [], adjudications: [] }),
  }),
  override: stateKey({ schema: PersonsWord.nullable(), initial: () => null }),
  outcome: stateKey({ schema: Ended.nullable(), initial: () => null }),
};

export type FractalState = StateOf<typeof fractalState>;
export type FractalUpdate = UpdateOf<typeof fractalState>;

/** Where whoever makes the node begins: in its planner's conversation, unless a fresh mind is wanted. */
export function forkOf({ session }: Pick<FractalState, "session">): { forkFrom?: string } {
  return session === null ? {} : { forkFrom: session };
}
