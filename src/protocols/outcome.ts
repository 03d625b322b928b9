// What comes out of a protocol: a candidate for the door, a module that shipped, or a halt that explains itself.
import { z } from "zod";
import { idOfType } from "../domain/artifact/artifact-type.ts";
import { MicroModuleContract } from "../domain/contract/contract.ts";
import { Adjudication, Challenge, Proposal } from "../domain/debate/debate-records.ts";
import { Claim } from "../domain/evidence/claim.ts";
import { EscalationArtifact, FailedInvariant, FingerprintMismatch } from "../domain/people/escalation.ts";
import { PersonsWord } from "../domain/people/ship-evidence.ts";
import { ModuleRef, PayloadRef, Text } from "../domain/refs.ts";

const Commit = z.string().regex(/^[0-9a-f]{40,64}$/, { error: "the id of a commit" });

/** What a candidate is held against besides its contract; without one, the gates that need it do not run. */
export const CandidateGrounds = z.strictObject({
  /** What agents said about their work; checked, never believed. */
  claims: z.array(Claim).min(1).optional(),
  /** The commit whose tests count: those of the candidate must be the same, byte for byte. */
  tests: Commit.optional(),
  /** The commit whose sources are the skeleton that tests must be red on. */
  skeleton: Commit.optional(),
});
export type CandidateGrounds = z.infer<typeof CandidateGrounds>;

/** A commit that claims to keep a locked contract. */
export const Candidate = z.strictObject({
  contract: MicroModuleContract,
  /** The artifact of the locked contract. */
  contractRef: Text,
  commit: Commit,
  /** The artifact that was debated; null where nothing was. */
  proposal: Proposal.nullable(),
  override: PersonsWord.nullable(),
  grounds: CandidateGrounds.optional(),
});
export type Candidate = z.infer<typeof Candidate>;

export const Shipped = z.strictObject({
  module: ModuleRef,
  shipId: idOfType("SHIP_EVIDENCE"),
  /** On the product's main branch. */
  commit: Commit,
});
export type Shipped = z.infer<typeof Shipped>;

/** Why a role gave nothing that the protocol could go on with. */
export const Stop = z.strictObject({
  role: Text,
  kind: z.enum([
    "blocked",
    "retry",
    "stuck",
    "invalid",
    "timed-out",
    "refused",
    "too-long",
    "unavailable",
    "failed",
    "over-budget",
  ]),
  why: Text,
  /** Of `retry`, which only roles that work in attempts can end with: what the next one will do differently. */
  strategy: Text.optional(),
  /** The request for another contract that stopped it. */
  interfaceChange: idOfType("INTERFACE_CHANGE_EXCEPTION").nullable(),
});
export type Stop = z.infer<typeof Stop>;

export const Trail = z.strictObject({
  proposals: z.array(Proposal),
  challenges: z.array(Challenge),
  adjudications: z.array(Adjudication),
});
export type Trail = z.infer<typeof Trail>;

/** Everything a person needs to decide, apart from what only the task's supervisor knows. */
export const Halt = z.strictObject({
  trail: Trail,
  failed: z.array(FailedInvariant),
  decision: Text,
  recommended: EscalationArtifact.shape.recommended_resolution,
  context: Text,
  mismatch: FingerprintMismatch.optional(),
  unapplied: EscalationArtifact.shape.unapplied_amendments,
  interfaceChange: idOfType("INTERFACE_CHANGE_EXCEPTION").optional(),
  executionLogRef: PayloadRef.optional(),
});
export type Halt = z.infer<typeof Halt>;

/** How a protocol's thread came to its end. */
export const Ended = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("shipped"), shipped: Shipped }),
  z.strictObject({ kind: z.literal("halted"), halt: Halt }),
]);
export type Ended = z.infer<typeof Ended>;
