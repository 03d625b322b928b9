// What a thread's run writes besides checkpoints: the journal, attempts, money spent and results kept for good. Every write
// is fenced in its own transaction; what belongs to the end of a node is written in the transaction of that end.
import { parseOrThrow } from "../domain/parse.ts";
import { Spent } from "../domain/run/run-event.ts";
import { addSpent, NOTHING_SPENT } from "../domain/run/spent.ts";
import { assertFence, fenced } from "../store/local/fence.ts";
import { appendInside } from "../store/local/journal.ts";
import { damaged, readJson, readRow } from "../store/local/row.ts";
import type { Fence } from "../store/port.ts";
import type { Row, Sql } from "../store/sql.ts";
import { z } from "zod";
import { fromBytes, toBytes } from "./checkpoint/stored-value.ts";
import { Blob, bytesOf } from "./checkpoint/value-table.ts";

const AttemptRow = z.strictObject({ attempts: z.int().positive(), spent: z.string() });
const OnceRow = z.strictObject({ result: Blob });

export interface LogPlace {
  thread: string;
  runId: string;
  graph: string;
}

type NodeEnding =
  | { kind: "node_finished" }
  | { kind: "node_failed"; reason: string }
  | { kind: "node_retried"; reason: string; waitMs: number };

export class StepLog {
  readonly #sql: Sql;
  readonly #fence: Fence;
  readonly #place: LogPlace;
  readonly #now: () => number;

  constructor(sql: Sql, fence: Fence, place: LogPlace, now: () => number) {
    this.#sql = sql;
    this.#fence = fence;
    this.#place = place;
    this.#now = now;
  }

  /** Counts the attempt and says that it begins; returns which one it is. */
  begin(step: string, node: string): number {
    return fenced(this.#sql, this.#fence, () => {
      const attempt = (this.#attempt(step, node)?.attempts ?? 0) + 1;
      this.#sql.run(
        `INSERT INTO graph_attempts (thread, step, node, attempts, spent) VALUES (?, ?, ?, 1, ?)
         ON CONFLICT (thread, step, node) DO UPDATE SET attempts = attempts + 1`,
        [this.#place.thread, step, node, JSON.stringify(NOTHING_SPENT)],
      );
      appendInside(this.#sql, { kind: "node_started", ...this.#about(node, attempt) });
      return attempt;
    });
  }

  book(step: string, node: string, spent: Spent): void {
    const checked = parseOrThrow(Spent, spent, "what was spent");
    fenced(this.#sql, this.#fence, () => {
      const before = this.#attempt(step, node)?.spent ?? NOTHING_SPENT;
      this.#setSpent(step, node, addSpent(before, checked));
    });
  }

  /** In a transaction of its own. */
  end(step: string, node: string, attempt: number, durationMs: number, ending: NodeEnding): void {
    fenced(this.#sql, this.#fence, () => this.endInside(step, node, attempt, durationMs, ending));
  }

  /** Inside a transaction that has checked the fence. What was spent moves from the row into the event. */
  endInside(step: string, node: string, attempt: number, durationMs: number, ending: NodeEnding): void {
    const spent = this.#attempt(step, node)?.spent ?? NOTHING_SPENT;
    appendInside(this.#sql, { ...ending, ...this.#about(node, attempt), durationMs, spent });
    this.#setSpent(step, node, NOTHING_SPENT);
    if (ending.kind === "node_finished") this.#forget(step, node);
  }

  kept(step: string, node: string, name: string): { result: unknown } | undefined {
    const row = this.#sql.get(
      "SELECT result FROM graph_once WHERE thread = ? AND step = ? AND node = ? AND name = ?",
      [this.#place.thread, step, node, name],
    );
    if (row === undefined) return undefined;
    const place = { table: "graph_once", key: `${node} ${name}` };
    const { result } = readRow(OnceRow, row, place);
    try {
      return { result: fromBytes(bytesOf(result)) };
    } catch (cause) {
      throw damaged(place, "  what should be JSON is not", cause);
    }
  }

  keep(step: string, node: string, name: string, result: unknown): void {
    const bytes = toBytes(result);
    fenced(this.#sql, this.#fence, () =>
      this.#sql.run(
        "INSERT OR IGNORE INTO graph_once (thread, step, node, name, result) VALUES (?, ?, ?, ?, ?)",
        [this.#place.thread, step, node, name, bytes],
      ),
    );
  }

  /** A node that has ended never runs again for this step, so nobody will ask for what it did once. */
  #forget(step: string, node: string): void {
    this.#sql.run("DELETE FROM graph_once WHERE thread = ? AND step = ? AND node = ?", [
      this.#place.thread,
      step,
      node,
    ]);
  }

  assertFence(): void {
    assertFence(this.#sql, this.#fence);
  }

  #attempt(step: string, node: string): { attempts: number; spent: Spent } | undefined {
    const row = this.#sql.get(
      "SELECT attempts, spent FROM graph_attempts WHERE thread = ? AND step = ? AND node = ?",
      [this.#place.thread, step, node],
    );
    return row === undefined ? undefined : attemptOf(row, node);
  }

  #setSpent(step: string, node: string, spent: Spent): void {
    this.#sql.run("UPDATE graph_attempts SET spent = ? WHERE thread = ? AND step = ? AND node = ?", [
      JSON.stringify(spent),
      this.#place.thread,
      step,
      node,
    ]);
  }

  #about(node: string, attempt: number) {
    const { thread, runId, graph } = this.#place;
    return { at: new Date(this.#now()).toISOString(), runId, thread, graph, node, attempt };
  }
}

function attemptOf(row: Row, node: string): { attempts: number; spent: Spent } {
  const place = { table: "graph_attempts", key: node };
  const { attempts, spent } = readRow(AttemptRow, row, place);
  return { attempts, spent: readRow(Spent, readJson(spent, place), place) };
}
