// Whose word a release rests on besides the gates': tasks that people abandoned or vouched for, modules that they let out.
import { parse, parseOrThrow } from "../domain/parse.ts";
import { EscalationArtifact } from "../domain/people/escalation.ts";
import type { ReleaseManifest } from "../domain/people/release.ts";
import { ShipEvidence } from "../domain/people/ship-evidence.ts";
import { SHIP } from "../engineering/ship/module-files.ts";
import type { Placed } from "../engineering/ship/shelf.ts";
import { everyEvent } from "../store/every-event.ts";
import type { StateStore } from "../store/state-store.ts";
import type { ReleaseScope } from "./scope.ts";

export type PersonsWords = Pick<ReleaseManifest, "abandoned_tasks" | "overrides" | "attestations">;

export async function personsWords(
  store: StateStore,
  { tasks, abandoned }: ReleaseScope,
  placed: readonly Placed[],
): Promise<PersonsWords> {
  const reasons = abandoned.length === 0 ? new Map<string, string>() : await abandonReasons(store);
  const released = new Set(placed.map(({ record }) => record.module));
  const attested = await attestations(store);
  return {
    abandoned_tasks: abandoned.map(({ task, entry }) => ({
      task_id: task,
      reason: reasons.get(task) ?? "abandoned",
      superseded_by: entry.superseded_by,
    })),
    overrides: (await Promise.all(placed.map((each) => overrideOf(store, each)))).flat(),
    attestations: tasks.flatMap(({ task, entry }) => {
      const word = attested.get(task);
      if (word === undefined) return [];
      const module_refs = entry.module_refs.filter((module) => released.has(module));
      return [{ task_id: task, module_refs, ...word }];
    }),
  };
}

/** The newest word counts. */
async function abandonReasons({ journal }: StateStore): Promise<Map<string, string>> {
  const reasons = new Map<string, string>();
  for await (const event of everyEvent(journal))
    if (event.kind === "task_transitioned" && event.to === "ABANDONED") reasons.set(event.task, event.why);
  return reasons;
}

async function overrideOf(store: StateStore, { record }: Placed): Promise<PersonsWords["overrides"]> {
  const ref = (await store.modules.get(record.module)).files[SHIP];
  if (ref === undefined) return [];
  const evidence = parseOrThrow(
    ShipEvidence,
    JSON.parse(String(await store.payloads.get(ref))),
    `the evidence of ${record.module}`,
  );
  return evidence.override === undefined ? [] : [{ module_ref: record.module, ...evidence.override }];
}

type Word = { escalation_ref: string; rationale: string };

/** From the escalations that were answered so; what is no such record says nothing. */
async function attestations({ artifacts }: StateStore): Promise<Map<string, Word>> {
  const words = new Map<string, Word>();
  for (const { envelope, body } of await artifacts.query({ type: "ESCALATION" })) {
    if (body[ESCALATION] === undefined) continue;
    const text = String(await artifacts.readBody(envelope.artifact_id, ESCALATION));
    const parsed = parse(EscalationArtifact, JSON.parse(text));
    if (parsed.kind === "invalid") continue;
    const { task_id, escalation_id, resolution } = parsed.value;
    if (resolution?.action === "ATTEST_SHIPPED")
      words.set(task_id, { escalation_ref: escalation_id, rationale: resolution.rationale });
  }
  return words;
}

const ESCALATION = "escalation.json";
