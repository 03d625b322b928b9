// The micro plan: one task cut into micro modules, each with a sketch of its contract and a decision about reuse.
import { z } from "zod";
import { refuse } from "../parse.ts";
import { isPlaceholder } from "../product/placeholder.ts";
import { form, ModuleId, ModuleRef, Semver, Text, VERSION } from "../refs.ts";

export const MicroPlanId = form(/^MP-\w+$/, "a plan id such as MP-0a1b2c3d");

/** A task id (at most 128 characters) and the version of its task file. */
export const TaskRef = form(
  `^(?=[^@]{1,128}@)T-[a-z0-9]+(-[a-z0-9]+)*-\\d{3}@${VERSION}$`,
  "a task and its version such as T-core-auth-login-001@1.0.0",
);

/**
 * The five dimensions as lists of short texts. A sketch: the contract round may refine it without breaking the
 * lock of the plan. Where a module has no errors or effects the list says "none", so that nothing is merely forgotten.
 */
export const IoContractSketchLists = z.strictObject({
  inputs: z.array(Text).min(1),
  outputs: z.array(Text).min(1),
  error_surfaces: z.array(Text).min(1),
  effects: z.array(Text).min(1),
  modes: z.array(z.enum(["sync", "async"])).min(1),
});
export type IoContractSketchLists = z.infer<typeof IoContractSketchLists>;

export const PlannedModule = z
  .strictObject({
    module_id: ModuleId,
    /** Which version is made; left out for a module that is new, which starts at 1.0.0. */
    module_version: Semver.optional(),
    name: Text,
    /** One behaviour in one sentence. */
    purpose: Text,
    io_contract: IoContractSketchLists,
    error_cases: z.array(Text),
    depends_on: z.array(ModuleRef),
    /** What the Code Index offered; may be empty only when nothing was found. */
    reuse_candidate_refs: z.array(ModuleRef),
    reuse_decision: z.enum(["REUSE", "CREATE_NEW"]),
    /** Free to be empty for REUSE: taking what exists needs no excuse. */
    reuse_justification: z.string(),
  })
  .superRefine((module, context) => {
    if (module.reuse_decision === "CREATE_NEW" && isPlaceholder(module.reuse_justification)) {
      refuse(
        context,
        ["reuse_justification"],
        "the reason why nothing in the Code Index will do, because reuse_decision is CREATE_NEW",
        JSON.stringify(module.reuse_justification),
      );
    }
    if (module.reuse_decision === "REUSE" && module.reuse_candidate_refs.length === 0) {
      refuse(
        context,
        ["reuse_candidate_refs"],
        "at least one module to reuse, because reuse_decision is REUSE",
        "an empty list",
      );
    }
  });
export type PlannedModule = z.infer<typeof PlannedModule>;

/** Its shape only; `checkPlan` says whether a plan may be locked. */
export const MicroPlan = z.strictObject({
  micro_plan_id: MicroPlanId,
  parent_task_ref: TaskRef,
  modules: z.array(PlannedModule).min(1),
});
export type MicroPlan = z.infer<typeof MicroPlan>;
