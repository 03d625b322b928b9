// The record of a debate: proposals, challenges and adjudications as artifacts and files, and what they do to their target.
import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { ArtifactEnvelope, ArtifactStatus } from "../../domain/artifact/artifact-envelope.ts";
import { artifactId, ArtifactId, type ArtifactType } from "../../domain/artifact/artifact-type.ts";
import type { ContributionType } from "../../domain/artifact/contribution.ts";
import { canonicalHash, dropUndefined } from "../../domain/canonical.ts";
import { Adjudication, Challenge, Proposal } from "../../domain/debate/debate-records.ts";
import { parseOrThrow } from "../../domain/parse.ts";
import { form, IsoTime } from "../../domain/refs.ts";
import { bump } from "../../domain/semver.ts";
import type { NodeContext } from "../../graph/port.ts";
import type { NewProposal, Provenance, Records } from "../../protocols/port.ts";
import type { NewArtifact } from "../../store/artifacts.ts";
import { DELIVERABLE_FILE } from "../fix-commit.ts";
import { moduleOf } from "../subject.ts";
import { contributionOf, tellOnce } from "../trail.ts";
import type { Desk } from "./desk.ts";
import { contractBody } from "./lock.ts";
import { keepRecord } from "./kept-record.ts";

export function recordsOf(desk: Desk): Records {
  return {
    propose: (context, proposal) => propose(desk, context, proposal),
    async challenge(context, { target_artifact_id }, given, by) {
      const { ids, put } = await opened(
        desk,
        context,
        "challenge",
        { target_artifact_id, given },
        by,
        "CHALLENGE",
      );
      const record = { ...given, challenge_id: ids.record, target_artifact_id };
      const challenge = parseOrThrow(Challenge, record, "the challenge");
      await put("CHALLENGE", ids.record, { "challenge.json": json(challenge) }, target_artifact_id);
      await advance(desk, target_artifact_id, "DRAFT", "CHALLENGED");
      await file(desk, target_artifact_id, "challenge", ids.record, challenge);
      await tellChallenge(desk, context, challenge);
      return challenge;
    },
    async adjudicate(context, { target_artifact_id }, given, by) {
      const { ids, put } = await opened(
        desk,
        context,
        "adjudicate",
        { target_artifact_id, given },
        by,
        "ADJUDICATION",
      );
      const record = { ...given, adjudication_id: ids.record, target_artifact_id };
      const adjudication = parseOrThrow(Adjudication, record, "the adjudication");
      await put("ADJUDICATION", ids.record, { "adjudication.json": json(adjudication) }, target_artifact_id);
      await advance(desk, target_artifact_id, "CHALLENGED", "ADJUDICATED");
      await file(desk, target_artifact_id, "adjudication", ids.record, adjudication);
      return adjudication;
    },
    keep: (context, kind, files) => keepRecord(desk, context, kind, files),
  };
}

async function tellChallenge(
  { engineering, subject }: Desk,
  context: NodeContext,
  { challenge_id, verdict, failures }: Challenge,
): Promise<void> {
  await tellOnce(engineering, context, `told:${challenge_id}`, [
    {
      kind: "work_challenged",
      task: subject.task.task_id,
      module: moduleOf(subject),
      challenge: challenge_id,
      verdict,
      failures: failures.map(({ evidence }) => evidence.slice(0, LONGEST_FAILURE)),
    },
  ]);
}

/** All of it is in the record. */
const LONGEST_FAILURE = 800;

async function propose(desk: Desk, context: NodeContext, wanted: NewProposal): Promise<Proposal> {
  const { deliverable, revises, by, claim, acceptance_checks } = wanted;
  const { store, fence } = desk.engineering;
  const type = deliverable.kind === "contract" ? "CONTRACT" : "IMPLEMENTATION";
  const { ids, put, contribute, made } = await opened(desk, context, "propose", wanted, by, type);
  const follows =
    revises === undefined ? undefined : (await store.artifacts.get(revises.target_artifact_id)).envelope;
  const target = await store.artifacts.create(fence, {
    ...made,
    id: ids.target,
    type,
    notes: context.thread,
    body: bodyOf(desk, deliverable),
    ...(follows === undefined
      ? {}
      : { successorOf: { artifactId: follows.artifact_id, version: bump(follows.version, "minor") } }),
  });
  const record = {
    proposal_id: ids.record,
    target_artifact_id: ids.target,
    claim,
    deliverable_ref: refOf(target),
    acceptance_checks,
  };
  const proposal = parseOrThrow(Proposal, record, "the proposal");
  await put("PROPOSAL", ids.record, { "proposal.json": json(proposal) }, ids.target, false);
  await contribute(refOf(target));
  await file(desk, ids.target, "proposal", ids.record, proposal);
  return proposal;
}

