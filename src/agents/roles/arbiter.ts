// Ends a debate with a decision, from both sides' records and the task; sees no source and no rubric.
import { ArbiterInput, ArbiterOutput } from "../../domain/agent/debate-roles.ts";
import { defineRole } from "./define-role.ts";

export const arbiter = defineRole({
  name: "arbiter",
  purpose: "decides between proposal and challenge: approve, approve with amendments, or reject",
  input: ArbiterInput,
  output: ArbiterOutput,
  tools: [],
  tier: "strong",
  check({ decisions_open }, { decision }) {
    if (decisions_open.includes(decision)) return [];
    return [{ path: "$.decision", expected: `one of ${decisions_open.join(", ")}`, found: decision }];
  },
});
