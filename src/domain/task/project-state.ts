// The state of a project as people and other tools read it: one entry per task.
import { z } from "zod";
import { idOfType } from "../artifact/artifact-type.ts";
import { IsoTime, ModuleRef, TaskId, Text } from "../refs.ts";
import { TaskStatus } from "./task-status.ts";

const EscalationId = idOfType("ESCALATION");

/** What is known of a task before any work on it. */
export const TaskDeclaration = z.strictObject({
  task_id: TaskId,
  pillar: Text,
  epic: Text,
  story: Text,
  task: Text,
  depends_on: z.array(TaskId),
});
export type TaskDeclaration = z.infer<typeof TaskDeclaration>;

export const TaskEntry = TaskDeclaration.omit({ task_id: true }).extend({
  status: TaskStatus,
  module_refs: z.array(ModuleRef),
  shipped_at: IsoTime.nullable(),
  halted_reason: Text.nullable(),
  escalation_ref: EscalationId.nullable(),
  superseded_by: z.array(TaskId),
  declaration_order: z.int().nonnegative(),
});
export type TaskEntry = z.infer<typeof TaskEntry>;

export const ProjectState = z.strictObject({
  project_id: Text,
  spec_version: Text,
  updated_at: IsoTime,
  tasks: z.record(TaskId, TaskEntry),
});
export type ProjectState = z.infer<typeof ProjectState>;

const at = IsoTime;
const task = TaskId;

/** Everything that can happen to a task. What follows from it (BLOCKED, ready again) is derived, never asked for. */
export const TaskOperation = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("start"), at, task }),
  z.strictObject({ kind: z.literal("ship"), at, task, moduleRefs: z.array(ModuleRef).min(1) }),
  z.strictObject({ kind: z.literal("halt"), at, task, reason: Text, escalationRef: EscalationId }),
  /** The run of a task in progress is lost beyond resuming. */
  z.strictObject({ kind: z.literal("lose"), at, task }),
  /** A person amended the task; it waits for dispatch again, with other dependencies where they say so. */
  z.strictObject({ kind: z.literal("amend"), at, task, dependsOn: z.array(TaskId).optional() }),
  /** A person's override, revised plan or fix sends the halted task back to work. */
  z.strictObject({ kind: z.literal("resume"), at, task }),
  /** A person attests that the halted task is done. */
  z.strictObject({ kind: z.literal("attest"), at, task, moduleRefs: z.array(ModuleRef) }),
  z.strictObject({ kind: z.literal("abandon"), at, task }),
  /** The task gives way to others; whoever waited for it now waits for all of them. */
  z.strictObject({ kind: z.literal("split"), at, task, into: z.array(TaskDeclaration).min(1) }),
  /** Others join the project because of this task, which stays as it is: the next version of something that it needs. */
  z.strictObject({ kind: z.literal("join"), at, task, tasks: z.array(TaskDeclaration).min(1) }),
]);
export type TaskOperation = z.infer<typeof TaskOperation>;

/** One status change; `from` is null for a task that did not exist before. */
export const StatusChange = z.strictObject({ task: TaskId, from: TaskStatus.nullable(), to: TaskStatus });
export type StatusChange = z.infer<typeof StatusChange>;
