// An order to engineer one task that is the whole project, as the battery and tests give it.
import { resolveRigor } from "../domain/evidence/rigor.ts";
import { slugify } from "../domain/task/slug.ts";
import type { ProjectState } from "../domain/task/project-state.ts";
import type { TaskFile } from "../domain/task/task-file.ts";
import type { TaskOrder } from "../engineering/port.ts";

export function orderFor(task: TaskFile, change: Partial<TaskOrder> = {}): TaskOrder {
  const { pillar, epic, story } = task.context;
  const place = [pillar, epic, story].map(({ name }) => slugify(name)).join("/");
  return {
    task,
    path: `project/${place}/${task.task_id}/${task.task_id}.md`,
    attempt: 1,
    rigor: resolveRigor("standard"),
    protocol: "debate",
    snapshot: () => stateWith(task),
    ...change,
  };
}

function stateWith({ task_id, task_name, context }: TaskFile): ProjectState {
  const { pillar, epic, story } = context;
  return {
    project_id: "p",
    spec_version: "1.0.0",
    updated_at: "2026-01-01T00:00:00.000Z",
    tasks: {
      [task_id]: {
        pillar: pillar.name,
        epic: epic.name,
        story: story.name,
        task: task_name,
        depends_on: [],
        status: "IN_PROGRESS",
        module_refs: [],
        shipped_at: null,
        halted_reason: null,
        escalation_ref: null,
        superseded_by: [],
        declaration_order: 0,
      },
    },
  };
}
