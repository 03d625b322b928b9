// Short words for tasks and operations, so that tests of the state machine read as sentences.
import type { TaskDeclaration, TaskOperation } from "../../src/domain/task/project-state.ts";
import { StateMachine } from "../../src/domain/task/state-machine.ts";

export const AT = "2026-01-02T03:04:05Z";

export function id(n: number): string {
  return `T-p-e-s-${String(n + 1).padStart(3, "0")}`;
}

export function declare(n: number, dependsOn: number[]): TaskDeclaration {
  return { task_id: id(n), pillar: "p", epic: "e", story: "s", task: `t${n}`, depends_on: dependsOn.map(id) };
}

export function machineOf(...dependencies: number[][]): StateMachine {
  const tasks = dependencies.map((list, n) => declare(n, list));
  return StateMachine.create("demo", "1.0.0", tasks, AT);
}

export function statuses(machine: StateMachine): string[] {
  return Object.values(machine.toState().tasks).map((entry) => entry.status);
}

export const halt = (n: number): TaskOperation => ({
  kind: "halt",
  at: AT,
  task: id(n),
  reason: "two tests fail",
  escalationRef: "ESC-0000000a",
});
export const ship = (n: number): TaskOperation => ({
  kind: "ship",
  at: AT,
  task: id(n),
  moduleRefs: ["MM-a@1.0.0"],
});
export const plain = (kind: "start" | "lose" | "resume" | "abandon", n: number): TaskOperation => ({
  kind,
  at: AT,
  task: id(n),
});
export const amend = (n: number, dependsOn?: number[]): TaskOperation => ({
  kind: "amend",
  at: AT,
  task: id(n),
  ...(dependsOn === undefined ? {} : { dependsOn: dependsOn.map(id) }),
});
export const attest = (n: number): TaskOperation => ({ kind: "attest", at: AT, task: id(n), moduleRefs: [] });
export const split = (n: number, into: TaskDeclaration[]): TaskOperation => ({
  kind: "split",
  at: AT,
  task: id(n),
  into,
});
export const join = (n: number, tasks: TaskDeclaration[]): TaskOperation => ({
  kind: "join",
  at: AT,
  task: id(n),
  tasks,
});
