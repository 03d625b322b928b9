// Locks a contract: from then on this is what is built. The same contract locked again is the same lock.
import { randomUUID } from "node:crypto";
import { artifactId, idOfType } from "../../domain/artifact/artifact-type.ts";
import { contractLock } from "../../domain/contract/fingerprint.ts";
import type { MicroModuleContract } from "../../domain/contract/contract.ts";
import type { NodeContext } from "../../graph/port.ts";
import type { Locked } from "../../protocols/port.ts";
import type { ArtifactRow } from "../../store/port.ts";
import type { Desk } from "./desk.ts";

export async function lock(
  { engineering, making }: Desk,
  context: NodeContext,
  contract: MicroModuleContract,
): Promise<Locked> {
  const { store, fence, runId } = engineering;
  const hash = contractLock(contract);
  if (making.contractRef !== undefined) return { ref: making.contractRef, lock: hash };
  const debated = await findContract(engineering, making.pillar, context.thread, contract);
  if (debated !== undefined) return { ref: refOf(debated), lock: hash };
  const id = await context.once(`lock:${hash}`, idOfType("CONTRACT"), async () =>
    artifactId("CONTRACT", randomUUID()),
  );
  const envelope = await store.artifacts.create(fence, {
    id,
    type: "CONTRACT",
    pillar: making.pillar,
    createdBy: { role: "harness", run_id: runId },
    contextPackRef: null,
    notes: context.thread,
    body: contractBody(contract),
  });
  return { ref: `${envelope.artifact_id}@${envelope.version}`, lock: hash };
}

/** Threads are told apart by the notes: what another attempt agreed upon is not carried over. */
async function findContract(
  { store }: Desk["engineering"],
  pillar: string,
  thread: string,
  contract: MicroModuleContract,
): Promise<ArtifactRow | undefined> {
  const text = contractBody(contract)["contract.json"];
  const payload = await store.payloads.put(text);
  const rows = await store.artifacts.query({ type: "CONTRACT", pillar });
  return rows.findLast((row) => row.envelope.notes === thread && row.body["contract.json"] === payload);
}

export function contractBody(contract: MicroModuleContract): { "contract.json": string } {
  return { "contract.json": `${JSON.stringify(contract, null, 2)}\n` };
}

function refOf({ envelope }: ArtifactRow): string {
  return `${envelope.artifact_id}@${envelope.version}`;
}
