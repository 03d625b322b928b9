// Tries to show that a proposal is wrong or incomplete, from the contract and the evidence; sees no source.
import { ChallengerInput, ChallengerOutput } from "../../domain/agent/debate-roles.ts";
import { MIN_EVIDENCE_WORDS } from "../../domain/debate/challenge-compliance.ts";
import { DECOMPOSITION_RUBRIC, RUBRIC } from "../../domain/debate/rubric.ts";
import { defineRole } from "./define-role.ts";

export const challenger = defineRole({
  name: "challenger",
  purpose: "tries to show from the evidence that the proposal is wrong or incomplete: PASS or FAIL",
  input: ChallengerInput,
  output: ChallengerOutput,
  tools: ["raise_interface_change_exception"],
  tier: "strong",
  facts: {
    rubric: RUBRIC,
    decomposition_rubric: DECOMPOSITION_RUBRIC,
    min_evidence_words: MIN_EVIDENCE_WORDS,
  },
});
