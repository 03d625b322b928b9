// Sees to it that every call of a thread has exactly one contribution: what came to nothing gets a record that says so.
import { ARTIFACT_PREFIXES } from "../../domain/artifact/artifact-type.ts";
import { ContextPack } from "../../domain/artifact/context-pack.ts";
import { parseOrThrow } from "../../domain/parse.ts";
import type { ArtifactRow } from "../../store/port.ts";
import type { EngineeringPorts } from "../port.ts";
import { pillarOf, type Subject } from "../subject.ts";
import { contributionOf } from "../trail.ts";

type Closing = Pick<EngineeringPorts, "store" | "fence" | "runId">;

/** For a thread that has come to its end: nothing is under way in it any more. */
export async function closeCalls(
  engineering: Closing,
  thread: string,
  { task }: Pick<Subject, "task">,
): Promise<void> {
  const { artifacts } = engineering.store;
  const packs = await artifacts.query({ type: "CONTEXT_PACK", pillar: pillarOf(task) });
  const contributed = new Set(
    (await artifacts.contributions(task.task_id)).map(({ context_pack_ref }) => context_pack_ref),
  );
  for (const row of packs) {
    if (row.envelope.notes !== thread || contributed.has(row.envelope.artifact_id)) continue;
    await close(engineering, row);
  }
}

async function close({ store, fence }: Closing, { envelope, pillar, body }: ArtifactRow): Promise<void> {
  const payload = body["context_pack.json"] ?? "";
  const pack = parseOrThrow(
    ContextPack,
    JSON.parse(String(await store.payloads.get(payload))),
    `the context pack ${envelope.artifact_id}`,
  );
  const { role, run_id, task_ref } = pack.created_for;
  const id = recordOf(pack.context_pack_id);
  const by = { role, run_id };
  await store.artifacts.create(fence, {
    id,
    type: "CALL_RECORD",
    pillar,
    createdBy: by,
    contextPackRef: pack.context_pack_id,
    body: { "call.json": `${JSON.stringify({ role, run_id, taken_over: false }, null, 2)}\n` },
  });
  await store.artifacts.contribute(
    fence,
    contributionOf(pack.context_pack_id, {
      type: "CALL_RECORD",
      produced_by: by,
      artifact_ref: `${id}@1.0.0`,
      task_ref,
      created_at: pack.created_at,
    }),
  );
}

/** One pack, one call, one record. */
function recordOf(pack: string): string {
  return pack.replace(ARTIFACT_PREFIXES.CONTEXT_PACK, ARTIFACT_PREFIXES.CALL_RECORD);
}
