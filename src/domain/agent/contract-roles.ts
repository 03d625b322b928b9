// What the roles of a contract round are given and what they hand over: the contract is debated before there is any code.
import { z } from "zod";
import { ContractDraft } from "../contract/contract-draft.ts";
import { MicroModuleContract } from "../contract/contract.ts";
import { AppliedAmendment, Amendment, ChallengeFailure, Proposal } from "../debate/debate-records.ts";
import { PlannedModule } from "../plan/micro-plan.ts";
import { Text } from "../refs.ts";
import { ChallengerInput, checkPhase, DependencyView, ProposerOutput } from "./debate-roles.ts";

export const ContractProposerInput = z
  .strictObject({
    phase: z.enum(["propose", "revise", "amend"]),
    task_file: Text,
    /** What the plan says of the module. */
    module: PlannedModule,
    dependencies: z.array(DependencyView),
    /** Of the round before; null in the first. */
    contract: MicroModuleContract.nullable(),
    failures: z.array(ChallengeFailure),
    findings: z.array(Text),
    amendments: z.array(Amendment),
  })
  .superRefine(checkPhase);
export type ContractProposerInput = z.infer<typeof ContractProposerInput>;

export const ContractProposerOutput = z.strictObject({
  contract: ContractDraft,
  claim: Proposal.shape.claim.describe("Why this contract is what the task needs of the module."),
  acceptance_checks: ProposerOutput.shape.acceptance_checks.describe(
    "For each acceptance criterion that this module serves: the field of the contract that promises it.",
  ),
  applied_amendments: z.array(AppliedAmendment),
});
export type ContractProposerOutput = z.infer<typeof ContractProposerOutput>;

/** The same as for code, without the evidence that only code can give. */
export const ContractChallengerInput = ChallengerInput.omit({ evidence: true }).extend({
  module: PlannedModule,
});
export type ContractChallengerInput = z.infer<typeof ContractChallengerInput>;
