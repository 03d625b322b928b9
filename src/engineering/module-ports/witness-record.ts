// Keeps what a witness saw and what came of a thread, once for each time the thread comes to its end.
import { randomUUID } from "node:crypto";
import { artifactId, idOfType } from "../../domain/artifact/artifact-type.ts";
import type { NodeContext } from "../../graph/port.ts";
import type { Desk } from "./desk.ts";

export async function keepWitness(
  { engineering, making }: Desk,
  context: NodeContext,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const { store, fence, runId } = engineering;
  const id = await context.once("witness:id", idOfType("WITNESS_REPORT"), async () =>
    artifactId("WITNESS_REPORT", randomUUID()),
  );
  // The journal has grown since, but the report was made when it was made.
  if (await store.artifacts.has(id)) return id;
  const { artifact_id } = await store.artifacts.create(fence, {
    id,
    type: "WITNESS_REPORT",
    pillar: making.pillar,
    createdBy: { role: "harness", run_id: runId },
    contextPackRef: null,
    notes: context.thread,
    body: { ...files },
  });
  return artifact_id;
}
