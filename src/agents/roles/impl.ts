// Implements one module from its specification, without ever seeing the tests.
import { ImplInput, ImplOutput } from "../../domain/agent/blind-roles.ts";
import { defineRole } from "./define-role.ts";

export const impl = defineRole({
  name: "impl",
  purpose: "implements the functions from the specification alone, without the tests",
  input: ImplInput,
  output: ImplOutput,
  tools: ["read", "write", "edit", "ls", "glob", "grep", "build"],
  tier: "standard",
});
