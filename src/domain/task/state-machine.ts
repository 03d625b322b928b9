// The project's state machine: what happens to tasks, and what follows from it.
import { CupelError } from "../error.ts";
import { parseOrThrow } from "../parse.ts";
import { ProjectState } from "./project-state.ts";
import type { TaskDeclaration, TaskEntry, TaskOperation } from "./project-state.ts";
import { assertNewTasks, assertNoWayBack, assertSplittable, resolveDependencies } from "./rewiring.ts";
import type { TaskLookup } from "./rewiring.ts";
import { StatusBoard } from "./status-board.ts";
import type { StatusChanges } from "./status-changes.ts";
import { TaskGraph } from "./task-graph.ts";
import { stopsDependents } from "./task-status.ts";
import type { TaskStatus } from "./task-status.ts";

/** What an entry says of a task besides its status and its dependencies. */
type TaskNotes = Omit<TaskEntry, "status" | "depends_on">;

export class StateMachine {
  readonly #projectId: string;
  readonly #specVersion: string;
  #updatedAt: string;
  readonly #graph = new TaskGraph();
  readonly #board = new StatusBoard(this.#graph);
  readonly #notes: TaskNotes[] = [];
  readonly #lookup: TaskLookup = {
    isShipped: (task) => this.#board.status(task) === "SHIPPED",
    supersededBy: (task) => this.#notes[task]?.superseded_by ?? [],
  };

  /** A new project: every task PENDING, in declaration order. */
  static create(projectId: string, specVersion: string, tasks: TaskDeclaration[], at: string): StateMachine {
    const machine = new StateMachine(projectId, specVersion, at);
    machine.#addAll(tasks);
    machine.#graph.assertAcyclic();
    machine.#board.takeChanges();
    return machine;
  }

  /** Reads a saved state; refuses one that the rules could not have produced, because nothing could build on it. */
  static load(saved: unknown): StateMachine {
    const state = parseOrThrow(ProjectState, saved, "the project state");
    const machine = new StateMachine(state.project_id, state.spec_version, state.updated_at);
    const entries = Object.entries(state.tasks).toSorted(
      ([, a], [, b]) => a.declaration_order - b.declaration_order,
    );
    machine.#restoreAll(entries);
    machine.#graph.assertAcyclic();
    for (const [id, entry] of entries) machine.#assertConsistent(id, entry);
    machine.#board.takeChanges();
    return machine;
  }

  private constructor(projectId: string, specVersion: string, at: string) {
    this.#projectId = projectId;
    this.#specVersion = specVersion;
    this.#updatedAt = at;
  }

  get size(): number {
    return this.#graph.size;
  }

  /** How many tasks are HALTED; dispatch starts nothing while there is one. */
  get haltedCount(): number {
    return this.#board.haltedCount;
  }

  /** Every task is SHIPPED or ABANDONED. */
  get finished(): boolean {
    return this.#board.openCount === 0;
  }

  status(task: string): TaskStatus {
    return this.#board.status(this.#graph.indexOf(task));
  }

  entry(task: string): TaskEntry {
    return this.#entryAt(this.#graph.indexOf(task));
  }

  /** The first `count` tasks that are PENDING with every dependency SHIPPED, in declaration order. */
  eligible(count: number): string[] {
    return this.#board.eligible(count).map((index) => this.#graph.idOf(index));
  }

  /** The tasks that name this one among their dependencies. */
  dependentsOf(task: string): string[] {
    return this.#graph.dependents(this.#graph.indexOf(task)).map((index) => this.#graph.idOf(index));
  }

  /** The HALTED and ABANDONED tasks, near and far, that keep this one from going on. */
  stoppedBy(task: string): string[] {
    const seen = new Set<number>();
    const stack = [this.#graph.indexOf(task)];
    for (let here = stack.pop(); here !== undefined; here = stack.pop()) {
      for (const dependency of this.#graph.dependencies(here)) {
        if (!this.#board.stops(dependency) || seen.has(dependency)) continue;
        seen.add(dependency);
        stack.push(dependency);
      }
    }
    const causes = [...seen].filter((index) => stopsDependents(this.#board.status(index)));
    return causes.toSorted((a, b) => a - b).map((index) => this.#graph.idOf(index));
  }

  toState(): ProjectState {
    const tasks: ProjectState["tasks"] = {};
    for (let index = 0; index < this.size; index++) tasks[this.#graph.idOf(index)] = this.#entryAt(index);
    return {
      project_id: this.#projectId,
      spec_version: this.#specVersion,
      updated_at: this.#updatedAt,
      tasks,
    };
  }

  /** Applies one operation, all or nothing, and returns every status that changed, causes first. */
  apply(operation: TaskOperation): StatusChanges {
    const task = this.#graph.indexOf(operation.task);
    this.#perform(task, operation);
    this.#updatedAt = operation.at;
    return this.#board.takeChanges();
  }

  #perform(task: number, operation: TaskOperation): void {
    switch (operation.kind) {
      case "start":
        this.#assertEligible(task);
        return this.#move(task, "IN_PROGRESS", ["PENDING"]);
      case "ship":
        if (operation.moduleRefs.length === 0) throw empty("ship", "the modules that shipped");
        return this.#move(task, "SHIPPED", ["IN_PROGRESS"], shipped(operation));
      case "attest":
        return this.#move(task, "SHIPPED", ["HALTED"], shipped(operation));
      case "halt":
        return this.#move(task, "HALTED", ["IN_PROGRESS"], {
          halted_reason: operation.reason,
          escalation_ref: operation.escalationRef,
        });
      case "lose":
        return this.#move(task, "PENDING", ["IN_PROGRESS"]);
      case "resume":
        return this.#move(task, "IN_PROGRESS", ["HALTED"], { halted_reason: null });
      case "abandon":
        return this.#move(task, "ABANDONED", ["HALTED", "BLOCKED"]);
      case "amend":
        return this.#amend(task, operation.dependsOn);
      case "split":
        if (operation.into.length === 0) throw empty("split", "the tasks that take its place");
        return this.#split(task, operation.into);
      case "join":
        if (operation.tasks.length === 0) throw empty("join", "the tasks that are new");
        // Nobody waits for a new task yet, so only new ones could wait for each other in a circle.
        assertNewTasks(this.#graph, this.#lookup, operation.tasks);
        return this.#addAll(operation.tasks);
      default:
        throw new CupelError(
          "usage",
          `a task knows no operation ${JSON.stringify(operation satisfies never)}`,
        );
    }
  }

  #move(task: number, to: TaskStatus, from: TaskStatus[], notes: Partial<TaskNotes> = {}): void {
    this.#board.assertLegal(task, to, from);
    this.#board.move(task, to);
    Object.assign(this.#notesAt(task), notes);
  }

  #amend(task: number, dependsOn: string[] | undefined): void {
    this.#board.assertLegal(task, "PENDING", ["HALTED", "BLOCKED"]);
    if (dependsOn !== undefined) {
      const dependencies = resolveDependencies(this.#graph, this.#lookup, dependsOn);
      assertNoWayBack(this.#graph, this.#lookup, task, dependencies);
      this.#board.rewire(task, dependencies);
    }
    if (this.#board.status(task) === "HALTED")
      this.#move(task, "PENDING", ["HALTED"], { halted_reason: null });
  }

  #split(task: number, parts: TaskDeclaration[]): void {
    this.#board.assertLegal(task, "ABANDONED", ["HALTED", "BLOCKED"]);
    assertSplittable(this.#graph, this.#lookup, task, parts);
    this.#addAll(parts);
    const replacements = parts.map((part) => this.#graph.indexOf(part.task_id));
    for (const dependent of this.#graph.dependents(task)) {
      const kept = this.#graph.dependencies(dependent).filter((dependency) => dependency !== task);
      this.#board.rewire(dependent, [...new Set([...kept, ...replacements])]);
    }
    this.#move(task, "ABANDONED", [], { superseded_by: parts.map((part) => part.task_id) });
  }

  #assertEligible(task: number): void {
    if (this.#board.isUnhindered(task)) return;
    const unmet = this.#graph.dependencies(task).filter((dependency) => !this.#lookup.isShipped(dependency));
    const names = unmet.map((index) => `${this.#graph.idOf(index)} (${this.#board.status(index)})`);
    throw new CupelError("illegal_transition", `${this.#graph.idOf(task)} cannot start yet`, {
      expected: `SHIPPED dependencies; not shipped: ${names.join(", ")}`,
    });
  }

  #addAll(tasks: TaskDeclaration[]): void {
    let order = (this.#notes.at(-1)?.declaration_order ?? -1) + 1;
    for (const task of tasks) this.#addOne(task.task_id, "PENDING", freshNotes(task, order++));
    for (const task of tasks) this.#connect(task.task_id, task.depends_on);
  }

  /** BLOCKED is derived, so it starts as PENDING here and must come out as it was saved. */
  #restoreAll(entries: [string, TaskEntry][]): void {
    for (const [id, { status, depends_on: _, ...notes }] of entries) {
      this.#addOne(id, status === "BLOCKED" ? "PENDING" : status, notes);
    }
    for (const [id, entry] of entries) this.#connect(id, entry.depends_on);
  }

  #addOne(id: string, status: TaskStatus, notes: TaskNotes): void {
    const index = this.#graph.add(id);
    this.#notes.push(notes);
    this.#board.add(index, status);
  }

  #connect(id: string, dependsOn: string[]): void {
    this.#board.rewire(this.#graph.indexOf(id), resolveDependencies(this.#graph, this.#lookup, dependsOn));
  }

  #assertConsistent(id: string, saved: TaskEntry): void {
    const index = this.#graph.indexOf(id);
    const derived = this.#board.status(index);
    if (derived !== saved.status) throw corrupt(id, saved.status, `its dependencies make it ${derived}`);
    if (derived === "PENDING" || derived === "BLOCKED" || derived === "ABANDONED") return;
    const unmet = this.#graph.dependencies(index).find((dependency) => !this.#lookup.isShipped(dependency));
    if (unmet !== undefined)
      throw corrupt(id, derived, `its dependency ${this.#graph.idOf(unmet)} has not shipped`);
  }

  #entryAt(index: number): TaskEntry {
    const depends_on = this.#graph.dependencies(index).map((dependency) => this.#graph.idOf(dependency));
    return { ...this.#notesAt(index), status: this.#board.status(index), depends_on };
  }

  #notesAt(index: number): TaskNotes {
    const notes = this.#notes[index];
    if (notes === undefined) throw new RangeError(`no task has the index ${index}`);
    return notes;
  }
}

function freshNotes({ pillar, epic, story, task }: TaskDeclaration, declaration_order: number): TaskNotes {
  return {
    pillar,
    epic,
    story,
    task,
    module_refs: [],
    shipped_at: null,
    halted_reason: null,
    escalation_ref: null,
    superseded_by: [],
    declaration_order,
  };
}

function shipped(operation: { moduleRefs: string[]; at: string }): Partial<TaskNotes> {
  return { module_refs: operation.moduleRefs, shipped_at: operation.at, halted_reason: null };
}

function empty(operation: string, expected: string): CupelError {
  return new CupelError("invalid_input", `cannot ${operation} a task into nothing`, { expected });
}

function corrupt(id: string, status: TaskStatus, why: string): CupelError {
  return new CupelError("invalid_input", `the saved state says that ${id} is ${status}, but ${why}`, {
    expected: "a state that the state machine itself wrote",
  });
}
