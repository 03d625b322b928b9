// Criteria 7 to 9 of a specification: task ids are unique, and dependencies lead somewhere and never in a circle.
import { findCycles, renderCycle } from "../cycles.ts";
import { type TaskNode, quoted } from "./spec-walk.ts";
import { type Deficiency, deficiency } from "./validation-report.ts";

export function referenceErrors(tasks: readonly TaskNode[]): Deficiency[] {
  // A repeated id means its first owner; whatever else goes wrong then is for criterion 7 to clear up first.
  const byId = new Map<string, TaskNode>();
  for (const task of tasks.toReversed()) byId.set(task.value.task_id, task);
  return [...repeatedIds(tasks, byId), ...danglingDependencies(tasks, byId), ...cycles(tasks, byId)];
}

type TasksById = ReadonlyMap<string, TaskNode>;

function repeatedIds(tasks: readonly TaskNode[], byId: TasksById): Deficiency[] {
  const free = nextFreeId(byId.keys());
  return tasks.flatMap((task) => {
    const id = task.value.task_id;
    const owner = byId.get(id);
    // An empty id is a missing field, not a repeated one.
    if (id.trim() === "" || owner === undefined || owner === task) return [];
    const message = `${task.label} has the id of ${owner.label}; give it an id of its own, such as ${free}`;
    return [deficiency(7, [...task.path, "task_id"], message)];
  });
}

function danglingDependencies(tasks: readonly TaskNode[], byId: TasksById): Deficiency[] {
  const byName = new Map(tasks.map((task) => [folded(task.value.name), task.value.task_id]));
  const byFoldedId = new Map([...byId.keys()].map((id) => [folded(id), id]));
  return tasks.flatMap((task) =>
    dependenciesOf(task).flatMap((reference, index) => {
      if (byId.has(reference) && reference.trim() !== "") return [];
      const meant = byFoldedId.get(folded(reference)) ?? byName.get(folded(reference));
      const advice = meant ? `write ${meant}` : "name the id of a task of this spec, or remove it";
      const message = `${task.label} depends on ${quoted(reference)}, which no task has as its id; ${advice}`;
      return [deficiency(8, [...task.path, "depends_on", index], message)];
    }),
  );
}

function cycles(tasks: readonly TaskNode[], byId: TasksById): Deficiency[] {
  const graph = new Map<string, string[]>();
  for (const task of tasks) {
    const id = task.value.task_id;
    if (id.trim() !== "") graph.set(id, [...(graph.get(id) ?? []), ...dependenciesOf(task)]);
  }
  return findCycles(graph).map((cycle) => {
    const [first = "", second = first] = cycle;
    const task = tasks.find(({ value }) => value.task_id === first && value.depends_on?.includes(second));
    const names = [...cycle, first].map((id) => quoted(byId.get(id)?.value.name ?? id));
    return deficiency(
      9,
      [...(task?.path ?? []), "depends_on", dependenciesOf(task).indexOf(second)],
      `tasks wait for each other for ever: ${renderCycle(cycle)} (${names.join(" needs ")}); ` +
        "remove one of these dependencies",
    );
  });
}

function dependenciesOf(task: TaskNode | undefined): readonly string[] {
  return task?.value.depends_on ?? [];
}

function nextFreeId(ids: Iterable<string>): string {
  let highest = 0;
  for (const id of ids) highest = Math.max(highest, Number(/^TSK-(\d{1,9})$/.exec(id)?.[1] ?? 0));
  return `TSK-${String(highest + 1).padStart(3, "0")}`;
}

function folded(text: string): string {
  return text.trim().toLowerCase();
}
