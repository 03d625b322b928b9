// The acceptance criteria that end-to-end tests show: how each is called, and which ones the title of a test names.
import { z } from "zod";
import { form, TaskId, Text } from "../refs.ts";
import type { TaskFile } from "../task/task-file.ts";

/** The task and the place of the criterion in its list, from 1. */
export const CriterionId = form(
  /^T-[a-z0-9]+(-[a-z0-9]+)*-\d{3}\.[1-9]\d*$/,
  "a criterion such as T-core-auth-login-001.2",
);
export type CriterionId = z.infer<typeof CriterionId>;

export const TaskCriterion = z.strictObject({ id: CriterionId, task: TaskId, text: Text });
export type TaskCriterion = z.infer<typeof TaskCriterion>;

export function criteriaOf(
  tasks: readonly Pick<TaskFile, "task_id" | "acceptance_criteria">[],
): TaskCriterion[] {
  return tasks.flatMap(({ task_id, acceptance_criteria }) =>
    acceptance_criteria.map((text, index) => ({ id: `${task_id}.${index + 1}`, task: task_id, text })),
  );
}

export function taskOfCriterion(id: CriterionId): string {
  return id.slice(0, id.lastIndexOf("."));
}

/** From brackets in the title or in the titles of groups around it: `… [T-core-auth-login-001.1, T-core-auth-login-001.2]`. */
export function claimedCriteria(title: string): CriterionId[] {
  const inBrackets = [...title.matchAll(/\[([^\][]*)\]/g)].flatMap(([, inside = ""]) =>
    inside.split(/[\s,;]+/),
  );
  return [...new Set(inBrackets.filter((word) => CriterionId.safeParse(word).success))];
}
