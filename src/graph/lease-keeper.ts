// Holds the lease of one thread while its run goes on, and notices when somebody else has taken it.
import { hasCode } from "../domain/environment-error.ts";
import { readLease } from "../store/local/fence.ts";
import type { Fence, Leases } from "../store/port.ts";
import type { Sql } from "../store/sql.ts";

/** Several may be missed before the lease runs out. */
const BEATS_PER_LIFE = 4;

export class LeaseKeeper {
  readonly #leases: Leases;
  readonly #fence: Fence;
  readonly #timer: ReturnType<typeof setInterval>;

  constructor(leases: Leases, fence: Fence, ttlMs: number, lost: (cause: unknown) => void) {
    this.#leases = leases;
    this.#fence = fence;
    this.#timer = setInterval(() => void this.#beat(ttlMs, lost), Math.max(1, ttlMs / BEATS_PER_LIFE));
    // A process that has nothing else to do may end.
    this.#timer.unref();
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    try {
      await this.#leases.release(this.#fence);
    } catch (cause) {
      // Whoever took it over has it now; that is for the run to tell.
      if (!hasCode(cause, "stale_fence")) throw cause;
    }
  }

  async #beat(ttlMs: number, lost: (cause: unknown) => void): Promise<void> {
    try {
      await this.#leases.heartbeat(this.#fence, ttlMs);
    } catch (cause) {
      // A busy or full database may be better the next time; a lease that is gone stays gone.
      if (hasCode(cause, "stale_fence")) lost(cause);
    }
  }
}

export function holderOf(sql: Sql, name: string): string {
  return readLease(sql, name)?.holder ?? "nobody any more";
}
