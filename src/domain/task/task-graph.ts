// Who waits for whom: tasks as small integers in declaration order, with the edges in both directions.
import { findCycles, renderCycle } from "../cycles.ts";
import { CupelError } from "../error.ts";
import { nearest } from "../nearest.ts";
import { IntList } from "./int-list.ts";

export class TaskGraph {
  readonly #ids: string[] = [];
  readonly #indexes = new Map<string, number>();
  readonly #dependencies: number[][] = [];
  /** Dependents as linked lists in flat memory: first edge per task, then per edge its task and the next edge. 0 ends. */
  readonly #firstEdge = new IntList();
  readonly #edgeTask = new IntList();
  readonly #edgeNext = new IntList();
  #freeEdge = 0;

  constructor() {
    this.#newEdge(0, 0);
  }

  get size(): number {
    return this.#ids.length;
  }

  has(id: string): boolean {
    return this.#indexes.has(id);
  }

  indexOf(id: string): number {
    const index = this.#indexes.get(id);
    if (index !== undefined) return index;
    const meant = nearest(id, this.#indexes.keys());
    throw new CupelError("unknown_task", `there is no task ${id}`, {
      expected: "the id of a task of this project",
      ...(meant === undefined ? {} : { hint: `did you mean ${meant}?` }),
    });
  }

  idOf(index: number): string {
    return this.#ids[index] ?? "";
  }

  dependencies(index: number): readonly number[] {
    return this.#dependencies[index] ?? [];
  }

  dependents(index: number): number[] {
    const found: number[] = [];
    this.eachDependent(index, (dependent) => found.push(dependent));
    return found;
  }

  eachDependent(index: number, visit: (dependent: number) => void): void {
    for (let edge = this.#firstEdge.get(index); edge !== 0; edge = this.#edgeNext.get(edge)) {
      visit(this.#edgeTask.get(edge));
    }
  }

  /** Adds a task without edges; refuses an id that is taken. */
  add(id: string): number {
    if (this.has(id)) throw new CupelError("id_collision", `the task id ${id} is already taken`);
    const index = this.#ids.push(id) - 1;
    this.#indexes.set(id, index);
    this.#dependencies.push([]);
    this.#firstEdge.set(index, 0);
    return index;
  }

  setDependencies(index: number, dependencies: number[]): void {
    for (const old of this.dependencies(index)) this.#removeEdge(old, index);
    this.#dependencies[index] = dependencies;
    for (const dependency of dependencies) {
      this.#firstEdge.set(dependency, this.#newEdge(index, this.#firstEdge.get(dependency)));
    }
  }

  #newEdge(task: number, next: number): number {
    const edge = this.#freeEdge === 0 ? this.#edgeTask.length : this.#freeEdge;
    this.#freeEdge = this.#freeEdge === 0 ? 0 : this.#edgeNext.get(this.#freeEdge);
    this.#edgeTask.set(edge, task);
    this.#edgeNext.set(edge, next);
    return edge;
  }

  #removeEdge(from: number, task: number): void {
    let before = 0;
    let edge = this.#firstEdge.get(from);
    while (edge !== 0 && this.#edgeTask.get(edge) !== task) {
      before = edge;
      edge = this.#edgeNext.get(edge);
    }
    if (edge === 0) return;
    if (before === 0) this.#firstEdge.set(from, this.#edgeNext.get(edge));
    else this.#edgeNext.set(before, this.#edgeNext.get(edge));
    this.#edgeNext.set(edge, this.#freeEdge);
    this.#freeEdge = edge;
  }

  /**
   * The path along dependencies from one of `starts` to `target`, or undefined.
   * `skip` prunes tasks that cannot lie on such a path, so that the search stays near its start.
   */
  pathTo(target: number, starts: readonly number[], skip: (index: number) => boolean): number[] | undefined {
    const cameFrom = new Map<number, number | undefined>(starts.map((start) => [start, undefined]));
    const stack = [...starts];
    for (let here = stack.pop(); here !== undefined; here = stack.pop()) {
      if (here === target) return trail(here, cameFrom);
      if (skip(here)) continue;
      for (const next of this.dependencies(here)) {
        if (cameFrom.has(next)) continue;
        cameFrom.set(next, here);
        stack.push(next);
      }
    }
    return undefined;
  }

  /** Throws `dependency_cycle`, naming one, if the graph has any. */
  assertAcyclic(): void {
    const [cycle] = findCycles(
      new Map(
        this.#ids.map((id, index) => [
          id,
          this.dependencies(index).map((dependency) => this.idOf(dependency)),
        ]),
      ),
    );
    if (cycle !== undefined) throw cycleError(cycle);
  }
}

/** Each waits for the next and the last for the first. */
export function cycleError(ids: string[]): CupelError {
  return new CupelError("dependency_cycle", `tasks would wait for each other: ${renderCycle(ids)}`, {
    expected: "dependencies without a cycle",
    hint: "remove one of the named dependencies",
  });
}

function trail(end: number, cameFrom: Map<number, number | undefined>): number[] {
  const path: number[] = [];
  for (let here: number | undefined = end; here !== undefined; here = cameFrom.get(here)) path.unshift(here);
  return path;
}
