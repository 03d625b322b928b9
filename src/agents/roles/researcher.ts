// Finds out what a module must do before anybody designs it: examples of the ordinary, the edge and the error.
import { ResearcherInput } from "../../domain/agent/gatekeeper-roles.ts";
import { ModuleResearch } from "../../domain/gatekeeper/module-research.ts";
import { defineRole } from "./define-role.ts";

export const researcher = defineRole({
  name: "researcher",
  purpose: "finds out what a module must do: ordinary, edge and error examples, inputs and outputs",
  input: ResearcherInput,
  output: ModuleResearch,
  tools: [],
  tier: "strong",
});
