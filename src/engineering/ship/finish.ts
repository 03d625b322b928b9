// Brings to an end what follows from modules that are sealed: files, product, Code Index. Every step may be done again.
import { moduleIdOf } from "../../domain/refs.ts";
import type { ShipRecord } from "../../domain/run/ship-record.ts";
import type { Shipped } from "../../protocols/outcome.ts";
import type { StoredShip } from "../../store/local/ship-table.ts";
import type { ShipPorts } from "./port.ts";
import { clearDrafts, commitProduct } from "./product-commit.ts";
import { Shelf } from "./shelf.ts";
import { withShipLease } from "./ship-lease.ts";

/** For the beginning of a run: whatever a crash has interrupted, in the order in which it shipped. */
export async function finishShips(ports: ShipPorts): Promise<Shipped[]> {
  const waiting = await ports.store.ships.unfinished();
  if (waiting.length > 0) return withShipLease(ports, () => finishAll(ports));
  await clearDrafts(ports);
  return [];
}

/** For whoever holds the lease. */
export async function finishAll(ports: ShipPorts): Promise<Shipped[]> {
  const finished: Shipped[] = [];
  for (const ship of await ports.store.ships.unfinished()) finished.push(await finish(ports, ship));
  await clearDrafts(ports);
  return finished;
}

async function finish(ports: ShipPorts, ship: StoredShip): Promise<Shipped> {
  const { store, onStep } = ports;
  const { record } = ship;
  await store.ships.project(ship);
  onStep?.("projected");
  const shelf = await shelfUntil(ports, record);
  const commit = await commitProduct(ports, record, shelf);
  await index(ports, record, shelf);
  onStep?.("indexed");
  await store.ships.finish(ports.fence, record.module, commit);
  onStep?.("finished");
  return { module: record.module, shipId: record.shipId, commit };
}

/** As it was when this shipped: what shipped later has a commit of its own. */
async function shelfUntil({ store }: ShipPorts, { module }: ShipRecord): Promise<Shelf> {
  const records = (await store.ships.list()).map(({ record }) => record);
  return new Shelf(records.slice(0, records.findIndex((record) => record.module === module) + 1));
}

/** Of all versions of a module only the newest is for new work. */
async function index(
  { index: entries, fence }: ShipPorts,
  { module, entry }: ShipRecord,
  shelf: Shelf,
): Promise<void> {
  if ((await entries.get(module)) === undefined) await entries.append(fence, entry);
  const versions = shelf.versionsOf(moduleIdOf(module)).map((record) => record.module);
  const newest = versions.at(-1);
  for (const version of versions) {
    if (version === newest) continue;
    const status = (await entries.get(version))?.status;
    if (status !== undefined && status !== "SUPERSEDED")
      await entries.setStatus(fence, version, "SUPERSEDED", newest);
  }
}
