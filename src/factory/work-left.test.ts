// What modules left to do is told from the newest report of each, and from nothing that is no report.
import { expect, onTestFinished, test } from "vitest";
import { temporaryDirectory } from "../../test/temporary.ts";
import { holeOf, sampleResult } from "../domain/blind/blind.suite.ts";
import type { HybridResult } from "../domain/blind/hybrid-result.ts";
import { openStateStore } from "../store/state-store.ts";
import { reportOn, workLeft } from "./work-left.ts";

function resultWith(module: string, holes: ReturnType<typeof holeOf>[]): HybridResult {
  const typeAdversary = { verdict: "MinorHoles" as const, holes, fixed: [] };
  return sampleResult({ module, shipped: `${module}@1.0.0`, typeAdversary });
}

test("the newest report of each module counts", async () => {
  const store = openStateStore(temporaryDirectory(), { durability: "normal", missing: "create" });
  onTestFinished(() => store.close());
  const lease = await store.leases.acquire("run:r-1", "us", 60_000);
  if (lease.kind !== "acquired") throw new Error("nobody else is here");
  const keep = async (body: Record<string, string>) =>
    (
      await store.artifacts.create(lease.fence, {
        type: "WITNESS_REPORT",
        pillar: "text",
        createdBy: { role: "harness", run_id: "r-1" },
        contextPackRef: null,
        body,
      })
    ).artifact_id;
  await keep({ "result.json": JSON.stringify(resultWith("MM-a", [holeOf("Minor", "old")])) });
  const newer = await keep({ "result.json": JSON.stringify(resultWith("MM-a", [holeOf("Minor", "new")])) });
  await keep({ "witness.json": "{}" });
  expect(await workLeft(store)).toEqual([
    { kind: "hole", module: "MM-a", about: "Minor: new", todo: "declare BlankTitle", report: newer },
  ]);
  expect(await reportOn(store, "MM-a")).toBe(newer);
  expect(await reportOn(store, "MM-b")).toBeUndefined();
});
