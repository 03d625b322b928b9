// Builds one module with its tests and claims what it can show; revises after a challenge; applies amendments.
import { ProposerInput, ProposerOutput } from "../../domain/agent/debate-roles.ts";
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
  check({ amendments }, { applied_amendments }) {
    const answered = applied_amendments
      .map(({ amendment_index }) => amendment_index)
      .toSorted((a, b) => a - b);
    if (answered.length === amendments.length && answered.every((index, place) => index === place)) return [];
    const expected =
      amendments.length === 0
        ? "no records, as there were no amendments"
        : `one record each for 0 to ${amendments.length - 1}`;
    return [
      { path: "$.applied_amendments", expected, found: `records for ${answered.join(", ") || "none"}` },
    ];
  },
});
