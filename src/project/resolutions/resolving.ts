// What is needed to know what a person's answer does: the task, why it halted, and the project around it.
import type { EscalationArtifact } from "../../domain/people/escalation.ts";
import type { StateMachine } from "../../domain/task/state-machine.ts";
import type { TaskRecord } from "../../domain/task/task-record.ts";

export interface Resolving {
  machine: StateMachine;
  task: TaskRecord;
  /** Undefined for a task that never halted and is blocked behind an abandoned one. */
  escalation: EscalationArtifact | undefined;
  /** Of every task of the project. */
  paths: ReadonlySet<string>;
  /** New ones in the story of the task. */
  nextIds: (count: number) => string[];
  at: string;
}
