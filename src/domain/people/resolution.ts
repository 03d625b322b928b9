// The ways in which a person can resolve a halt: what each must bring, where it applies and where work goes on.
import { z } from "zod";
import type { AllowedOrRefused } from "../artifact/artifact-envelope.ts";
import { staysInside } from "../artifact/context-pack.ts";
import { refuse } from "../parse.ts";
import { PlannedModule } from "../plan/micro-plan.ts";
import { findCycles, renderCycle } from "../cycles.ts";
import { SpecTask } from "../product/product-spec.ts";
import { ModuleRef, TaskId, Text } from "../refs.ts";
import type { TaskStatus } from "../task/task-status.ts";

type Context = z.core.$RefinementCtx;

/** A task as in a specification; it may wait for existing tasks by id and for its new siblings by name. */
export const NewTask = SpecTask.omit({ task_id: true, depends_on: true }).extend({
  depends_on: z.array(Text),
});
export type NewTask = z.infer<typeof NewTask>;

export const HumanResolution = z.discriminatedUnion("action", [
  /** Takes the arbiter's place; the ship gates still decide. */
  z.strictObject({ action: z.literal("APPROVE_OVERRIDE"), rationale: Text }),
  z.strictObject({
    action: z.literal("AMEND_SPEC"),
    amended_acceptance_criteria: z.array(Text).min(2),
    amendment_rationale: Text,
    /** Left out: the task goes on waiting for what it waited for. */
    depends_on: z.array(TaskId).optional(),
  }),
  z.strictObject({
    action: z.literal("SPLIT_TASK"),
    new_tasks: z.array(NewTask).min(1).superRefine(checkSiblings),
  }),
  z.strictObject({ action: z.literal("REVISE_PLAN"), revised_micro_plan: z.array(PlannedModule).min(1) }),
  z.strictObject({
    action: z.literal("PROVIDE_FIX"),
    fix_description: Text,
    /** Path to content. */
    fix_artifacts: z.record(z.string(), z.string()).superRefine(checkPaths),
  }),
  z.strictObject({ action: z.literal("ABANDON_TASK"), rationale: Text }),
  /** The person says that it is done and answers for it. */
  z.strictObject({
    action: z.literal("ATTEST_SHIPPED"),
    rationale: Text,
    module_refs: z.array(ModuleRef).optional(),
  }),
]);
export type HumanResolution = z.infer<typeof HumanResolution>;

export const ResolutionAction = z.enum([
  "APPROVE_OVERRIDE",
  "AMEND_SPEC",
  "SPLIT_TASK",
  "REVISE_PLAN",
  "PROVIDE_FIX",
  "ABANDON_TASK",
  "ATTEST_SHIPPED",
]);
export type ResolutionAction = HumanResolution["action"];

/** Behind an abandoned task nothing will ever clear by itself, so people may act on what waits there. */
const ALSO_BEHIND_ABANDONED: ReadonlySet<ResolutionAction> = new Set([
  "SPLIT_TASK",
  "AMEND_SPEC",
  "ABANDON_TASK",
]);

export function resolutionApplies(
  action: ResolutionAction,
  status: TaskStatus,
  behindAbandoned: boolean,
): AllowedOrRefused {
  if (status === "HALTED") return { kind: "allowed" };
  if (status !== "BLOCKED") {
    return { kind: "refused", reason: `${action} resolves a HALTED task; this one is ${status}` };
  }
  if (!behindAbandoned) {
    return { kind: "refused", reason: "this task is BLOCKED by a halted one; resolve that one" };
  }
  if (ALSO_BEHIND_ABANDONED.has(action)) return { kind: "allowed" };
  const possible = [...ALSO_BEHIND_ABANDONED].join(", ");
  return { kind: "refused", reason: `behind an abandoned task only ${possible} apply, not ${action}` };
}

export interface ResolutionEffect {
  readonly to: TaskStatus;
  /** Where work goes on: in the queue, or at a node of the graph that stopped. */
  readonly entry: "dispatch" | "ship" | "challenge" | "micro_plan" | "none";
}

export function resolutionEffect(action: ResolutionAction): ResolutionEffect {
  return EFFECTS[action];
}

const EFFECTS: Readonly<Record<ResolutionAction, ResolutionEffect>> = {
  APPROVE_OVERRIDE: { to: "IN_PROGRESS", entry: "ship" },
  AMEND_SPEC: { to: "PENDING", entry: "dispatch" },
  /** The replacements are what is dispatched. */
  SPLIT_TASK: { to: "ABANDONED", entry: "dispatch" },
  REVISE_PLAN: { to: "IN_PROGRESS", entry: "micro_plan" },
  PROVIDE_FIX: { to: "IN_PROGRESS", entry: "challenge" },
  ABANDON_TASK: { to: "ABANDONED", entry: "none" },
  ATTEST_SHIPPED: { to: "SHIPPED", entry: "none" },
};

function checkSiblings(tasks: NewTask[], context: Context): void {
  const positions = new Map<string, number>();
  tasks.forEach(({ name }, index) => {
    const first = positions.get(name);
    if (first === undefined) positions.set(name, index);
    else refuse(context, [index, "name"], `a name that new_tasks[${first}] does not have`, `"${name}" again`);
  });
  tasks.forEach(({ depends_on }, index) => {
    depends_on.forEach((dependency, position) => {
      if (positions.has(dependency) || TaskId.safeParse(dependency).success) return;
      const expected = "the id of an existing task or the name of another new one";
      refuse(context, [index, "depends_on", position], expected, `"${dependency}"`);
    });
  });
  for (const cycle of findCycles(new Map(tasks.map(({ name, depends_on }) => [name, depends_on])))) {
    refuse(context, [], "tasks that do not wait for each other", renderCycle(cycle));
  }
}

function checkPaths(files: Record<string, string>, context: Context): void {
  const paths = Object.keys(files);
  if (paths.length === 0) refuse(context, [], "at least one file", "none");
  for (const path of paths) {
    if (!staysInside(path)) {
      refuse(context, [path], 'a relative path with "/" and without "." or ".."', JSON.stringify(path));
    } else if (path.split("/").some((segment) => /^\.(git|cupel)$/i.test(segment))) {
      refuse(
        context,
        [path],
        "a path outside .git and .cupel, which are the factory's",
        JSON.stringify(path),
      );
    }
  }
}
