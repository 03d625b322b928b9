// What finished modules left to do: survivors, holes, gaps of coverage, from the newest result of each module.
import { HybridResult, type WorkItem, workItems } from "../domain/blind/hybrid-result.ts";
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

/** The newest report on a module; undefined where it was made in another way. */
export async function reportOn(store: StateStore, module: string): Promise<string | undefined> {
  const rows = await store.artifacts.query({ type: "WITNESS_REPORT" });
  for (const row of rows.toReversed())
    if ((await resultIn(store, row))?.module === module) return row.envelope.artifact_id;
  return undefined;
}

async function resultIn({ payloads }: StateStore, { body }: ArtifactRow): Promise<HybridResult | undefined> {
  const ref = body["result.json"];
  if (ref === undefined) return undefined;
  const parsed = parse(HybridResult, JSON.parse((await payloads.get(ref)).toString("utf8")));
  return parsed.kind === "ok" ? parsed.value : undefined;
}
