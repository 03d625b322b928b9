// Plans one node of a tree: makes it itself, or divides it among children whose interfaces it fixes.
import { ScaffoldInput, ScaffoldOutput } from "../../domain/agent/fractal-roles.ts";
import { defineRole } from "./define-role.ts";

export const scaffold = defineRole({
  name: "scaffold",
  purpose: "plans one node of a tree: its contract, its tests, and children where it is too big",
  input: ScaffoldInput,
  output: ScaffoldOutput,
  tools: ["read", "write", "edit", "ls", "glob", "grep", "build"],
  tier: "strong",
});
