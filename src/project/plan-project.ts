// The whole project from an approved specification: names, ids, files and states, all checked before anything is written.
import { CupelError } from "../domain/error.ts";
import { parseOrThrow } from "../domain/parse.ts";
import { ProductSpec } from "../domain/product/product-spec.ts";
import { validateSpec } from "../domain/product/spec-criteria.ts";
import { type PlacedTask, placedTasks } from "../domain/product/spec-walk.ts";
import { StateMachine } from "../domain/task/state-machine.ts";
import { taskFileOf } from "../domain/task/task-file-from-spec.ts";
import { type PlannedTask, planTaskIds } from "../domain/task/task-id.ts";
import type { TaskRecord } from "../domain/task/task-record.ts";

export interface PlannedProject {
  projectId: string;
  specVersion: string;
  /** In declaration order. */
  tasks: TaskRecord[];
}

/**
 * Every name becomes a slug and every task gets its id, then no two tasks share one, then every field of every file can
 * be filled; the first thing that is wrong is thrown and names its task. To be asked before a person approves: whoever
 * approves a specification must not be told afterwards that its names are too long.
 */
export function planProject(spec: ProductSpec, at: string): PlannedProject {
  const planned = planTaskIds(spec);
  const placed = placedTasks(spec);
  const tasks = planned.map((task, index) => withFile(task, placed[index]));
  const declarations = tasks.map(({ planned: { taskId, dependsOn }, place }) => ({
    task_id: taskId,
    pillar: place.pillar.name,
    epic: place.epic.name,
    story: place.story.name,
    task: place.task.name,
    depends_on: dependsOn,
  }));
  const { tasks: entries } = StateMachine.create(spec.spec_id, spec.spec_version, declarations, at).toState();
  return {
    projectId: spec.spec_id,
    specVersion: spec.spec_version,
    tasks: tasks.map(({ planned: { taskId, path }, file }) => {
      const entry = entries[taskId];
      if (entry === undefined) throw new Error(`${taskId} was planned and has no state`);
      return { taskId, entry, path, file, attempt: 1, resolution: null, change: null, policy: null };
    }),
  };
}

const MOST_TOLD = 20;

/** A specification whose completeness criteria hold; what is wrong is told with its place, and cycles by name. */
export function completeSpec(given: unknown): ProductSpec {
  const { errors } = validateSpec(given);
  if (errors.length === 0) return parseOrThrow(ProductSpec, given, "the specification");
  const lines = errors.slice(0, MOST_TOLD).map(({ path, message }) => `  ${path}: ${message}`);
  if (errors.length > MOST_TOLD) lines.push(`  and ${errors.length - MOST_TOLD} more`);
  throw new CupelError("invalid_input", `the specification is not complete:\n${lines.join("\n")}`, {
    expected: "a ProductSpec without errors",
    hint: "cupel schema ProductSpec (shows its form)",
  });
}

function withFile(planned: PlannedTask, place: PlacedTask | undefined) {
  if (place === undefined || place.task.task_id !== planned.specTaskId)
    throw new Error(`${planned.taskId} was planned for another task of the specification`);
  return { planned, place, file: taskFileOf(place.task, planned.taskId, place, []) };
}
