// Tries to show that a contract is wrong, vague or untestable before anybody builds on it.
import { ContractChallengerInput } from "../../domain/agent/contract-roles.ts";
import { ChallengerOutput } from "../../domain/agent/debate-roles.ts";
import { challenger } from "./challenger.ts";
import { defineRole } from "./define-role.ts";

const { name, tools, tier, facts = {} } = challenger;

export const contractChallenger = defineRole({
  name,
  tools,
  tier,
  facts,
  prompt: "challenger_contract",
  purpose: "tries to show that a contract is wrong, vague or cannot be tested: PASS or FAIL",
  input: ContractChallengerInput,
  output: ChallengerOutput,
});
