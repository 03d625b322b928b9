// What became of the consumers of a module whose new version has shipped: read from the proof of that version, not claimed.
import type { TaskRequest } from "../../domain/people/interface-change.ts";
import { moduleIdOf } from "../../domain/refs.ts";
import type { EngineeringPorts, ChangedConsumer } from "../port.ts";
import { proofOf } from "../ship/proof-of.ts";
import { Shelf } from "../ship/shelf.ts";

/** The integration gate at the door runs the suite of everyone who gets the new version; only its PASS counts here. */
export async function consumersAfter(
  { store }: Pick<EngineeringPorts, "store">,
  change: TaskRequest | undefined,
): Promise<{ consumers?: ChangedConsumer[] }> {
  if (change === undefined) return {};
  const { verdicts, neighbours } = await proofOf(store, change.to);
  const passed = verdicts.some(({ gate, verdict }) => gate === "integration" && verdict === "PASS");
  const ran = new Set(passed ? neighbours?.consumers.map(({ name }) => name) : []);
  // As it was at that moment: what shipped later was not there to be run.
  const records = (await store.ships.list()).map(({ record }) => record);
  const shelf = new Shelf(records.slice(0, records.findIndex(({ module }) => module === change.to) + 1));
  const consumers = change.consumers.map(({ module, action }) => {
    const newest = shelf.versionsOf(moduleIdOf(module)).at(-1) ?? shelf.get(module);
    return { module: newest.module, verified: ran.has(newest.folder), action };
  });
  return { consumers };
}
