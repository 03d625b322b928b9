// What happens to a thread beside its nodes, in the journal of the run that the thread belongs to.
import type { RunEvent } from "../domain/run/run-event.ts";
import { appendInside } from "../store/local/journal.ts";
import type { Sql } from "../store/sql.ts";

type Kind =
  | "message_delivered"
  | "message_acknowledged"
  | "advice_started"
  | "advice_reported"
  | "advice_failed"
  | "advice_timed_out";
type Unplaced<Event> = Event extends unknown ? Omit<Event, "seq" | "at" | "runId"> : never;
export type ThreadEvent = Unplaced<Extract<RunEvent, { kind: Kind }>>;

/** Inside the transaction of the change, after its fence was checked. */
export function noteEvent(sql: Sql, at: string, event: ThreadEvent): void {
  const row = sql.get("SELECT run_id FROM graph_threads WHERE thread = ?", [event.thread]);
  if (row !== undefined) appendInside(sql, { ...event, at, runId: String(row["run_id"]) });
}
