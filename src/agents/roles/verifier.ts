// Reads a module and the harness's evidence, and says whether it keeps its contract.
import { VerifierInput, VerifierOutput } from "../../domain/agent/solo-roles.ts";
import { defineRole } from "./define-role.ts";

export const verifier = defineRole({
  name: "verifier",
  purpose: "reads the module and the evidence, and says whether it keeps its contract: PASS or FAIL",
  input: VerifierInput,
  output: VerifierOutput,
  tools: [],
  tier: "standard",
});
