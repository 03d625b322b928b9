// Builds one module with its tests, alone; repairs what the harness or the verifier found.
import { BuilderInput, BuilderOutput } from "../../domain/agent/solo-roles.ts";
import { defineRole } from "./define-role.ts";

export const builder = defineRole({
  name: "builder",
  purpose: "builds a module and its tests by itself, and repairs what was found wrong",
  input: BuilderInput,
  output: BuilderOutput,
  tools: ["read", "write", "edit", "ls", "glob", "grep", "build", "run_tests"],
  tier: "standard",
});
