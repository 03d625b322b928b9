// What nodes of a step have written before the step as a whole was over; after a crash they need not run again.
import { z } from "zod";
import { readRow } from "../../store/local/row.ts";
import type { Sql } from "../../store/sql.ts";
import { DeltaRow, readValue, restore, storedDelta } from "./value-table.ts";
import type { Version } from "./value-table.ts";

interface StepPlace {
  thread: string;
  ns: string;
  checkpoint: string;
}

export interface NewWrite {
  channel: string;
  /** Negative for what the engine notes about the task itself. */
  place: number;
  bytes: Buffer;
  /** The value of the channel before the step. */
  base: Version | undefined;
}

export interface StoredWrite {
  task: string;
  channel: string;
  bytes: Buffer;
}

const WriteRow = DeltaRow.extend({ task: z.string(), place: z.int(), channel: z.string() });

const INSERT = `INTO graph_writes
  (thread, ns, checkpoint, task, place, channel, base, first, last, middle, checksum)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** Inside a transaction. What a task wrote stays as it is; what is noted about it may change. */
export function writeWrites(
  sql: Sql,
  where: StepPlace & { task: string },
  writes: readonly NewWrite[],
): void {
  const onlyNotes = writes.every(({ place }) => place < 0);
  for (const { channel, place, bytes, base } of writes) {
    const { base: baseId, first, last, middle, checksum } = storedDelta(bytes, base);
    sql.run(`INSERT ${onlyNotes ? "OR REPLACE" : "OR IGNORE"} ${INSERT}`, [
      where.thread,
      where.ns,
      where.checkpoint,
      where.task,
      place,
      channel,
      baseId,
      first,
      last,
      middle,
      checksum,
    ]);
  }
}

export function readWrites(sql: Sql, { thread, ns, checkpoint }: StepPlace): StoredWrite[] {
  const rows = sql.all(
    `SELECT task, place, channel, base, first, last, middle, checksum FROM graph_writes
     WHERE thread = ? AND ns = ? AND checkpoint = ? ORDER BY task, place`,
    [thread, ns, checkpoint],
  );
  return rows.map((raw) => {
    const place = { table: "graph_writes", key: `${checkpoint} ${String(raw["task"])}` };
    const row = readRow(WriteRow, raw, place);
    const base = row.base === null ? undefined : readValue(sql, row.base);
    return { task: row.task, channel: row.channel, bytes: restore(row, base, place) };
  });
}
