// The part of the check that looks at the database: each row by its schema, and rows against each other.
import { z } from "zod";
import { BudgetState } from "../domain/agent/budget-state.ts";
import { ArtifactEnvelope, ArtifactStatus, mayTransition } from "../domain/artifact/artifact-envelope.ts";
import { ArtifactId } from "../domain/artifact/artifact-type.ts";
import { Contribution } from "../domain/artifact/contribution.ts";
import { parse, renderProblem } from "../domain/parse.ts";
import { IsoTime, ModuleId, moduleIdOf, Semver, Text } from "../domain/refs.ts";
import { isCallEnd, RunEvent } from "../domain/run/run-event.ts";
import { ShipRecord } from "../domain/run/ship-record.ts";
import { SCHEMAS } from "../domain/schemas.ts";
import { compareSemver } from "../domain/semver.ts";
import { slugify } from "../domain/task/slug.ts";
import type { FsckProblem } from "./fsck-report.ts";
import { WITHDRAWN } from "./local/question-rows.ts";
import { FileMap } from "./local/stored-text.ts";
import type { Row, Sql } from "./sql.ts";

const Slug = Text.refine((text) => text === asSlug(text), { error: "the slug of a pillar" });
const StoredArtifact = z.object({ envelope: ArtifactEnvelope, lineage: Text, pillar: Slug, body: FileMap });
type StoredArtifact = z.infer<typeof StoredArtifact>;
const StoredModule = z.object({
  module_id: ModuleId,
  version: Semver,
  files: FileMap,
  sealed_at: IsoTime.nullable(),
});
const Shipped = z.object({
  module_id: ModuleId,
  version: Semver,
  ship: ShipRecord,
  product_commit: Text.nullable(),
  finished_at: IsoTime.nullable(),
});
const StoredQuestion = z.object({ kind: Text, run_id: Text, title: Text, asked_at: IsoTime });
const StoredBudget = z.object({ run_id: Text, budget: BudgetState });
const StoredAnswer = z.object({ answered_by: Text, answered_at: IsoTime, applied_at: IsoTime.nullable() });
const Transition = z.object({
  artifact_id: ArtifactId,
  from_status: ArtifactStatus,
  to_status: ArtifactStatus,
});

export interface CheckedRows {
  problems: FsckProblem[];
  counts: { events: number; artifacts: number; contributions: number; questions: number; modules: number };
  artifacts: { row: StoredArtifact; earlierStatuses: ArtifactStatus[] }[];
  /** `settled`: sealed, and every file must be there. */
  modules: { moduleId: string; version: string; files: Record<string, string>; settled: boolean }[];
  /** Everything whose bytes must be among the payloads. */
  bodies: { owner: string; files: Record<string, string> }[];
}

export function checkRows(sql: Sql): CheckedRows {
  const problems: FsckProblem[] = [];
  checkPages(sql, problems);
  const { events, said } = checkJournal(sql, problems);
  const artifacts = readArtifacts(sql, problems);
  read(sql, "run_budgets", "run_id", ["budget"], StoredBudget, problems);
  checkLineages(artifacts, problems);
  checkReferences(artifacts, problems);
  const histories = readHistories(sql, artifacts, problems);
  const modules = read(sql, "modules", "module_id", ["files"], StoredModule, problems);
  const unfinished = checkShips(sql, modules, problems);
  const named = modules.map(({ module_id, version, files, sealed_at }) => ({
    moduleId: module_id,
    version,
    files,
    settled: sealed_at !== null && !unfinished.has(`${module_id}@${version}`),
  }));
  return {
    problems,
    counts: {
      events,
      artifacts: artifacts.length,
      contributions: checkContributions(sql, artifacts, problems),
      questions: checkInbox(sql, problems),
      modules: modules.length,
    },
    artifacts: artifacts.map((row) => ({
      row,
      earlierStatuses: histories.get(row.envelope.artifact_id) ?? [],
    })),
    modules: named,
    bodies: [
      ...said,
      ...artifacts.map((row) => ({ owner: row.envelope.artifact_id, files: row.body })),
      ...named.map((module) => ({ owner: `${module.moduleId}@${module.version}`, files: module.files })),
    ],
  };
}

