// The moment of a ship, alone in the product: one transaction, and then everything that follows from it.
import type { Shipped } from "../../protocols/outcome.ts";
import type { NewShip } from "../../store/local/ship-table.ts";
import type { Transition } from "../../store/ships.ts";
import { finishAll } from "./finish.ts";
import type { ShipPorts } from "./port.ts";
import { withShipLease } from "./ship-lease.ts";

export type PreparedShip = NewShip & { transitions: Transition[] };

/** `overtaken`: something has shipped meanwhile that the judgement did not know of; nothing was sealed. */
export type Sealing = { kind: "shipped"; shipped: Shipped } | { kind: "overtaken" };

export async function seal(
  ports: ShipPorts,
  prepared: PreparedShip,
  isUnchanged: () => Promise<boolean>,
): Promise<Sealing> {
  return withShipLease(ports, async (lease) => {
    ports.onStep?.("leased");
    await finishAll(ports);
    // Under the lease nobody else can change it any more.
    if (!(await isUnchanged())) return { kind: "overtaken" };
    await ports.store.ships.commit(ports.fence, lease, prepared);
    ports.onStep?.("sealed");
    const [shipped] = (await finishAll(ports)).slice(-1);
    if (shipped === undefined) throw new Error("a module was sealed and did not ship");
    return { kind: "shipped", shipped };
  });
}
