// Checks on new dependencies, made before anything changes: they exist, make no cycle and lead to live tasks.
import { findCycles } from "../cycles.ts";
import { CupelError } from "../error.ts";
import type { TaskDeclaration } from "./project-state.ts";
import { cycleError } from "./task-graph.ts";
import type { TaskGraph } from "./task-graph.ts";

/** What the checks need to know of a task besides its edges. */
export interface TaskLookup {
  /** A SHIPPED task has only SHIPPED dependencies, so no cycle through an unshipped task can pass it. */
  isShipped(task: number): boolean;
  supersededBy(task: number): readonly string[];
}

/** The indexes of `ids` without repeats; refuses unknown tasks and tasks that were split into others. */
export function resolveDependencies(graph: TaskGraph, lookup: TaskLookup, ids: readonly string[]): number[] {
  return [...new Set(ids)].map((id) => {
    const index = graph.indexOf(id);
    const replacements = lookup.supersededBy(index);
    if (replacements.length === 0) return index;
    throw new CupelError("usage", `${id} was split and no longer stands for anything`, {
      expected: "dependencies on tasks that can still ship",
      hint: `depend on ${replacements.join(", ")} instead`,
    });
  });
}

/** Refuses dependencies of `task` that lead back to it. */
export function assertNoWayBack(
  graph: TaskGraph,
  lookup: TaskLookup,
  task: number,
  dependencies: number[],
): void {
  const fresh = dependencies.filter((dependency) => !graph.dependencies(task).includes(dependency));
  const path = graph.pathTo(task, fresh, (index) => lookup.isShipped(index));
  // The path ends in the task itself, where the cycle closes.
  if (path !== undefined) throw cycleError([task, ...path.slice(0, -1)].map((index) => graph.idOf(index)));
}

/** Refuses a split whose parts collide, wait for each other in a circle, or wait for somebody who waits for them. */
export function assertSplittable(
  graph: TaskGraph,
  lookup: TaskLookup,
  task: number,
  parts: readonly TaskDeclaration[],
): void {
  assertNoWayBack(graph, lookup, task, assertNewTasks(graph, lookup, parts));
}

/** Refuses new tasks that collide or wait for each other in a circle; gives what they wait for besides each other. */
export function assertNewTasks(
  graph: TaskGraph,
  lookup: TaskLookup,
  tasks: readonly TaskDeclaration[],
): number[] {
  const waitsFor = new Map<string, string[]>();
  for (const task of tasks) {
    if (graph.has(task.task_id) || waitsFor.has(task.task_id)) {
      throw new CupelError("id_collision", `the task id ${task.task_id} is already taken`);
    }
    waitsFor.set(task.task_id, []);
  }
  const outside: string[] = [];
  for (const task of tasks) {
    const siblings = task.depends_on.filter((id) => waitsFor.has(id));
    waitsFor.set(task.task_id, siblings);
    outside.push(...task.depends_on.filter((id) => !waitsFor.has(id)));
  }
  const [cycle] = findCycles(waitsFor);
  if (cycle !== undefined) throw cycleError(cycle);
  return resolveDependencies(graph, lookup, outside);
}
