// Keeps what came of a release: the manifest as a locked artifact and as a file, the report beside it, the word in the journal.
import { canonicalHash } from "../domain/canonical.ts";
import { CupelError } from "../domain/error.ts";
import { parseOrThrow } from "../domain/parse.ts";
import { ReleaseFailureReport, type ReleaseManifest } from "../domain/people/release.ts";
import { everyEvent } from "../store/every-event.ts";
import { FAILURE_FILE, MANIFEST_FILE, manifestOf } from "./released-before.ts";
import type { ReleasePorts, Verdicts } from "./port.ts";

export interface Kept {
  manifest: ReleaseManifest;
  report?: ReleaseFailureReport;
}

/** The id follows from what is released, so that the same release again is this one. */
export function releaseId(content: unknown): string {
  return `REL-${canonicalHash(content).slice(0, 8)}`;
}

export function failureReport(manifest: ReleaseManifest): ReleaseFailureReport {
  const { release_id, created_at, evidence } = manifest;
  const failures = evidence.flatMap(({ gate, result, violations }) =>
    result === "FAIL" ? [{ gate, violations }] : [],
  );
  return parseOrThrow(ReleaseFailureReport, { release_id, created_at, failures }, "the failure report");
}

/** The row of the artifact is the moment of the release: before it nothing has happened. */
export async function record(ports: ReleasePorts, { manifest, report }: Kept): Promise<Kept> {
  const { store, fence, runId } = ports;
  const id = manifest.release_id;
  if (await store.artifacts.has(id)) return again(ports, manifest);
  await store.artifacts.create(fence, {
    id,
    type: "RELEASE_MANIFEST",
    pillar: "product",
    createdBy: { role: "harness", run_id: runId },
    contextPackRef: null,
    inputs: manifest.modules.map(({ module_ref }) => ({ ref: module_ref, purpose: "is in the release" })),
    notes: "locked",
    body: {
      [MANIFEST_FILE]: text(manifest),
      ...(report === undefined ? {} : { [FAILURE_FILE]: text(report) }),
    },
  });
  return { manifest, ...(report === undefined ? {} : { report }) };
}

/** As it was kept the first time, with its time. */
async function again({ store }: ReleasePorts, manifest: ReleaseManifest): Promise<Kept> {
  const kept = await manifestOf(store, manifest.release_id);
  if (kept.commit !== manifest.commit || kept.overall_result !== manifest.overall_result)
    throw new CupelError("id_collision", `${manifest.release_id} is the id of another release`, {
      hint: "commit anything to the product and release it again",
    });
  return { manifest: kept, ...(kept.overall_result === "PASS" ? {} : { report: failureReport(kept) }) };
}

/** People find it by its id. */
export async function write({ store, fence }: ReleasePorts, { manifest, report }: Kept): Promise<void> {
  const id = manifest.release_id;
  await store.documents.write(fence, "releases", `${id}.json`, manifest);
  if (report !== undefined) await store.documents.write(fence, "releases", `${id}.failure.json`, report);
}

/** Once, also after a crash in between. */
export async function tell(ports: ReleasePorts, { manifest }: Kept): Promise<void> {
  const { store, fence, runId, now } = ports;
  const { release_id: release, version, commit, evidence } = manifest;
  for await (const event of everyEvent(store.journal)) {
    const isTold = event.kind === "product_released" || event.kind === "release_refused";
    if (isTold && event.release === release) return;
  }
  const about = { at: now().toISOString(), runId, release };
  const gates = failed(evidence);
  await store.journal.append(fence, [
    gates.length === 0
      ? { kind: "product_released", ...about, version, commit }
      : { kind: "release_refused", ...about, gates },
  ]);
}

function failed(verdicts: Verdicts) {
  return verdicts.flatMap(({ gate, result }) => (result === "FAIL" ? [gate] : []));
}

function text(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
