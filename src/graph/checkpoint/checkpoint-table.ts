// The checkpoints of threads, in the order in which they were made; each row holds what changed since its parent.
import type { CheckpointMetadata } from "@langchain/langgraph-checkpoint";
import { z } from "zod";
import { damaged, readJson, readRow } from "../../store/local/row.ts";
import type { Row, Sql } from "../../store/sql.ts";
import { applyChange, changeBetween, EMPTY_HEAD, HeadChange, LONGEST_CHAIN } from "./head.ts";
import type { Head } from "./head.ts";

export interface StoredCheckpoint {
  thread: string;
  ns: string;
  id: string;
  parent: string | null;
  /** How many rows back the last whole head is. */
  depth: number;
  head: Head;
  metadata: CheckpointMetadata;
}

const CheckpointRow = z.strictObject({
  thread: z.string(),
  ns: z.string(),
  id: z.string(),
  parent: z.string().nullable(),
  depth: z.int().min(0).max(LONGEST_CHAIN),
  head: z.string(),
  metadata: z.string(),
});

/** Rows of older releases of the engine may hold more. */
const Metadata = z.looseObject({
  source: z.enum(["input", "loop", "update", "fork"]),
  step: z.int(),
  parents: z.record(z.string(), z.string()),
});

const COLUMNS = "thread, ns, id, parent, depth, head, metadata";
const CHAIN = `
  WITH RECURSIVE chain AS (
    SELECT ${COLUMNS} FROM graph_checkpoints WHERE thread = ? AND ns = ? AND id = ?
    UNION ALL
    SELECT older.thread, older.ns, older.id, older.parent, older.depth, older.head, older.metadata
    FROM graph_checkpoints AS older
    JOIN chain ON chain.depth > 0 AND older.thread = chain.thread AND older.ns = chain.ns AND older.id = chain.parent
  )
  SELECT ${COLUMNS} FROM chain ORDER BY depth`;

/** Inside a transaction. The same id again takes the place of the former. */
export function writeCheckpoint(
  sql: Sql,
  checkpoint: StoredCheckpoint,
  before: StoredCheckpoint | undefined,
): StoredCheckpoint {
  const chained = before !== undefined && before.depth < LONGEST_CHAIN ? before : undefined;
  const depth = chained === undefined ? 0 : chained.depth + 1;
  const { thread, ns, id, parent, head, metadata } = checkpoint;
  sql.run(
    `INSERT INTO graph_checkpoints (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (thread, ns, id) DO UPDATE
     SET parent = excluded.parent, depth = excluded.depth, head = excluded.head, metadata = excluded.metadata`,
    [
      thread,
      ns,
      id,
      parent,
      depth,
      JSON.stringify(changeBetween(chained?.head ?? EMPTY_HEAD, head)),
      JSON.stringify(metadata),
    ],
  );
  return { ...checkpoint, depth };
}

export function findCheckpoint(
  sql: Sql,
  thread: string,
  ns: string,
  id: string,
): StoredCheckpoint | undefined {
  const place = { table: "graph_checkpoints", key: `${thread} ${id}` };
  let checkpoint: StoredCheckpoint | undefined;
  for (const raw of sql.all(CHAIN, [thread, ns, id])) {
    const row = readRow(CheckpointRow, raw, place);
    if (row.depth !== (checkpoint === undefined ? 0 : checkpoint.depth + 1)) {
      throw damaged(place, "  a checkpoint that it rests on is gone");
    }
    const change = readRow(HeadChange, readJson(row.head, place), place);
    const metadata = readRow(Metadata, readJson(row.metadata, place), place);
    checkpoint = { ...row, metadata, head: applyChange(checkpoint?.head ?? EMPTY_HEAD, change) };
  }
  if (checkpoint !== undefined && checkpoint.id !== id)
    throw damaged(place, "  a checkpoint that it rests on is gone");
  return checkpoint;
}

export function latestCheckpoint(sql: Sql, thread: string, ns: string): StoredCheckpoint | undefined {
  const [newest] = sql.all(
    "SELECT id FROM graph_checkpoints WHERE thread = ? AND ns = ? ORDER BY seq DESC LIMIT 1",
    [thread, ns],
  );
  return newest === undefined ? undefined : findCheckpoint(sql, thread, ns, String(newest["id"]));
}

/** The newest first; of every thread or namespace where none is named. */
export function* listCheckpoints(
  sql: Sql,
  thread: string | undefined,
  ns: string | undefined,
): Generator<StoredCheckpoint> {
  const rows = sql.all(
    `SELECT thread, ns, id FROM graph_checkpoints
     WHERE (?1 IS NULL OR thread = ?1) AND (?2 IS NULL OR ns = ?2) ORDER BY seq DESC`,
    [thread ?? null, ns ?? null],
  );
  for (const row of rows) {
    const found = findCheckpoint(sql, ...keyOf(row));
    if (found !== undefined) yield found;
  }
}

function keyOf({ thread, ns, id }: Row): [string, string, string] {
  return [String(thread), String(ns), String(id)];
}
