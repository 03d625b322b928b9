// What an operation changed, kept as packed integers: a halt can change a hundred thousand statuses at once.
import type { StatusChange } from "./project-state.ts";
import { TASK_STATUSES } from "./task-status.ts";

/** Statuses as numbers: their position in TASK_STATUSES. One more stands for "did not exist". */
export const NEW = TASK_STATUSES.length;

export class StatusChanges implements Iterable<StatusChange> {
  readonly #packed: number[] = [];
  readonly #idOf: (task: number) => string;

  constructor(idOf: (task: number) => string) {
    this.#idOf = idOf;
  }

  get length(): number {
    return this.#packed.length;
  }

  record(task: number, from: number, to: number): void {
    this.#packed.push((task << 6) | (from << 3) | to);
  }

  *[Symbol.iterator](): Iterator<StatusChange> {
    for (const packed of this.#packed) {
      const to = TASK_STATUSES[packed & 7];
      if (to === undefined) throw new RangeError(`no status has the number ${packed & 7}`);
      yield { task: this.#idOf(packed >>> 6), from: TASK_STATUSES[(packed >>> 3) & 7] ?? null, to };
    }
  }
}
