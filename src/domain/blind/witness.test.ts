// No sentence without an event, and no event that the journal does not have.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { RunEvent } from "../run/run-event.ts";
import { worded } from "./witness.ts";
import { witnessReportOf } from "./witness-events.ts";

const AT = { at: "2026-01-01T00:00:00.000Z", runId: "r-1" };
const NODE = { thread: "t", graph: "blind", attempt: 1 };
const FREE = { spent: { usage: "unknown", costUsd: 0 } } as const;

function started(seq: number, node: string): RunEvent {
  return { kind: "node_started", ...AT, ...NODE, seq, node };
}

function finished(seq: number, node: string, durationMs = 500): RunEvent {
  return { kind: "node_finished", ...AT, ...NODE, ...FREE, seq, node, durationMs };
}

const events = fc
  .array(fc.tuple(fc.boolean(), fc.constantFrom("types", "tests", "impl")))
  .map((list) => list.map(([ended, node], seq) => (ended ? finished(seq, node) : started(seq, node))));

test("every sentence and every observation refers to events that are there", () => {
  fc.assert(
    fc.property(events, (list) => {
      const report = witnessReportOf(list);
      const known = new Set(list.map(({ seq }) => seq));
      const told = [...report.narrative, ...report.concerns, ...report.suggestions, ...report.observations];
      for (const { events } of told) for (const seq of events) expect(known).toContain(seq);
      for (const { starts } of report.observations) expect(starts).toBeGreaterThan(0);
    }),
  );
});

test("tells of challenges, refusals and ships, and worries about what ran thrice", () => {
  const task = { task: "T-text-slug-make-001", ...AT };
  const report = witnessReportOf([
    started(1, "fix"),
    finished(2, "fix", 1500),
    started(3, "fix"),
    started(4, "fix"),
    {
      kind: "work_challenged",
      ...task,
      seq: 5,
      module: "MM-slugify",
      challenge: "CHAL-00000001",
      verdict: "FAIL",
      failures: ["a hole"],
    },
    {
      kind: "module_refused",
      ...task,
      seq: 6,
      module: "MM-slugify@1.0.0",
      during: "ship",
      findings: ["green"],
    },
    { kind: "module_shipped", ...task, seq: 7, module: "MM-slugify@1.0.0", shipRef: "SHIP-00000001" },
  ]);
  expect(report.narrative).toEqual([
    { text: "A challenge showed: a hole", events: [5] },
    { text: "The work was refused: green", events: [6] },
    { text: "MM-slugify@1.0.0 shipped.", events: [7] },
  ]);
  expect(report.concerns).toEqual([
    { text: "The work was refused: green", events: [6] },
    { text: "fix ran 3 times.", events: [1, 2, 3, 4] },
  ]);
  expect(report.observations).toEqual([
    { node: "fix", starts: 3, seconds: 1.5, failures: 0, events: [1, 2, 3, 4] },
  ]);
});

test("an agent may word it, but one event that never was throws all of it away", () => {
  const derived = witnessReportOf([started(1, "types")]);
  const honest = { narrative: [{ text: "It began.", events: [1] }], concerns: [], suggestions: [] };
  expect(worded(derived, honest, new Set([1]))).toMatchObject({ ...honest, wordedBy: "witness" });
  const invented = { ...honest, suggestions: [{ text: "More tests.", events: [1, 2] }] };
  expect(worded(derived, invented, new Set([1]))).toBe(derived);
  expect(worded(derived, { ...honest, narrative: [] }, new Set([1]))).toBe(derived);
});
