// Tries the finished product from outside: end-to-end tests from the acceptance criteria, through what modules export.
import { E2eArchitectInput, E2eArchitectOutput } from "../../domain/agent/e2e-roles.ts";
import { defineRole } from "./define-role.ts";

export const e2eArchitect = defineRole({
  name: "architect",
  prompt: "architect_e2e",
  purpose: "shows every acceptance criterion on the finished product, with tests that see it from outside",
  input: E2eArchitectInput,
  output: E2eArchitectOutput,
  tools: ["read", "write", "edit", "ls", "glob", "grep", "run_tests"],
  tier: "strong",
});
