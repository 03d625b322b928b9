// The state machine as simply as it can be said: it recomputes BLOCKED, eligibility and cycles by search each time.
import type { TaskOperation } from "../../src/domain/task/project-state.ts";
import type { TaskStatus } from "../../src/domain/task/task-status.ts";
import { id } from "./task-operations.ts";

interface NaiveTask {
  status: TaskStatus;
  dependencies: number[];
  superseded: boolean;
}

function pending(): NaiveTask {
  return { status: "PENDING", dependencies: [], superseded: false };
}

export class NaiveStateMachine {
  readonly tasks: NaiveTask[];

  constructor(dependencies: number[][]) {
    this.tasks = dependencies.map((list) => ({ ...pending(), dependencies: list }));
  }

  statuses(): TaskStatus[] {
    return this.tasks.map((task) => task.status);
  }

  dispatch(slots: number): string[] {
    if (this.statuses().includes("HALTED")) return [];
    const ready = this.tasks.flatMap((task, n) =>
      task.status === "PENDING" && task.dependencies.every((d) => this.statuses()[d] === "SHIPPED")
        ? [id(n)]
        : [],
    );
    return ready.slice(0, slots);
  }

  apply(operation: TaskOperation): boolean {
    const n = this.tasks.findIndex((_, index) => id(index) === operation.task);
    const task = this.tasks[n];
    if (task === undefined || !this.#allowed(n, task.status, operation)) return false;
    switch (operation.kind) {
      case "start":
      case "resume":
        task.status = "IN_PROGRESS";
        break;
      case "ship":
      case "attest":
        task.status = "SHIPPED";
        break;
      case "halt":
        task.status = "HALTED";
        break;
      case "abandon":
        task.status = "ABANDONED";
        break;
      case "lose":
        task.status = "PENDING";
        break;
      case "amend":
        task.dependencies =
          operation.dependsOn === undefined ? task.dependencies : this.#indexes(operation.dependsOn);
        task.status = "PENDING";
        break;
      case "split": {
        const first = this.tasks.length;
        for (const _ of operation.into) this.tasks.push(pending());
        operation.into.forEach((part, k) => {
          const added = this.tasks[first + k];
          if (added !== undefined) added.dependencies = this.#indexes(part.depends_on);
        });
        for (const other of this.tasks) {
          if (!other.dependencies.includes(n)) continue;
          other.dependencies = [
            ...other.dependencies.filter((d) => d !== n),
            ...operation.into.map((_, k) => first + k),
          ];
        }
        task.status = "ABANDONED";
        task.superseded = true;
        break;
      }
      case "join":
        for (const { depends_on } of operation.tasks)
          this.tasks.push({ ...pending(), dependencies: this.#indexes(depends_on) });
    }
    for (const [index, other] of this.tasks.entries()) {
      if (other.status !== "PENDING" && other.status !== "BLOCKED") continue;
      const stopped = [...this.#behind(index)].some((d) =>
        ["HALTED", "ABANDONED"].includes(this.tasks[d]?.status ?? ""),
      );
      other.status = stopped ? "BLOCKED" : "PENDING";
    }
    return true;
  }

  #allowed(n: number, status: TaskStatus, operation: TaskOperation): boolean {
    const unshipped = this.tasks[n]?.dependencies.some((d) => this.tasks[d]?.status !== "SHIPPED");
    switch (operation.kind) {
      case "start":
        return status === "PENDING" && unshipped === false;
      case "ship":
      case "halt":
      case "lose":
        return status === "IN_PROGRESS";
      case "resume":
      case "attest":
        return status === "HALTED";
      case "abandon":
        return status === "HALTED" || status === "BLOCKED";
      case "amend": {
        const dependencies = operation.dependsOn === undefined ? [] : this.#indexes(operation.dependsOn);
        const live = dependencies.every((d) => this.tasks[d]?.superseded === false);
        const wayBack = dependencies.some((d) => d === n || this.#behind(d).has(n));
        return (status === "HALTED" || status === "BLOCKED") && live && !wayBack;
      }
      case "split": {
        const own = operation.into.map((part) => part.task_id);
        const outside = this.#indexes(
          operation.into.flatMap((part) => part.depends_on.filter((d) => !own.includes(d))),
        );
        const live = outside.every(
          (d) => d !== n && this.tasks[d]?.superseded === false && !this.#behind(d).has(n),
        );
        const circle = operation.into.some((part) => part.depends_on.includes(part.task_id));
        return (status === "HALTED" || status === "BLOCKED") && live && !circle;
      }
      case "join":
        return operation.tasks.every(({ task_id, depends_on }) => {
          const own = operation.tasks.map((each) => each.task_id);
          const outside = this.#indexes(depends_on.filter((d) => !own.includes(d)));
          return !depends_on.includes(task_id) && outside.every((d) => this.tasks[d]?.superseded === false);
        });
    }
  }

  #indexes(ids: string[]): number[] {
    return [...new Set(ids)].map((wanted) => Number(wanted.slice(-3)) - 1);
  }

  #behind(start: number): Set<number> {
    const found = new Set<number>();
    const visit = (n: number): void => {
      for (const d of this.tasks[n]?.dependencies ?? []) {
        if (found.has(d)) continue;
        found.add(d);
        visit(d);
      }
    };
    visit(start);
    return found;
  }
}
