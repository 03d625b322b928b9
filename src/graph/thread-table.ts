// The threads: which graph each belongs to, where its way began, and what it came to.
import { z } from "zod";
import { CupelError } from "../domain/error.ts";
import { preview } from "../domain/parse.ts";
import { form } from "../domain/refs.ts";
import { removeLeases } from "../store/local/leases.ts";
import { damaged, readJson, readRow } from "../store/local/row.ts";
import type { Row, Sql } from "../store/sql.ts";
import { fromBytes, toBytes } from "./checkpoint/stored-value.ts";
import { removeCheckpoints } from "./checkpoint/saver.ts";
import { Blob, bytesOf } from "./checkpoint/value-table.ts";
import type { Values } from "./state.ts";
import { Structure } from "./structure.ts";

export const ThreadId = form(/^[\w.:@/-]{1,200}$/, "1 to 200 letters, digits and . : @ / - _");

export const ThreadStatus = z.enum(["open", "finished", "archived"]);
export type ThreadStatus = z.infer<typeof ThreadStatus>;

export interface Thread {
  thread: string;
  runId: string;
  graph: string;
  structure: Structure;
  /** Counts how often it was entered; each way has checkpoints of its own. */
  epoch: number;
  /** The node its present way began at, and with which state. */
  entry: string;
  begunWith: Values;
  status: ThreadStatus;
  endedWith: Values | null;
}

const ThreadRow = z.strictObject({
  thread: z.string(),
  run_id: z.string(),
  graph: z.string(),
  structure: z.string(),
  epoch: z.int().positive(),
  entry: z.string(),
  begun_with: Blob,
  status: ThreadStatus,
  ended_with: Blob.nullable(),
});

const COLUMNS = "thread, run_id, graph, structure, epoch, entry, begun_with, status, ended_with";

/** The name under which the engine knows the present way of a thread. */
export function wayOf({ thread, epoch }: Pick<Thread, "thread" | "epoch">): string {
  return `${thread}#${epoch}`;
}

/** Under which name a thread is held. */
export function leaseOf(thread: string): string {
  return `thread:${thread}`;
}

/** How the names of the leases of all its advisory jobs begin. No thread has a # in its name. */
export function adviceLeasesOf(thread: string): string {
  return `advice:${thread}#`;
}

export function findThread(sql: Sql, thread: string): Thread | undefined {
  const row = sql.get(`SELECT ${COLUMNS} FROM graph_threads WHERE thread = ?`, [thread]);
  return row === undefined || row["thread"] !== thread ? undefined : threadOf(row);
}

export function knownThread(sql: Sql, thread: string): Thread {
  const found = findThread(sql, thread);
  if (found !== undefined) return found;
  throw new CupelError("not_found", `there is no thread ${preview(thread)}`, {
    expected: "a thread that was begun",
  });
}

export function listThreads(sql: Sql): Thread[] {
  return sql.all(`SELECT ${COLUMNS} FROM graph_threads ORDER BY thread`).map(threadOf);
}

/** Inside a transaction. */
export function createThread(
  sql: Sql,
  thread: Omit<Thread, "epoch" | "status" | "endedWith">,
  at: string,
): Thread {
  const created: Thread = { ...thread, epoch: 1, status: "open", endedWith: null };
  const { runId, graph, structure, entry, begunWith } = thread;
  sql.run(
    `INSERT INTO graph_threads (${COLUMNS}, changed_at) VALUES (?, ?, ?, ?, 1, ?, ?, 'open', NULL, ?)`,
    [thread.thread, runId, graph, JSON.stringify(structure), entry, toBytes(begunWith), at],
  );
  return created;
}

/** Inside a transaction. The way before is over: nothing of it can wake up again. */
export function enterThread(sql: Sql, before: Thread, entry: string, begunWith: Values, at: string): Thread {
  removeSteps(sql, before);
  const entered: Thread = {
    ...before,
    epoch: before.epoch + 1,
    entry,
    begunWith,
    status: "open",
    endedWith: null,
  };
  sql.run(
    `UPDATE graph_threads SET epoch = ?, entry = ?, begun_with = ?, status = 'open', ended_with = NULL, changed_at = ?
     WHERE thread = ?`,
    [entered.epoch, entry, toBytes(begunWith), at, before.thread],
  );
  return entered;
}

/** Inside a transaction. */
export function finishThread(sql: Sql, thread: string, endedWith: Values, at: string): void {
  sql.run("UPDATE graph_threads SET status = 'finished', ended_with = ?, changed_at = ? WHERE thread = ?", [
    toBytes(endedWith),
    at,
    thread,
  ]);
}

/** Inside a transaction. What it came to stays; how it got there is in the journal. */
export function archiveThread(sql: Sql, thread: Thread, at: string): void {
  removeSteps(sql, thread);
  sql.run("UPDATE graph_threads SET status = 'archived', changed_at = ? WHERE thread = ?", [
    at,
    thread.thread,
  ]);
  removeLeasesOf(sql, thread.thread);
}

/** Inside a transaction. */
export function removeThread(sql: Sql, thread: Thread): void {
  removeSteps(sql, thread);
  sql.run("DELETE FROM graph_threads WHERE thread = ?", [thread.thread]);
  removeLeasesOf(sql, thread.thread);
}

/** Also the one that this is done under: there is nothing left to hold. */
function removeLeasesOf(sql: Sql, thread: string): void {
  removeLeases(sql, { name: leaseOf(thread), below: adviceLeasesOf(thread) });
}

function removeSteps(sql: Sql, thread: Thread): void {
  removeCheckpoints(sql, wayOf(thread));
  sql.run("DELETE FROM graph_attempts WHERE thread = ?", [thread.thread]);
  sql.run("DELETE FROM graph_once WHERE thread = ?", [thread.thread]);
}

function threadOf(raw: Row): Thread {
  const place = { table: "graph_threads", key: String(raw["thread"]) };
  const row = readRow(ThreadRow, raw, place);
  const values = (bytes: Blob): Values => {
    try {
      return Object(fromBytes(bytesOf(bytes)));
    } catch (cause) {
      throw damaged(place, "  its state cannot be read", cause);
    }
  };
  return {
    thread: row.thread,
    runId: row.run_id,
    graph: row.graph,
    structure: readRow(Structure, readJson(row.structure, place), place),
    epoch: row.epoch,
    entry: row.entry,
    begunWith: values(row.begun_with),
    status: row.status,
    endedWith: row.ended_with === null ? null : values(row.ended_with),
  };
}
