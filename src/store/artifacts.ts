// The artifact store: the only way an artifact comes into being, changes its status or is found.
import { randomUUID } from "node:crypto";
import { checkNextVersion, mayTransition, ArtifactEnvelope } from "../domain/artifact/artifact-envelope.ts";
import type { ArtifactStatus, RetryWindow } from "../domain/artifact/artifact-envelope.ts";
import { artifactId, ArtifactRef } from "../domain/artifact/artifact-type.ts";
import type { Contribution } from "../domain/artifact/contribution.ts";
import { canonicalJson } from "../domain/canonical.ts";
import { CupelError } from "../domain/error.ts";
import { parseOrThrow } from "../domain/parse.ts";
import { moduleIdOf, versionOf } from "../domain/refs.ts";
import { storeFiles } from "./modules.ts";
import type { Payloads } from "./payloads.ts";
import type { ArtifactQuery, ArtifactRow, ArtifactTable, Fence } from "./port.ts";
import type { Files, Projection } from "./projection.ts";

/** What the maker of an artifact says; the store adds id, version, status and time. */
export interface NewArtifact {
  /**
   * An id that the maker keeps, so that it can make the artifact again after a crash: the same content gives the one that
   * exists, whatever its status is by now, and another content is refused. Random unless told.
   */
  id?: string;
  type: ArtifactEnvelope["artifact_type"];
  pillar: string;
  createdBy: ArtifactEnvelope["created_by"];
  contextPackRef: string | null;
  inputs?: ArtifactEnvelope["inputs"];
  outputs?: ArtifactEnvelope["outputs"];
  notes?: string;
  body: Files;
  /** A new version of an artifact that exists: any of its earlier ids, and the version to become. */
  successorOf?: { artifactId: string; version: string };
}

export class ArtifactStore {
  readonly #table: ArtifactTable;
  readonly #payloads: Payloads;
  readonly #projection: Projection;
  readonly #now: () => Date;

  constructor(table: ArtifactTable, payloads: Payloads, projection: Projection, now: () => Date) {
    this.#table = table;
    this.#payloads = payloads;
    this.#projection = projection;
    this.#now = now;
  }

  /** Files first, then the row: what is not in the database does not exist, and a crash leaves only leftovers. */
  async create(fence: Fence, wanted: NewArtifact): Promise<ArtifactEnvelope> {
    const made = wanted.id === undefined ? undefined : await this.#table.get(wanted.id);
    if (made !== undefined) return this.#sameAs(made, wanted);
    const row = await this.prepare(wanted, wanted.id ?? newArtifactId(wanted.type));
    await this.#table.insert(fence, row);
    return row.envelope;
  }

