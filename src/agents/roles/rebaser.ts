// Follows what a sibling changed, mechanically, or says why that is not enough.
import { RebaserInput, RebaserOutput } from "../../domain/agent/fractal-roles.ts";
import { defineRole } from "./define-role.ts";

export const rebaser = defineRole({
  name: "rebaser",
  purpose: "follows a change of a sibling by imports, names and types alone",
  input: RebaserInput,
  output: RebaserOutput,
  tools: ["read", "write", "edit", "ls", "glob", "grep", "build", "run_tests"],
  tier: "small",
});