function checkPages(sql: Sql, problems: FsckProblem[]): void {
  for (const row of sql.all("SELECT integrity_check AS result FROM pragma_integrity_check")) {
    if (row["result"] !== "ok") problems.push({ where: sql.path, what: String(row["result"]) });
  }
}

function checkJournal(sql: Sql, problems: FsckProblem[]): { events: number; said: CheckedRows["bodies"] } {
  let next = 1;
  const said: CheckedRows["bodies"] = [];
  for (const row of sql.all("SELECT seq, run_id, at, kind, event FROM journal ORDER BY seq")) {
    const where = `journal ${String(row["seq"])}`;
    if (row["seq"] !== next) problems.push({ where, what: `expected number ${next}: events are missing` });
    next = Number(row["seq"]) + 1;
    const event = parsed(RunEvent, { ...Object(json(row["event"])), seq: row["seq"] }, where, problems);
    if (event === undefined) continue;
    const same = row["run_id"] === event.runId && row["at"] === event.at && row["kind"] === event.kind;
    if (!same) problems.push({ where, what: "the row and its event differ" });
    said.push({ owner: where, files: keptBy(event) });
  }
  return { events: next - 1, said };
}

/** What was said, and what a verdict rests on, by what they are called in the event. */
function keptBy(event: RunEvent): Record<string, string> {
  if (event.kind === "gate_verdict_recorded") {
    const { gate, evidence } = event.verdict;
    return Object.fromEntries(evidence.map((ref, index) => [`evidence ${index + 1} of ${gate}`, ref]));
  }
  return isCallEnd(event) && event.transcriptRef !== null ? { transcript: event.transcriptRef } : {};
}

function readArtifacts(sql: Sql, problems: FsckProblem[]): StoredArtifact[] {
  const rows = read(sql, "artifacts", "artifact_id", ["envelope", "body"], StoredArtifact.loose(), problems);
  for (const row of rows) {
    const { artifact_id, artifact_type, version, status } = row.envelope;
    const columns = { artifact_id, type: artifact_type, version, status };
    for (const [column, value] of Object.entries(columns)) {
      if (Reflect.get(row, column) === value) continue;
      problems.push({ where: artifact_id, what: `its ${column} differs between row and envelope` });
    }
  }
  return rows;
}

function checkLineages(artifacts: StoredArtifact[], problems: FsckProblem[]): void {
  const newest = new Map<string, string>();
  for (const { envelope, lineage } of artifacts) {
    const before = newest.get(lineage);
    if (before !== undefined && compareSemver(envelope.version, before) <= 0) {
      problems.push({
        where: envelope.artifact_id,
        what: `its version ${envelope.version} does not follow ${before}`,
      });
    }
    newest.set(lineage, envelope.version);
  }
}

/** References to artifacts must lead somewhere; modules and tasks have stores of their own. */
function checkReferences(artifacts: StoredArtifact[], problems: FsckProblem[]): void {
  const versions = new Map(artifacts.map(({ envelope }) => [envelope.artifact_id, envelope.version]));
  for (const { envelope } of artifacts) {
    for (const { ref } of [...envelope.inputs, ...envelope.outputs]) {
      const id = moduleIdOf(ref);
      if (!ArtifactId.safeParse(id).success || `${id}@${versions.get(id)}` === ref) continue;
      problems.push({ where: envelope.artifact_id, what: `it refers to ${ref}, which is not in the store` });
    }
  }
}

/** Every recorded change must have been legal, and together they must lead from DRAFT to the status of now. */
function readHistories(
  sql: Sql,
  artifacts: StoredArtifact[],
  problems: FsckProblem[],
): Map<string, ArtifactStatus[]> {
  const histories = new Map(
    artifacts.map(({ envelope }) => [envelope.artifact_id, ["DRAFT"] as ArtifactStatus[]]),
  );
  for (const change of read(sql, "artifact_transitions", "seq", [], Transition, problems)) {
    const { artifact_id, from_status, to_status } = change;
    const history = histories.get(artifact_id) ?? [];
    const decision = mayTransition(from_status, to_status, "open");
    if (decision.kind === "refused") {
      problems.push({
        where: artifact_id,
        what: `it went from ${from_status} to ${to_status}: ${decision.reason}`,
      });
    }
    if (history.at(-1) !== from_status) {
      problems.push({
        where: artifact_id,
        what: `a change from ${from_status} was recorded when it was ${history.at(-1)}`,
      });
    }
    history.push(to_status);
  }
  for (const { envelope } of artifacts) {
    const last = histories.get(envelope.artifact_id)?.at(-1);
    if (last === envelope.status) continue;
    problems.push({
      where: envelope.artifact_id,
      what: `it is ${envelope.status}, but its recorded changes end in ${last}`,
    });
  }
  return histories;
}

