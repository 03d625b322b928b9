// Two nodes of one step may not both write a value that has no merge; the engine would notice only when both are kept.
import { CupelError } from "../domain/error.ts";
import type { Sql } from "../store/sql.ts";
import { channelOf } from "./compile.ts";
import type { Task } from "./compile.ts";
import type { StateShape } from "./port.ts";

export class StepWriters {
  readonly #sql: Sql;
  readonly #way: string;
  readonly #shape: StateShape;
  #step = "";
  /** Key of the state → the task that wrote it. */
  #writers = new Map<string, string>();

  constructor(sql: Sql, way: string, shape: StateShape) {
    this.#sql = sql;
    this.#way = way;
    this.#shape = shape;
  }

  claim({ step, id, node }: Task, keys: readonly string[]): void {
    if (this.#step !== step) {
      // Only the step that the run began with can hold what another process wrote.
      this.#writers = this.#step === "" ? this.#before(step) : new Map();
      this.#step = step;
    }
    for (const key of keys) {
      const writer = this.#writers.get(key);
      const merges = this.#shape[key]?.merge !== undefined;
      if (merges || writer === undefined || writer === id) continue;
      throw new CupelError(
        "invalid_input",
        `${node} writes ${key}, which another node of the same step wrote, too`,
        { expected: `a merge for ${key} in the state, or one writer` },
      );
    }
    for (const key of keys) this.#writers.set(key, id);
  }

  /** Those that finished before a crash. */
  #before(step: string): Map<string, string> {
    const rows = this.#sql.all(
      "SELECT task, channel FROM graph_writes WHERE thread = ? AND ns = '' AND checkpoint = ?",
      [this.#way, step],
    );
    const byChannel = new Map(rows.map((row) => [String(row["channel"]), String(row["task"])]));
    const writers = new Map<string, string>();
    for (const key of Object.keys(this.#shape)) {
      const task = byChannel.get(channelOf(key));
      if (task !== undefined) writers.set(key, task);
    }
    return writers;
  }
}
