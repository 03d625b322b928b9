// What planning comes to: a plan that is locked for good, or the reasons why there is none.
import { z } from "zod";
import { PlanCritique } from "../../domain/agent/plan-roles.ts";
import { idOfType } from "../../domain/artifact/artifact-type.ts";
import { MicroPlan } from "../../domain/plan/micro-plan.ts";
import { FIRST_VERSION } from "../../domain/plan/plan-checks.ts";
import type { PlannedModule } from "../../domain/plan/micro-plan.ts";
import { moduleIdOf, type ModuleRef, PayloadRef } from "../../domain/refs.ts";
import { Stop } from "../../protocols/outcome.ts";

export const PlanOutcome = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("locked"),
    plan: MicroPlan,
    artifact: idOfType("MICRO_PLAN"),
    planRef: PayloadRef,
  }),
  /** Nothing that asking again would change. */
  z.strictObject({
    kind: z.literal("refused"),
    violations: z.array(PlanCritique).min(1),
    planRef: PayloadRef,
  }),
  z.strictObject({ kind: z.literal("stopped"), stop: Stop }),
]);
export type PlanOutcome = z.infer<typeof PlanOutcome>;

/** What a module of a locked plan is when it is done: made anew, or taken as it is. */
export function outcomeRef(module: PlannedModule): ModuleRef {
  return reusedBy(module) ?? `${module.module_id}@${module.module_version ?? FIRST_VERSION}`;
}

/** The one under its own id where the plan names one, else the first. */
export function reusedBy({
  reuse_decision,
  reuse_candidate_refs,
  module_id,
}: Pick<PlannedModule, "reuse_decision" | "reuse_candidate_refs" | "module_id">): ModuleRef | undefined {
  if (reuse_decision !== "REUSE") return undefined;
  return reuse_candidate_refs.find((ref) => moduleIdOf(ref) === module_id) ?? reuse_candidate_refs[0];
}
