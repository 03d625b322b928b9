// The audit of context packs: what every agent tried to see or change, and whether it was let.
import { z } from "zod";
import { parseOrThrow } from "../../domain/parse.ts";
import { IsoTime } from "../../domain/refs.ts";
import type { Fence } from "../port.ts";
import type { Row, Sql } from "../sql.ts";
import { fenced } from "./fence.ts";
import { readJson, readRow } from "./row.ts";
import { Key, StoredText } from "./stored-text.ts";

/** One try. The path is whatever the agent wrote, however strange: an audit that refuses it would hide the attempt. */
export const AuditedAccess = z.strictObject({
  packId: Key,
  at: IsoTime,
  operation: StoredText,
  path: z.string(),
  granted: z.boolean(),
  reason: z.string(),
});
export type AuditedAccess = z.infer<typeof AuditedAccess>;

export interface PackAudit {
  /** All or none. */
  append(fence: Fence, accesses: AuditedAccess[]): Promise<void>;
  /** In the order in which they happened. */
  list(packId?: string): Promise<AuditedAccess[]>;
}

export class LocalPackAudit implements PackAudit {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async append(fence: Fence, accesses: AuditedAccess[]): Promise<void> {
    const checked = accesses.map((access) => parseOrThrow(AuditedAccess, access, "the access"));
    fenced(this.#sql, fence, () => {
      for (const { packId, at, operation, path, granted, reason } of checked) {
        this.#sql.run(
          "INSERT INTO pack_access (pack_id, at, operation, path, granted, reason) VALUES (?, ?, ?, ?, ?, ?)",
          // As JSON: the driver would cut a path at its first NUL.
          [packId, at, operation, JSON.stringify(path), granted ? 1 : 0, JSON.stringify(reason)],
        );
      }
    });
  }

  async list(packId?: string): Promise<AuditedAccess[]> {
    const select = "SELECT seq, pack_id, at, operation, path, granted, reason FROM pack_access";
    const rows =
      packId === undefined
        ? this.#sql.all(`${select} ORDER BY seq`)
        : this.#sql.all(`${select} WHERE pack_id = ? ORDER BY seq`, [packId]);
    return rows.map(accessOf);
  }
}

function accessOf(row: Row): AuditedAccess {
  const place = { table: "pack_access", key: Number(row["seq"]) };
  const { pack_id: packId, at, operation } = row;
  const [path, reason] = [readJson(row["path"], place), readJson(row["reason"], place)];
  const granted = row["granted"] === 1 ? true : row["granted"] === 0 ? false : undefined;
  return readRow(AuditedAccess, { packId, at, operation, path, granted, reason }, place);
}
