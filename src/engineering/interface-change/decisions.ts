// What people decided about a request for another contract, kept beside it: each decision is a further version of its
// artifact and a file of its own, and nothing that was written is ever changed.
import { canonicalJson } from "../../domain/canonical.ts";
import { CupelError } from "../../domain/error.ts";
import { parseOrThrow } from "../../domain/parse.ts";
import {
  InterfaceChangeAnnotation,
  type InterfaceChangeDecision,
  InterfaceChangeException,
} from "../../domain/people/interface-change.ts";
import { compareSemver } from "../../domain/semver.ts";
import type { ArtifactRow } from "../../store/port.ts";
import type { StateStore } from "../../store/state-store.ts";
import type { EngineeringPorts } from "../port.ts";

export interface RaisedChange {
  exception: InterfaceChangeException;
  /** In the order in which they were made. */
  annotations: InterfaceChangeAnnotation[];
}

const EXCEPTION = "exception.json";
const ANNOTATION = "annotation.json";

export async function raisedChange(store: StateStore, id: string): Promise<RaisedChange> {
  const [raised, ...decided] = await versionsOf(store, id);
  if (raised === undefined) {
    throw new CupelError("not_found", `nobody has raised ${id}`, { hint: "cupel store ls exceptions" });
  }
  const exception = parseOrThrow(InterfaceChangeException, await jsonIn(store, raised, EXCEPTION), id);
  const annotations = decided.map(async (row) =>
    parseOrThrow(InterfaceChangeAnnotation, await jsonIn(store, row, ANNOTATION), `a decision about ${id}`),
  );
  return { exception, annotations: await Promise.all(annotations) };
}

/** The same decision again is the one that stands; any other is one more. Two at the same time are not both kept. */
export async function annotate(
  { store, fence, runId }: EngineeringPorts,
  { exception, annotations }: RaisedChange,
  decision: InterfaceChangeDecision,
): Promise<InterfaceChangeAnnotation> {
  const id = exception.exception_id;
  const last = annotations.at(-1);
  const again = last !== undefined && isSame(last.decision, decision);
  const annotation = again ? last : annotationOf(decision, annotations.length + 1);
  if (!again) {
    await store.artifacts.create(fence, {
      type: "INTERFACE_CHANGE_EXCEPTION",
      pillar: (await store.artifacts.get(id)).pillar,
      createdBy: { role: "person", run_id: runId },
      contextPackRef: null,
      successorOf: { artifactId: id, version: `1.${annotation.number}.0` },
      notes: annotation.status,
      body: { [EXCEPTION]: json(exception), [ANNOTATION]: json(annotation) },
    });
  }
  // Again after a crash between the two.
  await store.documents.write(fence, "exceptions", `${id}.decision-${annotation.number}.json`, annotation);
  return annotation;
}

export function isSame(a: InterfaceChangeDecision, b: InterfaceChangeDecision): boolean {
  return canonicalJson(a) === canonicalJson(b);
}

const STATUS = { APPROVE_CHANGE: "APPROVED", REJECT_CHANGE: "REJECTED", DEFER: "DEFERRED" } as const;

function annotationOf(decision: InterfaceChangeDecision, number: number): InterfaceChangeAnnotation {
  return { exception_id: decision.exception_id, number, status: STATUS[decision.decision], decision };
}

async function versionsOf({ artifacts }: StateStore, id: string): Promise<ArtifactRow[]> {
  const rows = await artifacts.query({ type: "INTERFACE_CHANGE_EXCEPTION", lineage: id });
  return rows.toSorted((a, b) => compareSemver(a.envelope.version, b.envelope.version));
}

async function jsonIn({ payloads }: StateStore, { body, envelope }: ArtifactRow, path: string) {
  const ref = body[path];
  if (ref !== undefined) return JSON.parse(String(await payloads.get(ref)));
  throw new CupelError("store_damaged", `${envelope.artifact_id} has no ${path}`, {
    hint: "cupel store fsck",
  });
}

function json(record: unknown): string {
  return JSON.stringify(record, null, 2);
}
