// Writes the contract of one module before there is any code: what the plan sketched, exact enough to be tested.
import { ContractProposerInput, ContractProposerOutput } from "../../domain/agent/contract-roles.ts";
import { amendmentProblems } from "../../domain/debate/amendment-records.ts";
import { defineRole } from "./define-role.ts";

export const contractProposer = defineRole({
  name: "proposer",
  prompt: "proposer_contract",
  purpose: "writes the contract of a module, exact enough to be tested, before there is any code",
  input: ContractProposerInput,
  output: ContractProposerOutput,
  tools: ["search_code_index", "raise_interface_change_exception"],
  tier: "standard",
  check: ({ amendments }, { applied_amendments }) => amendmentProblems(amendments, applied_amendments),
});
