// One task as the store keeps it: its state, its file, and with which order it is given to engineering.
import { z } from "zod";
import { idOfType } from "../artifact/artifact-type.ts";
import { TaskRequest } from "../people/interface-change.ts";
import { PlannedModule } from "../plan/micro-plan.ts";
import { ModuleId, TaskId, Text } from "../refs.ts";
import { TaskEntry } from "./project-state.ts";
import { TaskFile } from "./task-file.ts";
import { TaskPolicy } from "./task-policy.ts";

/** What a person decided about a halt, as far as engineering goes on with it. */
export const TaskResolution = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("plan"), modules: z.array(PlannedModule).min(1) }),
  z.strictObject({
    kind: z.literal("fix"),
    module: ModuleId,
    files: z.record(z.string(), z.string()),
    description: Text,
  }),
  z.strictObject({
    kind: z.literal("override"),
    module: ModuleId,
    escalation: idOfType("ESCALATION"),
    rationale: Text,
  }),
]);
export type TaskResolution = z.infer<typeof TaskResolution>;

export const TaskRecord = z.strictObject({
  taskId: TaskId,
  entry: TaskEntry,
  /** Where its file lies in the product. */
  path: z
    .string()
    .regex(/^project(\/[a-z0-9-]+){4}\/T-[a-z0-9-]+\.md$/, { error: "the path of a task file" }),
  /** As it was last rendered: with the contracts of what it builds on from its dispatch on. */
  file: TaskFile,
  /** Counted from 1; another one begins from scratch. */
  attempt: z.int().positive(),
  /** Null where nobody has decided anything about this attempt. */
  resolution: TaskResolution.nullable(),
  /** Of the task of an approved interface change. */
  change: TaskRequest.nullable(),
  /** Of this attempt, from its dispatch on; null before. */
  policy: TaskPolicy.nullable(),
});
export type TaskRecord = z.infer<typeof TaskRecord>;
