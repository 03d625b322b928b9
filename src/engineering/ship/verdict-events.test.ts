import { expect, test } from "vitest";
import { type GateVerdict, judge } from "../../domain/evidence/gate-verdict.ts";
import { orderFor, CLAMP_SAMPLE } from "../../../test/ship-samples.ts";
import { verdictEvents } from "./verdict-events.ts";

const looked = { evidence: [], durationMs: 1, costUsd: 0, looked: 5000 };

test("a gate that found very much is told in few words, with how much there is besides", () => {
  const findings = Array.from({ length: 5000 }, (_, n) => ({
    rule: "r",
    message: `${n} ${"x".repeat(9000)}`,
  }));
  const verdict = judge({ ...looked, gate: "green", findings });
  const stopped: GateVerdict = {
    verdict: "NOT_RUN",
    gate: "mutation",
    evidence: [],
    durationMs: 0,
    costUsd: 0,
    denominator: 0,
    findings: [],
    missing: ["green blocks"],
  };
  const reported = [
    { verdict, summary: "", blocks: true },
    { verdict: stopped, summary: "", blocks: true },
  ];
  const contract = { module_id: "MM-clamp", module_version: "1.0.0" };
  const events = verdictEvents(
    { runId: "r-1" },
    orderFor(CLAMP_SAMPLE),
    { contract, during: "ship", reported },
    new Date(0),
  );
  expect(events).toMatchObject([{ module: "MM-clamp@1.0.0", during: "ship", blocks: true }]);
  expect(JSON.stringify(events).length).toBeLessThan(12_000);
  expect(JSON.stringify(events)).toContain("4988 more of this kind");
});