function bodyOf({ making, subject }: Desk, deliverable: NewProposal["deliverable"]): Record<string, string> {
  if (deliverable.kind === "contract") return contractBody(deliverable.contract);
  const { folder } = making.assignment;
  return { [DELIVERABLE_FILE]: json({ module: subject.module, folder, commit: deliverable.commit }) };
}

const Ids = z.strictObject({
  record: ArtifactId,
  target: ArtifactId,
  contribution: form(/^CONTRIB-[0-9a-f]{8}$/, "a contribution id"),
  at: IsoTime,
});

const RECORD_TYPES = { propose: "PROPOSAL", challenge: "CHALLENGE", adjudicate: "ADJUDICATION" } as const;

/** Ids first: whatever is made under them is the same when the node runs again. */
async function opened(
  desk: Desk,
  context: NodeContext,
  what: keyof typeof RECORD_TYPES,
  content: unknown,
  by: Provenance,
  contributed: ContributionType,
) {
  const { store, fence, runId, now } = desk.engineering;
  const name = `${what}:${canonicalHash(dropUndefined(content)).slice(0, 16)}`;
  const ids = await context.once(name, Ids, async () => ({
    record: artifactId(RECORD_TYPES[what], randomUUID()),
    target: artifactId(contributed, randomUUID()),
    contribution: `CONTRIB-${randomUUID().slice(0, 8)}`,
    at: now().toISOString(),
  }));
  const pack = "pack" in by ? by.pack : null;
  const createdBy = { role: by.role, run_id: pack === null ? runId : `${runId}/${pack}` };
  const made = { pillar: desk.making.pillar, createdBy, contextPackRef: pack };
  const contribute = (artifact: string): Promise<void> => {
    const contribution = {
      type: contributed,
      produced_by: createdBy,
      artifact_ref: artifact,
      task_ref: desk.subject.task.task_id,
      created_at: ids.at,
    };
    return store.artifacts.contribute(
      fence,
      pack === null
        ? { ...contribution, contribution_id: ids.contribution, context_pack_ref: null }
        : contributionOf(pack, contribution),
    );
  };
  const put = async (
    type: ArtifactType,
    id: string,
    body: NewArtifact["body"],
    target: string,
    counts = true,
  ) => {
    const { envelope } = await store.artifacts.get(target);
    const inputs = [{ ref: refOf(envelope), purpose: "what it is about" }];
    const artifact = await store.artifacts.create(fence, { ...made, id, type, inputs, body });
    if (counts) await contribute(refOf(artifact));
  };
  return { ids, put, contribute, made };
}

/** A challenge that follows another on the same work changes nothing about where the work stands. */
async function advance(
  { engineering }: Desk,
  target: string,
  from: ArtifactStatus,
  to: ArtifactStatus,
): Promise<void> {
  const { store, fence } = engineering;
  if ((await store.artifacts.get(target)).envelope.status !== from) return;
  await store.artifacts.transition(fence, target, to);
}

/** The first of each kind has the plain name; a second one on the same work says which it is. */
async function file(
  { engineering, making }: Desk,
  target: string,
  kind: "proposal" | "challenge" | "adjudication",
  id: string,
  record: unknown,
): Promise<void> {
  const { store, fence } = engineering;
  const rows = await store.artifacts.query({ type: RECORD_KINDS[kind], pillar: making.pillar });
  const about = refOf((await store.artifacts.get(target)).envelope);
  const first = rows.find(({ envelope }) => envelope.inputs.some(({ ref }) => ref === about));
  const plain = first === undefined || first.envelope.artifact_id === id;
  await store.documents.write(fence, "debates", `${target}/${plain ? kind : `${kind}-${id}`}.json`, record);
}

const RECORD_KINDS = { proposal: "PROPOSAL", challenge: "CHALLENGE", adjudication: "ADJUDICATION" } as const;

function json(record: unknown): string {
  return `${JSON.stringify(record, null, 2)}\n`;
}

function refOf({ artifact_id, version }: ArtifactEnvelope): string {
  return `${artifact_id}@${version}`;
}
