// A person's resolution, kept beside the escalation that it answers: a further version of its artifact, and a file.
import { sha256Hex } from "../../domain/canonical.ts";
import { parse, parseOrThrow } from "../../domain/parse.ts";
import { EscalationArtifact } from "../../domain/people/escalation.ts";
import type { HumanResolution } from "../../domain/people/resolution.ts";
import type { StateStore } from "../../store/state-store.ts";
import type { ProjectDesk } from "../project.ts";

const ESCALATION = "escalation.json";

/** `question` is whose answer it was: the same again keeps nothing twice. */
export async function keepResolution(
  { store, fence, runId }: ProjectDesk,
  escalation: EscalationArtifact,
  { question, resolution }: { question: string; resolution: HumanResolution },
): Promise<void> {
  const original = escalation.escalation_id;
  const id = `ESC-${sha256Hex(`${original} ${question}`).slice(0, 8)}`;
  const record = { ...escalation, resolution };
  const versions = await store.artifacts.query({ type: "ESCALATION", lineage: original });
  const place = versions.findIndex(({ envelope }) => envelope.artifact_id === id);
  const number = place === -1 ? versions.length : place;
  if (place === -1) {
    await store.artifacts.create(fence, {
      id,
      type: "ESCALATION",
      pillar: (await store.artifacts.get(original)).pillar,
      createdBy: { role: "person", run_id: runId },
      contextPackRef: null,
      successorOf: { artifactId: original, version: `1.${number}.0` },
      notes: resolution.action,
      body: { [ESCALATION]: JSON.stringify(record, null, 2) },
    });
  }
  // Again after a crash between the two.
  await store.documents.write(fence, "escalations", `${original}.resolution-${number}.json`, record);
}

/** As the question shows it; from its artifact where the question is another one. */
export async function escalationFor(
  store: StateStore,
  body: unknown,
  ref: string | null,
): Promise<EscalationArtifact | undefined> {
  const shown = parse(EscalationArtifact, body);
  if (shown.kind === "ok") return shown.value;
  if (ref === null) return undefined;
  const text = String(await store.artifacts.readBody(ref, ESCALATION));
  return parseOrThrow(EscalationArtifact, JSON.parse(text), ref);
}
