// What finished modules left to do: survivors, holes, gaps of coverage, from the newest result of each module.
import type { z } from "zod";
import { HybridResult, type WorkItem, workItems } from "../domain/blind/hybrid-result.ts";
import { TestSuiteRecord } from "../domain/gatekeeper/test-suite-record.ts";
import { parse } from "../domain/parse.ts";
import type { ArtifactRow } from "../store/port.ts";
import type { StateStore } from "../store/state-store.ts";

export interface WorkLeft extends WorkItem {
  /** The report it stands in. */
  report: string;
}

export async function workLeft(store: StateStore): Promise<WorkLeft[]> {
  const newest = new Map<string, { report: string; result: HybridResult }>();
  for (const row of await store.artifacts.query({ type: "WITNESS_REPORT" })) {
    const result = await resultIn(store, row);
    if (result !== undefined) newest.set(result.module, { report: row.envelope.artifact_id, result });
  }
  return [...newest.values()].flatMap(({ report, result }) =>
    workItems(result).map((item) => ({ ...item, report })),
  );
}

/** The newest report on how a module was made; undefined where its protocol keeps none. */
export async function reportOn(store: StateStore, module: string): Promise<string | undefined> {
  const reports: { id: string; at: string }[] = [];
  for (const row of await store.artifacts.query({ type: "WITNESS_REPORT" }))
    if ((await resultIn(store, row))?.module === module) reports.push(named(row));
  for (const row of await store.artifacts.query({ type: "TEST_SUITE" }))
    if ((await recordIn(store, row, "suite.json", TestSuiteRecord))?.module === module)
      reports.push(named(row));
  return reports.toSorted((one, other) => (one.at < other.at ? -1 : 1)).at(-1)?.id;
}

function named({ envelope }: ArtifactRow): { id: string; at: string } {
  return { id: envelope.artifact_id, at: envelope.created_at };
}

function resultIn(store: StateStore, row: ArtifactRow): Promise<HybridResult | undefined> {
  return recordIn(store, row, "result.json", HybridResult);
}

async function recordIn<S extends z.ZodType>(
  { payloads }: StateStore,
  { body }: ArtifactRow,
  file: string,
  schema: S,
): Promise<z.output<S> | undefined> {
  const ref = body[file];
  if (ref === undefined) return undefined;
  const parsed = parse(schema, JSON.parse((await payloads.get(ref)).toString("utf8")));
  return parsed.kind === "ok" ? parsed.value : undefined;
}
