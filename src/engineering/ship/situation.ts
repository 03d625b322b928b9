// What else has shipped that bears upon a candidate: earlier versions, whoever imports it, and whose folder it wants.
import { canonicalHash } from "../../domain/canonical.ts";
import { CupelError } from "../../domain/error.ts";
import type { ShipRecord } from "../../domain/run/ship-record.ts";
import type { Candidate } from "../../protocols/outcome.ts";
import type { ShipAnswer } from "../../protocols/port.ts";
import { consumerRecords } from "./bench.ts";
import { nextVersion } from "./next-version.ts";
import type { ShipOrder, ShipPorts } from "./port.ts";
import { type Shelf, shelfOf } from "./shelf.ts";

export interface Situation {
  kind: "open";
  shelf: Shelf;
  /** The version that it follows. */
  before: ShipRecord | undefined;
  /** The same as long as nothing that the judgement rests on has changed. */
  key: string;
}

/** The candidate cannot ship, whatever its code is like. */
export type Barred = ShipAnswer & { kind: "barred" };

export async function situationOf(
  { store }: ShipPorts,
  { assignment }: ShipOrder,
  { contract }: Candidate,
): Promise<Situation | Barred> {
  const { module_id: id, module_version: version } = contract;
  if (version !== assignment.version)
    throw new CupelError("invalid_input", `the contract is that of ${id}@${version}`, {
      expected: `${id}@${assignment.version}, as it was assigned`,
    });
  const shelf = await shelfOf({ store });
  const owner = shelf.ownerOf(assignment.folder);
  const home = shelf.versionsOf(id).at(-1)?.folder ?? assignment.folder;
  if ((owner !== undefined && owner !== id) || home !== assignment.folder)
    return {
      kind: "barred",
      why: `${id} cannot ship into modules/${assignment.folder}: ${home === assignment.folder ? `it has become the folder of ${owner}` : `its own is modules/${home}`}`,
    };
  const next = await nextVersion(store, shelf, contract);
  if (next.kind === "wrong") return { kind: "barred", why: next.why };
  const { before } = next;
  const consumers = consumerRecords(contract, shelf).map(({ module }) => module);
  const versions = shelf.versionsOf(id).map(({ module }) => module);
  return { kind: "open", shelf, before, key: canonicalHash([versions, consumers, before?.module ?? null]) };
}
