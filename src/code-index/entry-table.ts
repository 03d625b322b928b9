// The ledger: every entry as it was appended, and beside it what may change.
import { z } from "zod";
import { sha256Hex } from "../domain/canonical.ts";
import { DIMENSIONS } from "../domain/contract/contract.ts";
import { CodeIndexEntry, embeddingText, IndexStatus } from "../domain/plan/reuse.ts";
import { moduleIdOf, versionOf } from "../domain/refs.ts";
import { compareSemver } from "../domain/semver.ts";
import { readJson, readRow } from "../store/local/row.ts";
import type { Row, Sql } from "../store/sql.ts";
import type { ListFilter, Revised } from "./port.ts";

export interface StoredEntry extends Revised {
  seq: number;
  /** What was appended, as JSON with its keys in order. */
  original: string;
}

const EntryRow = z.strictObject({
  seq: z.int().positive(),
  entry: z.string(),
  status: IndexStatus,
  superseded_by: z.string().nullable(),
  notes: z.string(),
  revision: z.int().positive(),
});

const SELECT = "SELECT seq, entry, status, superseded_by, notes, revision FROM code_index";
const NEXT_REVISION = "(SELECT coalesce(max(revision), 0) + 1 FROM code_index)";

export function refOf({ module_id, version }: Pick<CodeIndexEntry, "module_id" | "version">): string {
  return `${module_id}@${version}`;
}

export function findEntry(sql: Sql, ref: string): StoredEntry | undefined {
  const row = sql.get(`${SELECT} WHERE module_id = ? AND version = ?`, [moduleIdOf(ref), versionOf(ref)]);
  return row === undefined ? undefined : storedEntry(row);
}

export function entryAt(sql: Sql, seq: number): StoredEntry | undefined {
  const row = sql.get(`${SELECT} WHERE seq = ?`, [seq]);
  return row === undefined ? undefined : storedEntry(row);
}

export function listEntries(sql: Sql, { status, moduleId }: ListFilter): CodeIndexEntry[] {
  const rows = sql.all(
    `${SELECT} WHERE (?1 IS NULL OR status = ?1) AND (?2 IS NULL OR module_id = ?2) ORDER BY module_id`,
    [status ?? null, moduleId ?? null],
  );
  return inOrder(rows);
}

/** Entries that speak of a module among their dependencies, and perhaps some others. */
export function entriesThatName(sql: Sql, moduleId: string): CodeIndexEntry[] {
  return inOrder(sql.all(`${SELECT} WHERE instr(entry, ?) > 0 ORDER BY module_id`, [`"${moduleId}@`]));
}

export function entriesAfter(sql: Sql, revision: number, limit: number): Revised[] {
  const rows = sql.all(`${SELECT} WHERE revision > ? ORDER BY revision LIMIT ?`, [revision, limit]);
  return rows.map(storedEntry);
}

export function countEntries(sql: Sql): number {
  return Number(sql.get("SELECT count(*) AS count FROM code_index")?.["count"] ?? 0);
}

/** Inside a transaction; gives its place in the ledger. */
export function insertEntry(sql: Sql, entry: CodeIndexEntry): number {
  const { module_id, version, status, superseded_by, notes } = entry;
  const seq = sql.insert(
    `INSERT INTO code_index (module_id, version, entry, text_hash, status, superseded_by, notes, revision)
     VALUES (?, ?, ?, ?, ?, ?, ?, ${NEXT_REVISION})`,
    [
      module_id,
      version,
      originalOf(entry),
      sha256Hex(embeddingText(entry)),
      status,
      superseded_by ?? null,
      JSON.stringify(notes),
    ],
  );
  if (seq === undefined) throw new Error(`${refOf(entry)} was not inserted`);
  return seq;
}

/** Inside a transaction. */
export function changeEntry(
  sql: Sql,
  seq: number,
  { status, superseded_by, notes }: Pick<CodeIndexEntry, "status" | "superseded_by" | "notes">,
): void {
  sql.run(
    `UPDATE code_index SET status = ?, superseded_by = ?, notes = ?, revision = ${NEXT_REVISION} WHERE seq = ?`,
    [status, superseded_by ?? null, JSON.stringify(notes), seq],
  );
}

/** In one order of keys; JSON also keeps what the driver would not: NUL and halves of surrogate pairs. */
export function originalOf(entry: CodeIndexEntry): string {
  const io_summary = Object.fromEntries(
    DIMENSIONS.map((dimension) => [dimension, entry.io_summary[dimension]]),
  );
  const ordered = Object.entries({ ...entry, io_summary }).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(Object.fromEntries(ordered));
}

function storedEntry(raw: Row): StoredEntry {
  const place = { table: "code_index", key: Number(raw["seq"]) };
  const { seq, entry, status, superseded_by, notes, revision } = readRow(EntryRow, raw, place);
  const now = {
    ...Object(readJson(entry, place)),
    status,
    notes: readJson(notes, place),
    ...(superseded_by === null ? {} : { superseded_by }),
  };
  return { seq, original: entry, revision, entry: readRow(CodeIndexEntry, now, place) };
}

function inOrder(rows: Row[]): CodeIndexEntry[] {
  return rows
    .map((row) => storedEntry(row).entry)
    .toSorted((a, b) => (a.module_id === b.module_id ? compareSemver(a.version, b.version) : 0));
}
