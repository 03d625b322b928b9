// The advisory jobs of threads: asked for once on each way through the graph, and ended once.
import { z } from "zod";
import { damaged, readRow } from "../store/local/row.ts";
import type { Row, Sql } from "../store/sql.ts";
import { fromBytes, toBytes } from "./checkpoint/stored-value.ts";
import { Blob, bytesOf } from "./checkpoint/value-table.ts";
import type { Advice, AdviceRequest } from "./port.ts";
import { noteEvent } from "./thread-events.ts";

export interface AdvisoryRow extends AdviceRequest {
  /** The way of the thread it belongs to. */
  epoch: number;
  /** Undefined while it is under way. */
  outcome: Advice["outcome"] | undefined;
}

const StoredRow = z.strictObject({
  thread: z.string(),
  epoch: z.int().positive(),
  job: z.string(),
  node: z.string(),
  input: Blob,
  outcome: Blob.nullable(),
});
const Outcome = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("reported"), report: z.unknown() }),
  z.strictObject({ kind: z.literal("failed"), why: z.string() }),
  z.strictObject({ kind: z.literal("timed-out") }),
]);

type Key = Pick<AdvisoryRow, "thread" | "epoch" | "job" | "node">;

/** Inside a transaction. Asked for again it stays as it is; what earlier ways asked for is given up. */
export function askFor(sql: Sql, { thread, node, job, input }: AdviceRequest): void {
  sql.run(
    `DELETE FROM graph_advice WHERE thread = ?1
     AND epoch < (SELECT epoch FROM graph_threads WHERE thread = ?1)`,
    [thread],
  );
  sql.run(
    `INSERT OR IGNORE INTO graph_advice (thread, epoch, job, node, input, starts)
     SELECT thread, epoch, ?, ?, ?, 0 FROM graph_threads WHERE thread = ? AND status = 'open'`,
    [job, node, toBytes(input), thread],
  );
}

/** Those of the thread's present way, by name. */
export function listAdvice(sql: Sql, thread: string): AdvisoryRow[] {
  const rows = sql.all(
    `SELECT thread, epoch, job, node, input, outcome FROM graph_advice
     WHERE thread = ?1 AND epoch = (SELECT epoch FROM graph_threads WHERE thread = ?1) ORDER BY job`,
    [thread],
  );
  return rows.map(rowOf);
}

/** Inside a transaction. How often it has been started, or undefined when there is nothing to do any more. */
export function countStart(sql: Sql, { thread, epoch, job, node }: Key, at: string): number | undefined {
  const key = [thread, epoch, job];
  const open = "thread = ? AND epoch = ? AND job = ? AND outcome IS NULL";
  if (sql.run(`UPDATE graph_advice SET starts = starts + 1 WHERE ${open}`, key) === 0) return undefined;
  const start = Number(sql.get(`SELECT starts FROM graph_advice WHERE ${open}`, key)?.["starts"]);
  noteEvent(sql, at, { kind: "advice_started", thread, node, job, start });
  return start;
}

/** Inside a transaction. The first outcome counts. */
export function conclude(
  sql: Sql,
  { thread, epoch, job, node }: Key,
  outcome: Advice["outcome"],
  at: string,
): void {
  const changed = sql.run(
    "UPDATE graph_advice SET outcome = ? WHERE thread = ? AND epoch = ? AND job = ? AND outcome IS NULL",
    [toBytes(outcome), thread, epoch, job],
  );
  if (changed > 0) noteEvent(sql, at, { ...endOf(outcome), thread, node, job });
}

function endOf(outcome: Advice["outcome"]) {
  switch (outcome.kind) {
    case "reported":
      return { kind: "advice_reported" } as const;
    case "failed":
      return { kind: "advice_failed", reason: outcome.why } as const;
    case "timed-out":
      return { kind: "advice_timed_out" } as const;
  }
}

function rowOf(raw: Row): AdvisoryRow {
  const place = { table: "graph_advice", key: `${String(raw["thread"])} ${String(raw["job"])}` };
  const { input, outcome, ...row } = readRow(StoredRow, raw, place);
  const value = (bytes: Blob): unknown => {
    try {
      return fromBytes(bytesOf(bytes));
    } catch (cause) {
      throw damaged(place, "  what should be JSON is not", cause);
    }
  };
  const read = outcome === null ? undefined : readRow(Outcome, value(outcome), place);
  return { ...row, input: value(input), outcome: read };
}