  /** An artifact that is not in the database yet, with its files; for those that come to be together with others. */
  async prepare(wanted: NewArtifact, id: string): Promise<ArtifactRow> {
    const { lineage, version } = await this.#place(wanted);
    const envelope = parseOrThrow(
      ArtifactEnvelope,
      envelopeOf(wanted, id, version, this.#now()),
      "the artifact",
    );
    await this.#assertReferences(envelope);
    const row: ArtifactRow = {
      envelope,
      lineage: lineage ?? id,
      pillar: wanted.pillar,
      body: await storeFiles(this.#payloads, wanted.body),
    };
    const leftovers = wanted.id === undefined ? "impossible" : "overwrite";
    await this.#projection.writeArtifact(row, wanted.body, leftovers);
    return row;
  }

  async #sameAs(made: ArtifactRow, wanted: NewArtifact): Promise<ArtifactEnvelope> {
    const { envelope } = made;
    const at = new Date(envelope.created_at);
    const again = parseOrThrow(
      ArtifactEnvelope,
      envelopeOf(wanted, envelope.artifact_id, envelope.version, at),
      "the artifact",
    );
    const body = await storeFiles(this.#payloads, wanted.body);
    const before = { ...envelope, status: "DRAFT", pillar: made.pillar, body: made.body };
    const after = { ...again, pillar: wanted.pillar, body };
    const version = wanted.successorOf?.version ?? "1.0.0";
    if (version === envelope.version && canonicalJson(before) === canonicalJson(after)) return envelope;
    throw new CupelError("already_exists", `${envelope.artifact_id} exists already with another content`, {
      expected: "the same content again, or another id",
      hint: `cupel store show ${envelope.artifact_id}`,
    });
  }

  /** Refuses whatever the status map does not list, with its reason. */
  async transition(
    fence: Fence,
    id: string,
    to: ArtifactStatus,
    retryWindow: RetryWindow = "closed",
  ): Promise<ArtifactEnvelope> {
    const { envelope } = await this.get(id);
    const decision = mayTransition(envelope.status, to, retryWindow);
    if (decision.kind === "refused") {
      throw new CupelError(
        "illegal_transition",
        `${id} cannot go from ${envelope.status} to ${to}: ${decision.reason}`,
      );
    }
    if (!(await this.#table.setStatus(fence, id, envelope.status, to))) {
      throw new CupelError("illegal_transition", `${id} was changed by somebody else in the meantime`, {
        hint: "read it again and decide anew",
      });
    }
    // The change is made once the row says so; a file that could not follow is a leftover that fsck names.
    await this.project(id).catch(() => undefined);
    return (await this.get(id)).envelope;
  }

  /** Writes the envelope as the database has it. */
  async project(id: string): Promise<void> {
    await this.#projection.writeEnvelope(await this.get(id));
  }

  /** Only what was adjudicated ships; from then on nothing about it changes but its deprecation. */
  ship(fence: Fence, id: string): Promise<ArtifactEnvelope> {
    return this.transition(fence, id, "SHIPPED");
  }

  async has(id: string): Promise<boolean> {
    return (await this.#table.get(id)) !== undefined;
  }

  async get(id: string): Promise<ArtifactRow> {
    const row = await this.#table.get(id);
    if (row !== undefined) return row;
    throw new CupelError("not_found", `there is no artifact ${id}`, { hint: "cupel store ls artifacts" });
  }

  query(query: ArtifactQuery): Promise<ArtifactRow[]> {
    return this.#table.query(query);
  }

  /** One file of an artifact's body, checked against its address. */
  async readBody(id: string, path: string): Promise<Buffer> {
    const ref = (await this.get(id)).body[path];
    if (ref !== undefined) return this.#payloads.get(ref);
    throw new CupelError("not_found", `${id} has no file ${path}`, { hint: `cupel store show ${id}` });
  }

  contribute(fence: Fence, contribution: Contribution): Promise<void> {
    return this.#table.appendContribution(fence, contribution);
  }

  contributions(taskRef?: string): Promise<Contribution[]> {
    return this.#table.contributions(taskRef);
  }

  /** Modules and tasks have stores of their own; a reference to an artifact must lead to one. */
  async #assertReferences({ inputs, outputs }: ArtifactEnvelope): Promise<void> {
    for (const { ref } of [...inputs, ...outputs]) {
      if (!ArtifactRef.safeParse(ref).success) continue;
      const row = await this.#table.get(moduleIdOf(ref));
      if (row?.envelope.version === versionOf(ref)) continue;
      throw new CupelError("not_found", `the artifact refers to ${ref}, which is not in the store`, {
        hint: "cupel store ls artifacts",
      });
    }
  }

  async #place({ successorOf }: NewArtifact): Promise<{ lineage: string | undefined; version: string }> {
    if (successorOf === undefined) return { lineage: undefined, version: "1.0.0" };
    const { lineage } = await this.get(successorOf.artifactId);
    const versions = (await this.#table.query({ lineage })).map((row) => row.envelope.version);
    const decision = checkNextVersion(versions, successorOf.version);
    if (decision.kind === "allowed") return { lineage, version: successorOf.version };
    throw new CupelError("invalid_input", `${successorOf.artifactId} cannot be followed: ${decision.reason}`);
  }
}

export function newArtifactId(type: NewArtifact["type"]): string {
  return artifactId(type, randomUUID());
}

function envelopeOf(wanted: NewArtifact, id: string, version: string, now: Date): unknown {
  return {
    artifact_id: id,
    artifact_type: wanted.type,
    version,
    status: "DRAFT",
    created_at: now.toISOString(),
    created_by: wanted.createdBy,
    context_pack_ref: wanted.contextPackRef,
    inputs: wanted.inputs ?? [],
    outputs: wanted.outputs ?? [],
    notes: wanted.notes ?? "",
  };
}
