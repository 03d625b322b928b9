// What the three roles of a debate are given and what they hand over; ids and references are the harness's business.
import { z } from "zod";
import { MicroModuleContract } from "../contract/contract.ts";
import {
  Adjudication,
  Amendment,
  AppliedAmendment,
  Challenge,
  ChallengeFailure,
  Decision,
  EvidenceReport,
  Proposal,
} from "../debate/debate-records.ts";
import { parsePlaced, refuse } from "../parse.ts";
import { ModuleRef, Text } from "../refs.ts";

/** All that anybody sees of a module that is not the one at hand. */
export const DependencyView = z.strictObject({
  ref: ModuleRef,
  contract: MicroModuleContract,
  /** The text of examples.md. */
  examples: z.string(),
});
export type DependencyView = z.infer<typeof DependencyView>;

export const ProposerInput = z
  .strictObject({
    phase: z.enum(["propose", "revise", "amend"]),
    task_file: Text,
    contract: MicroModuleContract,
    dependencies: z.array(DependencyView),
    code_index_results: z.array(z.strictObject({ module: ModuleRef, summary: Text })),
    /** JSON Schemas of the records it works with, by name. */
    harness_schemas: z.record(z.string(), z.json()),
    /** What the Challenger could show to be wrong. */
    failures: z.array(ChallengeFailure),
    /** What the harness refused at the door. */
    findings: z.array(Text),
    amendments: z.array(Amendment),
  })
  .superRefine(checkPhase);
export type ProposerInput = z.infer<typeof ProposerInput>;

export const ProposerOutput = z.strictObject({
  claim: Proposal.shape.claim.describe("What was built, and why it keeps the contract."),
  acceptance_checks: Proposal.shape.acceptance_checks.describe(
    "What anyone could check; each names the test or output that shows it.",
  ),
  applied_amendments: z
    .array(AppliedAmendment)
    .describe("One record for each amendment you were given; empty when there were none."),
});
export type ProposerOutput = z.infer<typeof ProposerOutput>;

const Round = { proposal: Proposal, challenge: Challenge };

export const ChallengerInput = z.strictObject({
  contract: MicroModuleContract,
  dependencies: z.array(DependencyView),
  proposal: Proposal,
  evidence: EvidenceReport,
  acceptance_criteria: z.array(Text).min(1),
  /** The rounds before this one. */
  debate_trail: z.array(z.strictObject(Round)),
  /** Why the last challenge of this round did not count. */
  violations: z.array(Text),
});
export type ChallengerInput = z.infer<typeof ChallengerInput>;

const { verdict, failures, rubric_assessments } = Challenge.shape;

export const ChallengerOutput = z
  .strictObject({ rubric_assessments, verdict, failures })
  .superRefine(
    consistentAs(Challenge, { challenge_id: "CHAL-00000000", target_artifact_id: "PROP-00000000" }),
  );
export type ChallengerOutput = z.infer<typeof ChallengerOutput>;

export const ArbiterInput = z.strictObject({
  task_file: Text,
  contract: MicroModuleContract,
  proposal: Proposal,
  challenge: Challenge,
  debate_trail: z.array(z.strictObject({ ...Round, adjudication: Adjudication.nullable() })),
  /** After a FAIL that no revision cured, approving as it stands is not open. */
  decisions_open: z.array(Decision).min(1),
});
export type ArbiterInput = z.infer<typeof ArbiterInput>;

const { decision, amendments, rationale, ship_directive } = Adjudication.shape;

export const ArbiterOutput = z
  .strictObject({ rationale, decision, amendments, ship_directive })
  .superRefine(
    consistentAs(Adjudication, { adjudication_id: "ADJ-00000000", target_artifact_id: "PROP-00000000" }),
  );
export type ArbiterOutput = z.infer<typeof ArbiterOutput>;

interface Phased {
  phase: "propose" | "revise" | "amend";
  failures: readonly unknown[];
  findings: readonly unknown[];
  amendments: readonly unknown[];
}

/** Each phase comes with what it is about, and with nothing else. */
export function checkPhase(
  { phase, failures, findings, amendments }: Phased,
  context: z.core.$RefinementCtx,
): void {
  const critiques = failures.length + findings.length;
  if (phase === "revise" && critiques === 0)
    refuse(context, ["failures"], "what sent the work back, in the phase revise", "nothing");
  if (phase !== "revise" && critiques > 0)
    refuse(context, ["failures"], `no failures and findings in the phase ${phase}`, `${critiques}`);
  if ((phase === "amend") !== amendments.length > 0) {
    const expected = phase === "amend" ? "what to apply" : `no amendments in the phase ${phase}`;
    refuse(context, ["amendments"], expected, `${amendments.length} listed`);
  }
}

/** The rules of the whole record hold for what the agent writes of it. */
function consistentAs(record: z.ZodType, ids: Readonly<Record<string, string>>) {
  return (draft: object, context: z.core.$RefinementCtx): void => {
    const parsed = parsePlaced(record, { ...ids, ...draft });
    if (parsed.kind === "ok") return;
    for (const { segments, expected, found } of parsed.problems)
      refuse(context, [...segments], expected, found);
  };
}
