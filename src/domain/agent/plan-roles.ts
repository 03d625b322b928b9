// What the micro planner is given and what it hands over; whether its plan holds is checked by the harness, not by a schema.
import { z } from "zod";
import { ModuleRef, Text } from "../refs.ts";
import { DependencyView } from "./debate-roles.ts";

/** One thing that is wrong with a plan, in the words of the check that found it. */
export const PlanCritique = z.strictObject({
  check: z.int().min(1),
  name: Text,
  path: Text,
  message: Text,
  found: z.string(),
});
export type PlanCritique = z.infer<typeof PlanCritique>;

/**
 * A plan as an agent writes it. Texts only: what they must be is said by the checks, together and with the reasons,
 * instead of by the first schema that stumbles.
 */
export const DraftedModule = z.strictObject({
  module_id: z.string().describe("MM- and letters, digits or underscores; unique in the plan."),
  module_version: z
    .string()
    .nullable()
    .describe("Only for a new version of a module that has shipped; null for a module that is new."),
  name: z.string().describe("What it is imported as; short, in Latin letters."),
  purpose: z.string().describe("One sentence: how its input becomes its output."),
  io_contract: z.strictObject({
    inputs: z.array(z.string()),
    outputs: z.array(z.string()),
    error_surfaces: z.array(z.string()).describe('"none" as the only entry where there are none.'),
    effects: z.array(z.string()).describe('"none" as the only entry where there are none.'),
    modes: z.array(z.string()).describe("sync, async or both."),
  }),
  error_cases: z.array(z.string()),
  depends_on: z.array(z.string()).describe("MM-name@1.0.0 each: modules of this plan or shipped ones."),
  reuse_candidate_refs: z.array(z.string()).describe("What the Code Index offered and you considered."),
  reuse_decision: z.enum(["REUSE", "CREATE_NEW"]),
  reuse_justification: z.string().describe("With CREATE_NEW: why none of the candidates will do."),
});
export type DraftedModule = z.infer<typeof DraftedModule>;

export const MicroPlannerInput = z.strictObject({
  task_file: Text,
  dependencies: z.array(DependencyView),
  /** What the harness found for this task, best first. */
  code_index_results: z.array(z.strictObject({ module: ModuleRef, summary: Text })),
  /** JSON Schemas of the records that follow from a plan, by name. */
  harness_schemas: z.record(z.string(), z.json()),
  /** Why the last plan could not be locked; empty the first time. */
  plan_violations: z.array(PlanCritique),
  /** The plan that they are about. */
  refused_plan: z.array(DraftedModule),
});
export type MicroPlannerInput = z.infer<typeof MicroPlannerInput>;

export const MicroPlannerOutput = z.strictObject({
  modules: z.array(DraftedModule).describe("In the order in which a reader should meet them."),
});
export type MicroPlannerOutput = z.infer<typeof MicroPlannerOutput>;
