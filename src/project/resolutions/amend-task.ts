// A task gets other acceptance criteria, and the ones from before stay in its file for whoever asks why.
import { CupelError } from "../../domain/error.ts";
import type { HumanResolution } from "../../domain/people/resolution.ts";
import type { StateMachine } from "../../domain/task/state-machine.ts";
import type { TaskRecord } from "../../domain/task/task-record.ts";
import type { ProjectEdit } from "../project.ts";
import type { Resolving } from "./resolving.ts";

type Amendment = Extract<HumanResolution, { action: "AMEND_SPEC" }>;

/** It is queued again and begins from scratch. */
export function amended({ machine, task, at }: Resolving, amendment: Amendment): ProjectEdit {
  const { amended_acceptance_criteria, amendment_rationale, depends_on } = amendment;
  if (machine.status(task.taskId) === "BLOCKED") assertFreed(machine, task.taskId, depends_on);
  const revised = {
    ...anew(machine, task),
    file: withAmendment(task.file, at, amendment_rationale, amended_acceptance_criteria),
  };
  return {
    why: `a person amended it: ${amendment_rationale}`,
    operations: [
      {
        kind: "amend",
        at,
        task: task.taskId,
        ...(depends_on === undefined ? {} : { dependsOn: depends_on }),
      },
    ],
    revised: [revised],
  };
}

/** Of one that was at work already, another attempt. */
export function anew(machine: StateMachine, task: TaskRecord): TaskRecord {
  const begun = machine.status(task.taskId) === "HALTED";
  if (!begun) return { ...task, resolution: null };
  return { ...task, attempt: task.attempt + 1, resolution: null, policy: null };
}

export function withAmendment(
  file: TaskRecord["file"],
  at: string,
  rationale: string,
  acceptance_criteria: string[],
): TaskRecord["file"] {
  const before = { at, rationale, previous_acceptance_criteria: file.acceptance_criteria };
  return {
    ...file,
    acceptance_criteria,
    amendment_history: [...(file.amendment_history ?? []), before],
  };
}

/** Other words alone free nobody who waits for something that will never ship. */
function assertFreed(machine: StateMachine, taskId: string, dependsOn: string[] | undefined): void {
  const wanted = dependsOn ?? machine.entry(taskId).depends_on;
  const stoppers = wanted.filter((id) => {
    const status = machine.status(id);
    return status === "ABANDONED" || machine.stoppedBy(id).length > 0;
  });
  if (stoppers.length === 0) return;
  throw new CupelError("usage", `${taskId} would go on waiting for ${stoppers.join(", ")}`, {
    expected: "depends_on without what was abandoned, and without what waits for that",
    hint: "add depends_on to the amendment",
  });
}
