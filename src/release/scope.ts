// Which tasks and modules a release is made of, or why it cannot be made yet.
import { CupelError } from "../domain/error.ts";
import { moduleIdOf } from "../domain/refs.ts";
import type { TaskEntry } from "../domain/task/project-state.ts";
import type { Placed, Shelf } from "../engineering/ship/shelf.ts";
import { majorOf } from "../engineering/ship/shelf.ts";
import type { StateStore } from "../store/state-store.ts";
import type { ReleaseOrder, ReleaseOutcome } from "./port.ts";

export interface ReleaseScope {
  kind: "scope";
  scope: "full" | "partial";
  specVersion: string;
  /** Those that are done, and with what. */
  tasks: { task: string; entry: TaskEntry }[];
  abandoned: { task: string; entry: TaskEntry }[];
}

type NotReady = Extract<ReleaseOutcome, { kind: "not-ready" }>;

/** Full: every task is SHIPPED or ABANDONED. Partial: the tasks that were asked for are SHIPPED. */
export async function scopeOf(store: StateStore, order: ReleaseOrder): Promise<ReleaseScope | NotReady> {
  const head = await store.project.head();
  if (head === undefined)
    throw new CupelError("not_found", "there is no project here that could be released", {
      expected: "a project whose tasks have shipped",
      hint: "cupel run",
    });
  const all = (await store.project.entries()).map(([task, entry]) => ({ task, entry }));
  const wanted = order.scope === "full" ? all : all.filter(({ task }) => order.tasks.includes(task));
  if (order.scope === "partial") await assertKnown(store, order.tasks);
  const open = wanted.filter(({ entry: { status } }) => !isDone(status, order.scope));
  if (open.length > 0) return notReady(open, order.scope);
  const tasks = wanted.filter(({ entry }) => entry.status === "SHIPPED");
  if (tasks.length === 0)
    return { kind: "not-ready", why: "no task has shipped", tasks: [], next: "cupel run" };
  const abandoned = wanted.filter(({ entry }) => entry.status === "ABANDONED");
  return { kind: "scope", scope: order.scope, specVersion: head.specVersion, tasks, abandoned };
}

/** Of the product: all of it, or what the tasks have shipped together with everything that it builds on. */
export function modulesOf({ scope, tasks }: ReleaseScope, shelf: Shelf): Placed[] {
  const product = shelf.product();
  if (scope === "full") return product;
  const wanted = new Set(tasks.flatMap(({ entry }) => entry.module_refs).map(lineOf));
  const queue = product.filter(({ record }) => wanted.has(lineOf(record.module)));
  for (const { record } of queue) {
    const needed = new Set(record.dependencies.map(lineOf));
    queue.push(
      ...product.filter((placed) => needed.has(lineOf(placed.record.module)) && !queue.includes(placed)),
    );
  }
  return product.filter((placed) => queue.includes(placed));
}

/** Versions of one major version take each other's place in the product. */
export function lineOf(module: string): string {
  return `${moduleIdOf(module)} ${majorOf(module)}`;
}

function isDone(status: TaskEntry["status"], scope: ReleaseScope["scope"]): boolean {
  return status === "SHIPPED" || (scope === "full" && status === "ABANDONED");
}

async function assertKnown(store: StateStore, tasks: readonly string[]): Promise<void> {
  if (tasks.length === 0)
    throw new CupelError("usage", "a partial release needs at least one task", {
      expected: "the ids of tasks that have shipped",
      hint: "cupel status",
    });
  // Refuses an unknown one and says which was probably meant.
  for (const task of tasks) await store.project.task(task);
}

function notReady(open: { task: string; entry: TaskEntry }[], scope: ReleaseScope["scope"]): NotReady {
  const tasks = open.map(({ task, entry: { status } }) => ({ task, status }));
  const halted = tasks.find(({ status }) => status === "HALTED");
  const what = scope === "full" ? "are neither shipped nor abandoned" : "have not shipped";
  return {
    kind: "not-ready",
    why: `${tasks.length} of the tasks ${what}`,
    tasks,
    next: halted === undefined ? "cupel run --resume" : `cupel resolve ${halted.task}`,
  };
}
