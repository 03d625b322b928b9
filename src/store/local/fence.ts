// The check that keeps a writer who lost its lease from overwriting the work of the one who has it now.
import { z } from "zod";
import { CupelError } from "../../domain/error.ts";
import { preview } from "../../domain/parse.ts";
import type { Fence } from "../port.ts";
import type { Sql } from "../sql.ts";
import { readRow } from "./row.ts";

/** A released lease keeps its row, without a holder, so that its tokens go on. */
export const LeaseRow = z.strictObject({
  name: z.string(),
  holder: z.string().nullable(),
  token: z.int().positive(),
  expires_at: z.int(),
});
export type LeaseRow = z.infer<typeof LeaseRow>;

/** All or nothing, and nothing at all with a stale fence: check and write share one transaction. */
export function fenced<T>(sql: Sql, fence: Fence, write: () => T): T {
  return sql.transact(() => {
    assertFence(sql, fence);
    return write();
  });
}

/**
 * To be called inside the transaction that writes. A lease that has expired but that nobody took over still holds:
 * nobody else can have written in its name, and a slow heartbeat alone should not end a run.
 */
export function assertFence(sql: Sql, fence: Fence): void {
  const lease = readLease(sql, fence.name);
  if (lease !== undefined && lease.holder !== null && lease.token === fence.token) return;
  throw new CupelError("stale_fence", `${lost(fence, lease)}; nothing was written`, {
    expected: "the newest token of a lease that is held",
    hint: "stop this work, then run the same command again: it takes the lease when it is free",
  });
}

export function readLease(sql: Sql, name: string): LeaseRow | undefined {
  const row = sql.get("SELECT name, holder, token, expires_at FROM leases WHERE name = ?", [name]);
  // The driver mends broken characters on the way in, which could find the lease of another name.
  if (row === undefined || row["name"] !== name) return undefined;
  return readRow(LeaseRow, row, { table: "leases", key: name });
}

function lost({ name, token }: Fence, lease: LeaseRow | undefined): string {
  const subject = `the lease ${preview(name)}`;
  if (lease === undefined) return `${subject} does not exist`;
  if (lease.holder === null) return `${subject} was released and nobody holds it now`;
  return `${subject} is held by ${preview(lease.holder)} now (token ${lease.token}, not ${token})`;
}
