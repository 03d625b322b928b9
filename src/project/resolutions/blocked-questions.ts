// Behind an abandoned task nothing clears by itself: whoever waits there is put before a person.
import type { StateMachine } from "../../domain/task/state-machine.ts";
import type { Question } from "../../store/port.ts";

export function behindAbandoned(machine: StateMachine, taskId: string): boolean {
  return (
    machine.status(taskId) === "BLOCKED" &&
    machine.stoppedBy(taskId).some((cause) => machine.status(cause) === "ABANDONED")
  );
}

/** One for each task that waits for `abandoned` itself; those further behind follow what becomes of it. */
export function blockedQuestions(
  machine: StateMachine,
  abandoned: string,
  askedAt: string,
): Omit<Question, "runId">[] {
  return machine
    .dependentsOf(abandoned)
    .filter((task) => behindAbandoned(machine, task))
    .map((task_id) => ({
      id: questionId(task_id, abandoned),
      kind: "escalation",
      title: `${task_id} waits for ${abandoned}, which was abandoned: amend, split or abandon it, too`,
      body: { task_id, blocked_by: abandoned },
      answerSchema: "HumanResolution",
      askedAt,
    }));
}

/** Those that could have been asked about a task. */
export function blockedQuestionIds(taskId: string, dependsOn: readonly string[]): string[] {
  return dependsOn.map((dependency) => questionId(taskId, dependency));
}

function questionId(taskId: string, abandoned: string): string {
  return `blocked:${taskId}:${abandoned}`;
}
