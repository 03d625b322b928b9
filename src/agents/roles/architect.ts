// Designs one module from its research: the contract, and the examples of the research as code.
import { ArchitectInput } from "../../domain/agent/gatekeeper-roles.ts";
import { ModuleSpec } from "../../domain/gatekeeper/module-spec.ts";
import { defineRole } from "./define-role.ts";

export const architect = defineRole({
  name: "architect",
  purpose: "designs the contract from the research, and writes its examples as code that is run",
  input: ArchitectInput,
  output: ModuleSpec,
  tools: [],
  tier: "strong",
});
