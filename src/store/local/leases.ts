// Who may write in whose name: leases that expire, and whose tokens grow with every owner.
import { z } from "zod";
import { parseOrThrow } from "../../domain/parse.ts";
import type { Fence, LeaseInfo, LeaseResult, Leases } from "../port.ts";
import type { Sql } from "../sql.ts";
import { fenced, LeaseRow, readLease } from "./fence.ts";
import { readRow } from "./row.ts";
import { Key } from "./stored-text.ts";

/** A lease must run out soon enough after its holder died; a day is far beyond any heartbeat. */
const TimeToLive = z.int().min(1).max(86_400_000);

export class LocalLeases implements Leases {
  readonly #sql: Sql;
  readonly #now: () => number;

  constructor(sql: Sql, now: () => number) {
    this.#sql = sql;
    this.#now = now;
  }

  /** A holder that asks again gets a new token too: its former self, before a crash, may still be writing. */
  async acquire(name: string, holder: string, ttlMs: number): Promise<LeaseResult> {
    parseOrThrow(Key, name, "the name of the lease");
    parseOrThrow(Key, holder, "the holder of the lease");
    const ttl = parseOrThrow(TimeToLive, ttlMs, "the lease's time to live in milliseconds");
    return this.#sql.transact(() => {
      const now = this.#now();
      const lease = readLease(this.#sql, name);
      if (lease !== undefined && lease.holder !== null && lease.holder !== holder && lease.expires_at > now) {
        return { kind: "held", by: lease.holder, expiresAt: isoTime(lease.expires_at) };
      }
      const token = (lease?.token ?? floorOf(this.#sql)) + 1;
      this.#sql.run(
        `INSERT INTO leases (name, holder, token, expires_at) VALUES (?, ?, ?, ?)
         ON CONFLICT (name) DO UPDATE
         SET holder = excluded.holder, token = excluded.token, expires_at = excluded.expires_at`,
        [name, holder, token, now + ttl],
      );
      return { kind: "acquired", fence: { name, token } };
    });
  }

  async heartbeat(fence: Fence, ttlMs: number): Promise<void> {
    const ttl = parseOrThrow(TimeToLive, ttlMs, "the lease's time to live in milliseconds");
    fenced(this.#sql, fence, () =>
      this.#sql.run("UPDATE leases SET expires_at = ? WHERE name = ?", [this.#now() + ttl, fence.name]),
    );
  }

  async release(fence: Fence): Promise<void> {
    fenced(this.#sql, fence, () =>
      this.#sql.run("UPDATE leases SET holder = NULL, expires_at = 0 WHERE name = ?", [fence.name]),
    );
  }

  async assert(fence: Fence): Promise<void> {
    fenced(this.#sql, fence, () => undefined);
  }

  /** Also those that have expired, as long as nobody took them over. */
  async list(): Promise<LeaseInfo[]> {
    const rows = this.#sql.all(
      "SELECT name, holder, token, expires_at FROM leases WHERE holder IS NOT NULL ORDER BY name",
    );
    return rows.map((row) => {
      const lease = readRow(LeaseRow, row, { table: "leases", key: String(row["name"]) });
      const { name, holder, token, expires_at } = lease;
      return { name, holder: holder ?? "", token, expiresAt: isoTime(expires_at) };
    });
  }
}

/** Inside a transaction. Whoever still holds one of them can write nothing any more, also when the names come back. */
export function removeLeases(sql: Sql, { name, below }: { name: string; below: string }): void {
  const which = "name = ?1 OR (name >= ?2 AND name < ?2 || char(1114111))";
  sql.run(
    `UPDATE lease_floor SET token = max(token, (SELECT coalesce(max(token), 0) FROM leases WHERE ${which}))`,
    [name, below],
  );
  sql.run(`DELETE FROM leases WHERE ${which}`, [name, below]);
}

function floorOf(sql: Sql): number {
  return Number(sql.get("SELECT token FROM lease_floor")?.["token"]);
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
