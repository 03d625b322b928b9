// The values of a thread's state: each version once, and of a version only what is new against the one before.
import { types } from "node:util";
import { crc32 } from "node:zlib";
import { z } from "zod";
import { damaged, readRow } from "../../store/local/row.ts";
import type { Sql } from "../../store/sql.ts";
import { applyDelta, deltaBetween } from "./delta.ts";
import type { Delta } from "./delta.ts";

/** A value is written whole after so many versions, so that reading one never walks further back. */
const LONGEST_CHAIN = 128;

export interface Version {
  id: number;
  bytes: Buffer;
  depth: number;
}

/** Bytes as the driver gives them: bare ones in a list of rows, a view of them in a single row. */
export const Blob = z.custom<ArrayBuffer | Uint8Array<ArrayBuffer>>(
  (value) => types.isArrayBuffer(value) || types.isUint8Array(value),
  "bytes",
);
export type Blob = z.infer<typeof Blob>;

export function bytesOf(blob: Blob): Buffer {
  return types.isUint8Array(blob)
    ? Buffer.from(blob.buffer, blob.byteOffset, blob.byteLength)
    : Buffer.from(blob);
}

export const DeltaRow = z.strictObject({
  base: z.int().positive().nullable(),
  first: z.int().nonnegative(),
  last: z.int().nonnegative(),
  middle: Blob,
  checksum: z.int(),
});
export type DeltaRow = z.infer<typeof DeltaRow>;

export interface StoredDelta extends Delta {
  base: number | null;
  checksum: number;
}

const ValueRow = DeltaRow.extend({ id: z.int().positive(), depth: z.int().nonnegative() });

const CHAIN = `
  WITH RECURSIVE chain AS (
    SELECT id, base, depth, first, last, middle, checksum FROM graph_values WHERE id = ?
    UNION ALL
    SELECT older.id, older.base, older.depth, older.first, older.last, older.middle, older.checksum
    FROM graph_values AS older JOIN chain ON older.id = chain.base
  )
  SELECT id, base, depth, first, last, middle, checksum FROM chain ORDER BY depth`;

/** Inside a transaction. The version before is given back where nothing has changed. */
export function writeValue(sql: Sql, thread: string, bytes: Buffer, before: Version | undefined): Version {
  if (before !== undefined && before.bytes.equals(bytes)) return before;
  const chained = before !== undefined && before.depth < LONGEST_CHAIN ? before : undefined;
  const { base, first, last, middle, checksum } = storedDelta(bytes, chained);
  const depth = base === null || chained === undefined ? 0 : chained.depth + 1;
  const id = sql.insert(
    "INSERT INTO graph_values (thread, base, depth, first, last, middle, checksum) VALUES (?, ?, ?, ?, ?, ?, ?)",
    [thread, base, depth, first, last, middle, checksum],
  );
  if (id === undefined) throw new Error("the database took no value");
  return { id, bytes, depth };
}

export function readValue(sql: Sql, id: number): Version {
  const place = { table: "graph_values", key: id };
  let version: Version | undefined;
  for (const raw of sql.all(CHAIN, [id])) {
    const row = readRow(ValueRow, raw, place);
    version = { id: row.id, depth: row.depth, bytes: restore(row, version, place) };
  }
  if (version?.id !== id) throw damaged(place, "  it is gone, or the value it rests on is");
  return version;
}

/** Whole where a delta would save little. */
export function storedDelta(bytes: Buffer, base: Version | undefined): StoredDelta {
  const checksum = crc32(bytes);
  if (base !== undefined) {
    const delta = deltaBetween(base.bytes, bytes);
    if (delta.middle.length < bytes.length * 0.75) return { base: base.id, ...delta, checksum };
  }
  return { base: null, first: 0, last: 0, middle: bytes, checksum };
}

export function restore(
  stored: DeltaRow,
  base: Version | undefined,
  place: { table: string; key: string | number },
): Buffer {
  let bytes = bytesOf(stored.middle);
  if (stored.base !== null) {
    if (base?.id !== stored.base) throw damaged(place, "  the value it rests on is gone");
    try {
      bytes = applyDelta(base.bytes, { ...stored, middle: bytes });
    } catch (cause) {
      throw damaged(place, "  it does not fit the value it rests on", cause);
    }
  }
  if (crc32(bytes) !== stored.checksum) throw damaged(place, "  its checksum is wrong");
  return bytes;
}
