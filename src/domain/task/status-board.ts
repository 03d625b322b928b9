// The statuses of all tasks over their graph: derives BLOCKED and readiness step by step, never by a full pass.
import { CupelError } from "../error.ts";
import { IntList } from "./int-list.ts";
import { ReadySet } from "./ready-set.ts";
import { NEW, StatusChanges } from "./status-changes.ts";
import type { TaskGraph } from "./task-graph.ts";
import { isLegalTransition, LEGAL_TRANSITIONS, stopsDependents, TASK_STATUSES } from "./task-status.ts";
import type { TaskStatus } from "./task-status.ts";

/**
 * Invariant, after every public call: a task that would otherwise be PENDING is BLOCKED exactly when some task in its
 * transitive dependencies is HALTED or ABANDONED. It is kept by counting, per task, the direct dependencies that *stop*
 * it (HALTED or ABANDONED, or stopped themselves). In a graph without cycles these counts are exact, so a change walks
 * only along tasks whose own status changes with it, and its cost does not grow with the project.
 */
export class StatusBoard {
  readonly #graph: TaskGraph;
  /** Per task: its status as a position in TASK_STATUSES. */
  readonly #codes = new IntList();
  /** Per task: direct dependencies that are not SHIPPED yet. */
  readonly #unmet = new IntList();
  /** Per task: direct dependencies that stop it. */
  readonly #stoppers = new IntList();
  readonly #ready = new ReadySet();
  #changes: StatusChanges;
  #halted = 0;
  #open = 0;

  constructor(graph: TaskGraph) {
    this.#graph = graph;
    this.#changes = this.#noChanges();
  }

  get haltedCount(): number {
    return this.#halted;
  }

  /** Tasks that are neither SHIPPED nor ABANDONED. */
  get openCount(): number {
    return this.#open;
  }

  status(task: number): TaskStatus {
    return TASK_STATUSES[this.#codes.get(task)] ?? "PENDING";
  }

  /** Whether whatever depends on this task cannot go on. */
  stops(task: number): boolean {
    return this.#stopsByItself(task) || this.#stoppers.get(task) > 0;
  }

  /** Whether every dependency has SHIPPED. */
  isUnhindered(task: number): boolean {
    return this.#unmet.get(task) === 0;
  }

  /** The first `count` tasks that are PENDING with every dependency SHIPPED. */
  eligible(count: number): number[] {
    return this.#ready.first(count);
  }

  /** What changed since the last call, causes before consequences. */
  takeChanges(): StatusChanges {
    const changes = this.#changes;
    this.#changes = this.#noChanges();
    return changes;
  }

  /** Takes in a task that the graph just got, still without dependencies. */
  add(task: number, status: TaskStatus): void {
    this.#codes.set(task, CODE[status]);
    this.#unmet.set(task, 0);
    this.#stoppers.set(task, 0);
    if (status === "HALTED") this.#halted++;
    if (!isFinal(status)) this.#open++;
    this.#refreshReady(task);
    this.#changes.record(task, NEW, CODE[status]);
  }

  /** A status change that somebody asked for, with all that follows from it. */
  move(task: number, to: TaskStatus): void {
    const before = this.stops(task);
    this.#set(task, to);
    this.#settle(task, before);
  }

  /** Other dependencies for a task, with all that follows from it. The caller has ruled out cycles. */
  rewire(task: number, dependencies: number[]): void {
    const before = this.stops(task);
    this.#graph.setDependencies(task, dependencies);
    this.#unmet.set(
      task,
      dependencies.filter((dependency) => this.#codes.get(dependency) !== CODE.SHIPPED).length,
    );
    this.#stoppers.set(task, dependencies.filter((dependency) => this.stops(dependency)).length);
    this.#refreshReady(task);
    this.#settle(task, before);
  }

  assertLegal(task: number, to: TaskStatus, from: readonly TaskStatus[] = []): void {
    const status = this.status(task);
    if (isLegalTransition(status, to) && (from.length === 0 || from.includes(status))) return;
    const ways = LEGAL_TRANSITIONS[status];
    throw new CupelError(
      "illegal_transition",
      `${this.#graph.idOf(task)} cannot go from ${status} to ${to}`,
      {
        expected:
          ways.length === 0 ? `nothing: ${status} is final` : `from ${status} only to ${ways.join(", ")}`,
      },
    );
  }

  /** Derives this task's own BLOCKED, then tells the tasks behind it if it began or ceased to stop them. */
  #settle(task: number, stoppedBefore: boolean): void {
    this.#deriveBlocked(task);
    const stops = this.stops(task);
    if (stops !== stoppedBefore) this.#spread(task, stops ? 1 : -1);
  }

  #deriveBlocked(task: number): void {
    const code = this.#codes.get(task);
    const stopped = this.#stoppers.get(task) > 0;
    if (code === CODE.PENDING && stopped) this.#set(task, "BLOCKED");
    else if (code === CODE.BLOCKED && !stopped) this.#set(task, "PENDING");
  }

  #spread(origin: number, step: 1 | -1): void {
    const turning = step === 1 ? 1 : 0;
    const stack = [origin];
    const visit = (dependent: number): void => {
      const count = this.#stoppers.get(dependent) + step;
      this.#stoppers.set(dependent, count);
      // A HALTED or ABANDONED task stops its dependents anyway: nothing changes behind it.
      if (count !== turning || this.#stopsByItself(dependent)) return;
      this.#deriveBlocked(dependent);
      stack.push(dependent);
    };
    for (let here = stack.pop(); here !== undefined; here = stack.pop())
      this.#graph.eachDependent(here, visit);
  }

  #set(task: number, to: TaskStatus): void {
    this.assertLegal(task, to);
    const from = this.#codes.get(task);
    this.#codes.set(task, CODE[to]);
    this.#changes.record(task, from, CODE[to]);
    if (from === CODE.HALTED) this.#halted--;
    if (to === "HALTED") this.#halted++;
    if (isFinal(to)) this.#open--;
    this.#refreshReady(task);
    if (to === "SHIPPED") this.#graph.eachDependent(task, this.#meet);
  }

  readonly #meet = (dependent: number): void => {
    this.#unmet.set(dependent, this.#unmet.get(dependent) - 1);
    this.#refreshReady(dependent);
  };

  #refreshReady(task: number): void {
    if (this.#codes.get(task) === CODE.PENDING && this.#unmet.get(task) === 0) this.#ready.add(task);
    else this.#ready.delete(task);
  }

  #stopsByItself(task: number): boolean {
    return STOPS[this.#codes.get(task)] ?? false;
  }

  #noChanges(): StatusChanges {
    return new StatusChanges((task) => this.#graph.idOf(task));
  }
}

const CODE = {
  PENDING: TASK_STATUSES.indexOf("PENDING"),
  IN_PROGRESS: TASK_STATUSES.indexOf("IN_PROGRESS"),
  SHIPPED: TASK_STATUSES.indexOf("SHIPPED"),
  HALTED: TASK_STATUSES.indexOf("HALTED"),
  BLOCKED: TASK_STATUSES.indexOf("BLOCKED"),
  ABANDONED: TASK_STATUSES.indexOf("ABANDONED"),
} as const satisfies Record<TaskStatus, number>;

const STOPS = TASK_STATUSES.map((status) => stopsDependents(status));

function isFinal(status: TaskStatus): boolean {
  return LEGAL_TRANSITIONS[status].length === 0;
}
