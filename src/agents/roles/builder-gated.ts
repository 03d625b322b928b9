// Builds one module behind a gatekeeper: from its specification and from what failed, never from the tests.
import { GatedBuilderInput } from "../../domain/agent/gatekeeper-roles.ts";
import { BuilderOutput } from "../../domain/agent/solo-roles.ts";
import { defineRole } from "./define-role.ts";

export const gatedBuilder = defineRole({
  name: "builder",
  prompt: "builder_gated",
  purpose: "builds the code from its specification, and mends what a tester could show to be wrong",
  input: GatedBuilderInput,
  output: BuilderOutput,
  tools: ["read", "write", "edit", "ls", "glob", "grep", "build"],
  tier: "standard",
});
