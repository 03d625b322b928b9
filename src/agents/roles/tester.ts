// Tries to break code that it can read but not change, with tests in every layer; the harness says what they come to.
import { TesterInput, TesterOutput } from "../../domain/agent/gatekeeper-roles.ts";
import { defineRole } from "./define-role.ts";

export const tester = defineRole({
  name: "tester",
  purpose: "tries to break the code with tests in every layer; what they come to is not its word",
  input: TesterInput,
  output: TesterOutput,
  tools: ["read", "write", "edit", "ls", "glob", "grep", "build", "run_tests"],
  tier: "standard",
});
