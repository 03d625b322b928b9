// Mends an implementation whose tests fail; the tests were verified and are not its business.
import { FixInput, FixOutput } from "../../domain/agent/blind-roles.ts";
import { defineRole } from "./define-role.ts";

export const fix = defineRole({
  name: "fix",
  purpose: "mends the implementation until the verified tests pass, and never the tests",
  input: FixInput,
  output: FixOutput,
  tools: ["read", "write", "edit", "ls", "glob", "grep", "build", "run_tests"],
  tier: "standard",
});
