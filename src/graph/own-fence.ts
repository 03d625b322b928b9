// The fence of a thread for what happens in its name outside of its runner: only in the process that holds the thread.
import { CupelError } from "../domain/error.ts";
import { preview } from "../domain/parse.ts";
import { readLease } from "../store/local/fence.ts";
import type { Fence } from "../store/port.ts";
import type { Sql } from "../store/sql.ts";
import { leaseOf } from "./thread-table.ts";

/** Refused when somebody else has taken the thread over; to be checked again by whoever writes with it. */
export function ownFence(sql: Sql, thread: string, holder: string): Fence {
  const name = leaseOf(thread);
  const lease = readLease(sql, name);
  if (lease?.holder === holder) return { name, token: lease.token };
  const now = lease?.holder == null ? "nobody runs it" : `${preview(lease.holder)} runs it`;
  throw new CupelError("stale_fence", `the thread ${preview(thread)} does not run here: ${now}`, {
    expected: "a thread that this process runs",
  });
}
