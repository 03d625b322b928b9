// The project while somebody works on it: the state machine in memory and the rows in the database, always the same.
import { CupelError } from "../domain/error.ts";
import type { StatusChange, TaskEntry, TaskOperation } from "../domain/task/project-state.ts";
import { StateMachine } from "../domain/task/state-machine.ts";
import { nextTaskIds, storyPrefixOf } from "../domain/task/task-id.ts";
import type { TaskRecord } from "../domain/task/task-record.ts";
import type { TaskEvent } from "../engineering/trail.ts";
import type { Fence, Question } from "../store/port.ts";
import type { StateStore } from "../store/state-store.ts";

export interface ProjectDesk {
  store: StateStore;
  /** Of the run. */
  fence: Fence;
  runId: string;
  now: () => Date;
}

/** One thing that happens to the project, with everything that it brings along. */
export interface ProjectEdit {
  /** For the journal. */
  why: string;
  operations: readonly TaskOperation[];
  /** Tasks with another file, attempt or resolution. */
  revised?: readonly TaskRecord[];
  /** What operations declare and nobody knew before. */
  added?: readonly Omit<TaskRecord, "entry">[];
  events?: readonly TaskEvent[];
  asked?: readonly Question[];
  /** What is to be asked because of how the project is afterwards. */
  askedAfter?: (machine: StateMachine) => readonly Omit<Question, "runId">[];
  withdrawn?: readonly string[];
  /** The question whose answer this carries out. */
  applies?: string;
}

export class Project {
  readonly desk: ProjectDesk;
  /** Ids that somebody works under before there is a task of that name. */
  readonly reserved = new Set<string>();
  #machine: StateMachine;

  /** The project in the store; refused where there is none. */
  static async open(desk: ProjectDesk): Promise<Project> {
    return new Project(desk, await loadMachine(desk.store));
  }

  private constructor(desk: ProjectDesk, machine: StateMachine) {
    this.desk = desk;
    this.#machine = machine;
  }

  /** To look at. It changes through `apply` only. */
  get machine(): StateMachine {
    return this.#machine;
  }

  task(taskId: string): Promise<TaskRecord> {
    return this.desk.store.project.task(taskId);
  }

  /** For tasks that join the story of another one. Those that are given out and not in use yet are not given out again. */
  nextIds(beside: string, count: number): string[] {
    const existing = [...Object.keys(this.#machine.toState().tasks), ...this.reserved];
    return nextTaskIds(existing, storyPrefixOf(beside), count);
  }

  time(): string {
    return this.desk.now().toISOString();
  }

  /** All of it or nothing, here and in the database. False when the answer that it applies was applied before. */
  async apply(edit: ProjectEdit): Promise<boolean> {
    try {
      const committed = await this.#commit(edit);
      if (!committed) this.#machine = await loadMachine(this.desk.store);
      return committed;
    } catch (error) {
      // What the machine in memory did before the refusal never happened.
      this.#machine = await loadMachine(this.desk.store);
      throw error;
    }
  }

  async #commit(edit: ProjectEdit): Promise<boolean> {
    const { store, fence, runId } = this.desk;
    const at = edit.operations.at(-1)?.at ?? this.time();
    const { changed, events } = this.#perform(edit);
    const added = (edit.added ?? []).map((task) => ({ ...task, entry: this.#machine.entry(task.taskId) }));
    for (const { taskId } of added) changed.delete(taskId);
    const { revised = [], asked = [], withdrawn = [], applies } = edit;
    const after = edit.askedAfter?.(this.#machine) ?? [];
    return store.project.commit(fence, {
      at,
      entries: [...changed].map((id): [string, TaskEntry] => [id, this.#machine.entry(id)]),
      revised,
      added,
      events: events.map((event) => ({ ...event, at, runId })),
      asked: [...asked, ...after.map((question) => ({ ...question, runId }))],
      withdrawn,
      ...(applies === undefined ? {} : { applies }),
    });
  }

  #perform({ operations, why, events: besides = [] }: ProjectEdit) {
    const changed = new Set<string>();
    const events: TaskEvent[] = [];
    for (const operation of operations) {
      changed.add(operation.task);
      // A split gives them other dependencies, whether their status changes or not.
      if (operation.kind === "split")
        for (const id of this.#machine.dependentsOf(operation.task)) changed.add(id);
      for (const change of this.#machine.apply(operation)) {
        changed.add(change.task);
        events.push(transition(change, operation.task, why));
      }
    }
    return { changed, events: [...events, ...besides] };
  }
}

export async function loadMachine(store: StateStore): Promise<StateMachine> {
  const head = await store.project.head();
  if (head === undefined) {
    throw new CupelError("not_found", "the project has no tasks yet", {
      expected: "an approved specification",
      hint: "cupel run",
    });
  }
  return StateMachine.load({
    project_id: head.projectId,
    spec_version: head.specVersion,
    updated_at: head.updatedAt,
    tasks: Object.fromEntries(await store.project.entries()),
  });
}

/** Whatever else changes follows from the one task that something happened to. */
function transition({ task, from, to }: StatusChange, cause: string, why: string): TaskEvent {
  const because = task === cause || from === null ? why : `because of ${cause}: ${why}`;
  return { kind: "task_transitioned", task, from, to, why: because };
}
