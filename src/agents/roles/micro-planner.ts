// Cuts one task into micro modules, reuse before creation; sees contracts, no source.
import { MicroPlannerInput, MicroPlannerOutput } from "../../domain/agent/plan-roles.ts";
import { DECOMPOSITION_RUBRIC } from "../../domain/debate/rubric.ts";
import { defineRole } from "./define-role.ts";

export const microPlanner = defineRole({
  name: "micro_planner",
  purpose: "cuts one task into micro modules with sketched contracts, reusing what has shipped",
  input: MicroPlannerInput,
  output: MicroPlannerOutput,
  tools: ["search_code_index"],
  tier: "strong",
  facts: { decomposition_rubric: DECOMPOSITION_RUBRIC },
});
