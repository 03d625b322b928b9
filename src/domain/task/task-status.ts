// The statuses of a task and the only ways from one to another.
import { z } from "zod";

export const TASK_STATUSES = ["PENDING", "IN_PROGRESS", "SHIPPED", "HALTED", "BLOCKED", "ABANDONED"] as const;

export const TaskStatus = z.enum(TASK_STATUSES);
export type TaskStatus = z.infer<typeof TaskStatus>;

/** SHIPPED and ABANDONED are final. BLOCKED is derived, and left only by its cause or by a person. */
export const LEGAL_TRANSITIONS: Readonly<Record<TaskStatus, readonly TaskStatus[]>> = {
  PENDING: ["IN_PROGRESS", "BLOCKED"],
  IN_PROGRESS: ["SHIPPED", "HALTED", "PENDING"],
  SHIPPED: [],
  HALTED: ["PENDING", "IN_PROGRESS", "SHIPPED", "ABANDONED"],
  BLOCKED: ["PENDING", "ABANDONED"],
  ABANDONED: [],
};

export function isLegalTransition(from: TaskStatus, to: TaskStatus): boolean {
  return LEGAL_TRANSITIONS[from].includes(to);
}

/** Whatever depends on such a task cannot go on. */
export function stopsDependents(status: TaskStatus): boolean {
  return status === "HALTED" || status === "ABANDONED";
}