/** What shipped is sealed; the versions whose files may still have to follow. */
function checkShips(
  sql: Sql,
  modules: readonly z.infer<typeof StoredModule>[],
  problems: FsckProblem[],
): ReadonlySet<string> {
  const sealed = new Set(
    modules.flatMap(({ module_id, version, sealed_at }) =>
      sealed_at === null ? [] : [`${module_id}@${version}`],
    ),
  );
  const ships = read(sql, "ships", "seq", ["ship"], Shipped, problems);
  for (const { module_id, version, ship, product_commit, finished_at } of ships) {
    const where = `${module_id}@${version}`;
    if (ship.module !== where) problems.push({ where, what: `its ship is that of ${ship.module}` });
    if (!sealed.has(where)) problems.push({ where, what: "it shipped, but is not sealed" });
    if ((product_commit === null) !== (finished_at === null))
      problems.push({ where, what: "its ship is half finished" });
  }
  const open = ships.filter(({ finished_at }) => finished_at === null);
  return new Set(open.map(({ module_id, version }) => `${module_id}@${version}`));
}

function checkContributions(sql: Sql, artifacts: StoredArtifact[], problems: FsckProblem[]): number {
  const refs = new Set(artifacts.map(({ envelope }) => `${envelope.artifact_id}@${envelope.version}`));
  const rows = sql.all("SELECT contribution_id, contribution FROM contributions ORDER BY seq");
  for (const row of rows) {
    const where = String(row["contribution_id"]);
    const contribution = parsed(Contribution, json(row["contribution"]), where, problems);
    if (contribution === undefined || refs.has(contribution.artifact_ref)) continue;
    problems.push({ where, what: `it names ${contribution.artifact_ref}, which is not in the store` });
  }
  return rows.length;
}

function checkInbox(sql: Sql, problems: FsckProblem[]): number {
  const rows = sql.all("SELECT * FROM questions LEFT JOIN answers ON question_id = id ORDER BY id");
  for (const row of rows) {
    const where = `question ${String(row["id"])}`;
    parsed(StoredQuestion, row, where, problems);
    if (json(row["body"]) === undefined) problems.push({ where, what: "its body is not JSON" });
    const schema = SCHEMAS.get(String(row["answer_schema"]));
    if (schema === undefined)
      problems.push({ where, what: `nobody knows the schema ${String(row["answer_schema"])}` });
    if (row["question_id"] === null) continue;
    parsed(StoredAnswer, row, where, problems);
    if (schema !== undefined && row["answered_by"] !== WITHDRAWN)
      parsed(schema, json(row["answer"]), where, problems);
  }
  return rows.length;
}

/** Rows of a table by their schema; those that do not fit become problems. */
function read<S extends z.ZodType>(
  sql: Sql,
  table: string,
  key: string,
  jsonColumns: string[],
  schema: S,
  problems: FsckProblem[],
): z.output<S>[] {
  return sql.all(`SELECT * FROM ${table} ORDER BY rowid`).flatMap((row: Row) => {
    const value = { ...row, ...Object.fromEntries(jsonColumns.map((column) => [column, json(row[column])])) };
    const record = parsed(schema, value, `${table} ${String(row[key])}`, problems);
    return record === undefined ? [] : [record];
  });
}

export function parsed<S extends z.ZodType>(
  schema: S,
  value: unknown,
  where: string,
  problems: FsckProblem[],
): z.output<S> | undefined {
  const result = parse(schema, value);
  if (result.kind === "ok") return result.value;
  problems.push(...result.problems.map((problem) => ({ where, what: renderProblem(problem) })));
  return undefined;
}

/** Undefined where no slug can be made. */
function asSlug(text: string): string | undefined {
  try {
    return slugify(text);
  } catch {
    return undefined;
  }
}

export function json(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}
