// The table of artifacts: written once, with a status that moves only from where the caller saw it.
import { z } from "zod";
import { ArtifactEnvelope, ArtifactStatus } from "../../domain/artifact/artifact-envelope.ts";
import type { Contribution } from "../../domain/artifact/contribution.ts";
import { CupelError } from "../../domain/error.ts";
import { parseOrThrow, preview } from "../../domain/parse.ts";
import { compareSemver } from "../../domain/semver.ts";
import type { ArtifactQuery, ArtifactRow, ArtifactTable, Fence } from "../port.ts";
import type { Row, Sql } from "../sql.ts";
import { appendContribution, readContributions } from "./contribution-trail.ts";
import { fenced } from "./fence.ts";
import { damaged, readJson, readRow } from "./row.ts";
import { FileMap, Key, parseFiles } from "./stored-text.ts";

const StoredArtifact = z.strictObject({
  envelope: ArtifactEnvelope,
  lineage: Key,
  pillar: Key,
  body: FileMap,
}) satisfies z.ZodType<ArtifactRow>;

const COLUMNS = "artifact_id, type, version, status, lineage, pillar, envelope, body";
const SELECT = `SELECT ${COLUMNS} FROM artifacts`;

export class LocalArtifactTable implements ArtifactTable {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async insert(fence: Fence, row: ArtifactRow): Promise<void> {
    fenced(this.#sql, fence, () => insertArtifact(this.#sql, row));
  }

  async setStatus(fence: Fence, artifactId: string, from: string, to: string): Promise<boolean> {
    return fenced(this.#sql, fence, () => changeStatus(this.#sql, artifactId, from, to));
  }

  async get(artifactId: string): Promise<ArtifactRow | undefined> {
    return findArtifact(this.#sql, artifactId);
  }

  /** In the order in which they came. */
  async query({ type, status, lineage, pillar }: ArtifactQuery): Promise<ArtifactRow[]> {
    const wanted = Object.entries({ type, status, lineage, pillar });
    const filters = wanted.flatMap(([column, value]) => (value === undefined ? [] : [{ column, value }]));
    const where = filters.map(({ column }) => ` AND ${column} = ?`).join("");
    const values = filters.map(({ value }) => value);
    return this.#sql.all(`${SELECT} WHERE TRUE${where} ORDER BY seq`, values).map(artifactOf);
  }

  async appendContribution(fence: Fence, contribution: Contribution): Promise<void> {
    appendContribution(this.#sql, fence, contribution);
  }

  async contributions(taskRef?: string): Promise<Contribution[]> {
    return readContributions(this.#sql, taskRef);
  }
}

/** For transactions that have checked the fence. */
export function insertArtifact(sql: Sql, row: ArtifactRow): void {
  const { envelope, lineage, pillar } = parseOrThrow(StoredArtifact, row, "the artifact");
  const body = parseFiles(row.body, "the artifact's files");
  assertNew(sql, envelope, lineage);
  assertNewest(sql, envelope, lineage);
  sql.run(`INSERT INTO artifacts (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, [
    envelope.artifact_id,
    envelope.artifact_type,
    envelope.version,
    envelope.status,
    lineage,
    pillar,
    JSON.stringify(envelope),
    JSON.stringify(body),
  ]);
}

/** Which changes are legal is decided above; here each is kept, so that the history can be checked later. */
export function changeStatus(sql: Sql, artifactId: string, from: string, to: string): boolean {
  const status = parseOrThrow(ArtifactStatus, to, "the new status");
  const artifact = findArtifact(sql, artifactId);
  if (artifact === undefined) {
    throw new CupelError("not_found", `there is no artifact ${preview(artifactId)}`, {
      hint: "cupel store ls artifacts",
    });
  }
  if (artifact.envelope.status !== from) return false;
  sql.run("UPDATE artifacts SET status = ?, envelope = ? WHERE artifact_id = ?", [
    status,
    JSON.stringify({ ...artifact.envelope, status }),
    artifactId,
  ]);
  sql.run("INSERT INTO artifact_transitions (artifact_id, from_status, to_status) VALUES (?, ?, ?)", [
    artifactId,
    from,
    status,
  ]);
  return true;
}

function findArtifact(sql: Sql, artifactId: string): ArtifactRow | undefined {
  const row = sql.get(`${SELECT} WHERE artifact_id = ?`, [artifactId]);
  return row === undefined ? undefined : artifactOf(row);
}

/** Inside the transaction: two successors that were both allowed before must not both arrive. */
function assertNewest(sql: Sql, { version }: ArtifactEnvelope, lineage: string): void {
  const rows = sql.all("SELECT version FROM artifacts WHERE lineage = ?", [lineage]);
  const newer = rows.map((row) => String(row["version"])).find((other) => compareSemver(other, version) > 0);
  if (newer === undefined) return;
  throw new CupelError("already_exists", `${preview(lineage)} has the newer version ${newer} already`, {
    expected: `a version after ${newer}`,
  });
}

function assertNew(sql: Sql, { artifact_id: id, version }: ArtifactEnvelope, lineage: string): void {
  if (findArtifact(sql, id) !== undefined) {
    throw new CupelError("already_exists", `the artifact ${id} exists already`, {
      expected: "a new id: artifacts are written once",
    });
  }
  const row = sql.get("SELECT artifact_id FROM artifacts WHERE lineage = ? AND version = ?", [
    lineage,
    version,
  ]);
  if (row === undefined) return;
  throw new CupelError(
    "already_exists",
    `version ${version} of ${preview(lineage)} exists already: ${String(row["artifact_id"])}`,
    { expected: "a version that is not taken" },
  );
}

function artifactOf(row: Row): ArtifactRow {
  const place = { table: "artifacts", key: String(row["artifact_id"]) };
  const { lineage, pillar } = row;
  const envelope = readJson(row["envelope"], place);
  const artifact = readRow(
    StoredArtifact,
    { envelope, lineage, pillar, body: readJson(row["body"], place) },
    place,
  );
  const { artifact_id, artifact_type: type, version, status } = artifact.envelope;
  for (const [column, value] of Object.entries({ artifact_id, type, version, status })) {
    if (row[column] !== value) throw damaged(place, `  its ${column} differs between row and envelope`);
  }
  return artifact;
}
