// Builds one module with its tests and claims what it can show; revises after a challenge; applies amendments.
import { ProposerInput, ProposerOutput } from "../../domain/agent/debate-roles.ts";
import { amendmentProblems } from "../../domain/debate/amendment-records.ts";
import { defineRole } from "./define-role.ts";

export const proposer = defineRole({
  name: "proposer",
  purpose: "builds the module and its tests, and claims that they keep the contract",
  input: ProposerInput,
  output: ProposerOutput,
  tools: [
    "read",
    "write",
    "edit",
    "ls",
    "glob",
    "grep",
    "build",
    "run_tests",
    "search_code_index",
    "raise_interface_change_exception",
  ],
  tier: "standard",
  check: ({ amendments }, { applied_amendments }) => amendmentProblems(amendments, applied_amendments),
});
