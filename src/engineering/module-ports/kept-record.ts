// Keeps what came of a thread (what a witness saw, what was found out, what tests showed), once for each time it is told.
import { randomUUID } from "node:crypto";
import { artifactId, idOfType } from "../../domain/artifact/artifact-type.ts";
import type { NodeContext } from "../../graph/port.ts";
import type { KeptRecord } from "../../protocols/port.ts";
import type { Desk } from "./desk.ts";

export async function keepRecord(
  { engineering, making }: Desk,
  context: NodeContext,
  kind: KeptRecord,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const { store, fence, runId } = engineering;
  const id = await context.once(`${kind}:id`, idOfType(kind), async () => artifactId(kind, randomUUID()));
  // The journal has grown since, but the record was made when it was made.
  if (await store.artifacts.has(id)) return id;
  const { artifact_id } = await store.artifacts.create(fence, {
    id,
    type: kind,
    pillar: making.pillar,
    createdBy: { role: "harness", run_id: runId },
    contextPackRef: null,
    notes: context.thread,
    body: { ...files },
  });
  return artifact_id;
}
