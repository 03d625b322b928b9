// The journal: what happened, in one order for everybody, appended and never changed.
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { CupelError } from "../../domain/error.ts";
import { parseOrThrow } from "../../domain/parse.ts";
import { RunEvent } from "../../domain/run/run-event.ts";
import type { Fence, Journal, UnnumberedEvent } from "../port.ts";
import type { Row, Sql } from "../sql.ts";
import { assertFence, fenced } from "./fence.ts";
import { readJson, readRow } from "./row.ts";
import { Key } from "./stored-text.ts";

const Count = z.int().nonnegative();
const TAIL_BATCH = 500;

/** The number is not left to the database: its own numbering may skip, and a gap is how lost events are found. */
const INSERT_EVENT = `
  INSERT INTO journal (seq, run_id, at, kind, event)
  SELECT coalesce((SELECT max(seq) FROM journal), 0) + 1, ?, ?, ?, ?`;

/** Checks the fence in the same statement. */
const INSERT = `${INSERT_EVENT} FROM leases WHERE name = ? AND token = ? AND holder IS NOT NULL`;

export class LocalJournal implements Journal {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async append(fence: Fence, events: UnnumberedEvent[]): Promise<RunEvent[]> {
    const checked = events.map(check);
    const insertAll = () => checked.map((event) => this.#insert(fence, event));
    // One statement is a transaction by itself; several need one around them.
    return checked.length === 1 ? insertAll() : fenced(this.#sql, fence, insertAll);
  }

  #insert(fence: Fence, event: RunEvent): RunEvent {
    const { seq: _, ...unnumbered } = event;
    // The driver mends broken characters on the way in, which could find the lease of another name.
    if (!fence.name.isWellFormed()) assertFence(this.#sql, fence);
    const seq = this.#sql.insert(INSERT, [
      event.runId,
      event.at,
      event.kind,
      JSON.stringify(unnumbered),
      fence.name,
      fence.token,
    ]);
    if (seq !== undefined) return { ...event, seq };
    assertFence(this.#sql, fence);
    throw new Error("the journal refused an event although the fence holds");
  }

  async read(after: number, limit: number, runId?: string): Promise<RunEvent[]> {
    const page = [
      parseOrThrow(Count, after, "the place to read after"),
      parseOrThrow(Count, limit, "the limit"),
    ];
    const rows =
      runId === undefined
        ? this.#sql.all("SELECT seq, event FROM journal WHERE seq > ? ORDER BY seq LIMIT ?", page)
        : this.#sql.all("SELECT seq, event FROM journal WHERE run_id = ? AND seq > ? ORDER BY seq LIMIT ?", [
            runId,
            ...page,
          ]);
    return rows.map(eventOf);
  }

  async latest(): Promise<number> {
    return this.#newest();
  }

  #newest(): number {
    return Number(this.#sql.get("SELECT max(seq) AS seq FROM journal")?.["seq"] ?? 0);
  }
}

/** For transactions that have checked the fence. */
export function appendInside(sql: Sql, event: UnnumberedEvent): void {
  const { seq: _, ...checked } = check(event);
  sql.run(INSERT_EVENT, [checked.runId, checked.at, checked.kind, JSON.stringify(checked)]);
}

export interface TailOptions {
  /** Ends the tail; the events already read are the last. */
  signal: AbortSignal;
  /** How long to wait before looking again. */
  pollMs?: number;
}

/** Follows a journal from any process: what is there, then what comes. */
export async function* tail(journal: Journal, after: number, options: TailOptions): AsyncGenerator<RunEvent> {
  const { signal, pollMs = 50 } = options;
  let place = after;
  while (!signal.aborted) {
    const events = await journal.read(place, TAIL_BATCH);
    for (const event of events) {
      if (signal.aborted) return;
      yield event;
      place = event.seq;
    }
    if (events.length === 0) await pause(pollMs, signal);
  }
}

function check(event: UnnumberedEvent): RunEvent {
  if (Object.hasOwn(event, "seq")) {
    throw new CupelError("invalid_input", "the event has a place in the journal already", {
      expected: "an event without seq: the journal gives it",
    });
  }
  const checked = parseOrThrow(RunEvent, { ...event, seq: 0 }, "the event");
  parseOrThrow(Key, checked.runId, "the event's runId");
  return checked;
}

function eventOf(row: Row): RunEvent {
  const place = { table: "journal", key: Number(row["seq"]) };
  return readRow(RunEvent, { ...Object(readJson(row["event"], place)), seq: place.key }, place);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch (cause) {
    if (!signal.aborted) throw cause;
  }
}
