// Assembles the task file of a task from what the approved specification says; nothing may be missing.
import { CupelError } from "../error.ts";
import { parse, renderProblems } from "../parse.ts";
import type { ProductSpec, SpecTask } from "../product/product-spec.ts";
import { placedTasks } from "../product/spec-walk.ts";
import { type DependencyContract, TaskFile } from "./task-file.ts";
import type { PlannedTask } from "./task-id.ts";

/** Before anything has shipped there are no dependency contracts; the file is rendered again at dispatch. */
export function taskFileFrom(
  spec: ProductSpec,
  planned: PlannedTask,
  dependencyContracts: readonly DependencyContract[],
): TaskFile {
  const placed = placedTasks(spec).find(({ task }) => task.task_id === planned.specTaskId);
  if (placed === undefined) {
    throw new CupelError(
      "usage",
      `the specification has no task ${planned.specTaskId} for ${planned.taskId}`,
      {
        expected: "a task planned from this very specification",
      },
    );
  }
  return taskFileOf(placed.task, planned.taskId, placed, dependencyContracts);
}

interface Named {
  name: string;
  description: string;
}

/** For any task with a place in the project, also one that a split adds to a story later. */
export function taskFileOf(
  task: Omit<SpecTask, "task_id" | "depends_on">,
  taskId: string,
  context: { pillar: Named; epic: Named; story: Named },
  dependencyContracts: readonly DependencyContract[],
): TaskFile {
  const parsed = parse(TaskFile, {
    task_name: task.name,
    task_id: taskId,
    context: { pillar: placeOf(context.pillar), epic: placeOf(context.epic), story: placeOf(context.story) },
    description: task.description,
    subtasks: task.subtasks,
    acceptance_criteria: task.acceptance_criteria,
    micro_module_contract: task.io_contract_sketch,
    dependency_contracts: dependencyContracts,
    error_cases: errorCasesOf(task.io_contract_sketch.error_surfaces),
  });
  if (parsed.kind === "ok") return parsed.value;
  const message = `the file of task ${taskId} (${JSON.stringify(task.name)}) cannot be written:`;
  throw new CupelError("invalid_input", `${message}\n${renderProblems(parsed.problems)}`, {
    expected: "a specification that fills every field of a task file",
  });
}

function placeOf({ name, description }: Named): Named {
  return { name, description };
}

/** One case for each line, and for each part between semicolons, of the sketch's error surfaces; list markers go. */
export function errorCasesOf(surfaces: string): string[] {
  return surfaces
    .split(/\n|;(?=\s|$)/)
    .map((part) => part.replace(/^\s*(?:[-*+•]|\d{1,3}[.)])\s/, "").trim())
    .filter((part) => part !== "");
}
