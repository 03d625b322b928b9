// One ship, and one release, at a time for each product: the state that was judged is the state that is sealed.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { CupelError } from "../../domain/error.ts";
import { LeaseKeeper } from "../../graph/lease-keeper.ts";
import type { Fence } from "../../store/port.ts";
import type { ShipPorts } from "./port.ts";

const LEASE_MS = 8_000;
const LOOK_MS = 25;
/** Far longer than ships take that wait for each other. */
const PATIENCE_MS = 5 * 60_000;

type Leasing = Pick<ShipPorts, "store" | "runId" | "leaseMs">;

/** Waits until nobody else ships, then works with the lease. */
export function withShipLease<T>(ports: Leasing, work: (lease: Fence) => Promise<T>): Promise<T> {
  return withLease(ports, "ship", work);
}

export async function withLease<T>(
  ports: Leasing,
  name: "ship" | "release",
  work: (lease: Fence) => Promise<T>,
): Promise<T> {
  const { leases } = ports.store;
  const ttlMs = ports.leaseMs ?? LEASE_MS;
  // Not even this process may take it over from itself.
  const holder = `${ports.runId} ${process.pid} ${randomUUID()}`;
  const fence = await waitFor(ports, name, holder, ttlMs);
  // Who has lost it is told by the first write that is refused.
  const keeper = new LeaseKeeper(leases, fence, ttlMs, () => undefined);
  try {
    return await work(fence);
  } finally {
    await keeper.release();
  }
}

async function waitFor({ store }: Leasing, name: string, holder: string, ttlMs: number): Promise<Fence> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const lease = await store.leases.acquire(name, holder, ttlMs);
    if (lease.kind === "acquired") return lease.fence;
    if (Date.now() > end)
      throw new CupelError("store_busy", `${lease.by} has held the ${name} for too long`, {
        hint: "wait until it has ended and run the same command again",
      });
    await sleep(LOOK_MS);
  }
}
