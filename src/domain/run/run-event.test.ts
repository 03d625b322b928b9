import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { parse } from "../parse.ts";
import { isLegalTransition, TASK_STATUSES } from "../task/task-status.ts";
import { RunEvent } from "./run-event.ts";
import { spoil } from "../../../test/spoil.ts";

const hash = "0".repeat(64);
const base = { seq: 7, at: "2026-11-15T12:00:00Z", runId: "r-7f3a" };
const task = "T-text-slug-basics-001";
const unknown = { usage: "unknown", costUsd: "unknown" };
const call = { role: "impl", task, module: "MM-slug", node: "impl", attempt: 1 };
const usage = { inputTokens: 1200, outputTokens: 300 };
const node = { thread: "r-7f3a", graph: "debate", node: "impl", attempt: 2 };
const nodeEnded = { ...node, durationMs: 12.5, spent: { usage, costUsd: 0.07 } };
const budget = { scope: "run", subject: null, unit: "usd", spent: 4.2, cap: 5 };
const verdict = {
  verdict: "FAIL",
  gate: "green",
  evidence: [`sha256:${hash}`],
  durationMs: 12,
  costUsd: 0,
  denominator: 14,
  findings: [{ rule: "green", message: "2 of 14 tests fail" }],
};
const message = { thread: "t-1", node: "make", message: "m-7" };
const advice = { thread: "t-1", node: "make", job: "mutants" };
const events: Record<string, object> = {
  run_opened: { budget: { usd: 5, tokens: 1_000_000, minutes: 30 } },
  run_closed: { outcome: "halted" },
  spec_drafted: { spec: "SPEC-0a1b2c3d@1.0.0" },
  spec_approved: { spec: "SPEC-0a1b2c3d@1.0.0" },
  spec_rejected: { spec: "SPEC-0a1b2c3d@1.0.0", reason: "too large" },
  spec_amended: { spec: "SPEC-0a1b2c3d@1.0.0", reason: "one more story" },
  task_transitioned: { task, from: "PENDING", to: "IN_PROGRESS", why: "dispatched" },
  module_planned: { task, module: "MM-slug", reused: null },
  module_shipped: { task, module: "MM-slug@1.0.0", shipRef: "SHIP-0a1b2c3d" },
  module_refused: {
    task,
    module: "MM-slug@1.0.0",
    during: "examine",
    findings: ["surface: slugify changed"],
  },
  plan_refused: { task, attempt: 1, findings: ["$.modules: expected at least one"] },
  work_challenged: {
    task,
    module: "MM-slug",
    challenge: "CHAL-0a1b2c3d",
    verdict: "FAIL",
    failures: ["no test shows it"],
  },
  role_call_started: call,
  role_call_finished: { ...call, usage, costUsd: 0.07, transcriptRef: `sha256:${hash}` },
  role_call_failed: { ...call, ...unknown, transcriptRef: null, reason: "no output" },
  node_started: node,
  node_finished: nodeEnded,
  node_failed: { ...nodeEnded, reason: "the network is down" },
  node_retried: { ...nodeEnded, reason: "the network is down", waitMs: 500 },
  message_delivered: { ...message, messageKind: "ContextShift", type: "NEW_TEST", from: "t-2/make" },
  message_acknowledged: message,
  advice_started: { ...advice, start: 1 },
  advice_reported: advice,
  advice_failed: { ...advice, reason: "no mutants" },
  advice_timed_out: advice,
  gate_verdict_recorded: {
    task,
    module: "MM-slug@1.0.0",
    during: "examine",
    blocks: true,
    verdict,
  },
  escalation_raised: { task, escalation: "ESC-0a1b2c3d" },
  escalation_resolved: { task, escalation: "ESC-0a1b2c3d", action: "AMEND_SPEC" },
  e2e_suite_refused: { attempt: 1, findings: ["no-tests: there are none"] },
  e2e_suite_accepted: { suite: "TST-0a1b2c3d", commit: "abc", tests: 3, criteria: 5, notShown: [] },
  product_released: { release: "REL-0a1b2c3d", version: "1.0.0", commit: "abc" },
  release_refused: { release: "REL-0a1b2c3d", gates: ["e2e_check"] },
  module_deprecated: {
    module: "MM-slug@1.0.0",
    reason: "slow",
    replacement: null,
    downstream: ["MM-page@1.0.0"],
  },
  budget_warning: budget,
  budget_exhausted: { ...budget, scope: "role", subject: "impl", unit: "tokens" },
};
const eventOf = (kind: string, change: object = {}) => ({ kind, ...base, ...events[kind], ...change });

describe("RunEvent", () => {
  it.each(Object.keys(events))("accepts %s", (kind) => {
    const value = eventOf(kind);
    expect(parse(RunEvent, value)).toEqual({ kind: "ok", value });
  });

  it("knows exactly these kinds, and types them", () => {
    const kinds = RunEvent.options.map((option) => option.shape.kind.value);
    expect(kinds).toEqual(Object.keys(events));
    expectTypeOf<Extract<RunEvent, { kind: "run_closed" }>["outcome"]>().toEqualTypeOf<
      "completed" | "halted" | "stopped" | "failed"
    >();
    expectTypeOf<Extract<RunEvent, { kind: "role_call_failed" }>["costUsd"]>().toEqualTypeOf<
      number | "unknown"
    >();
  });

  it.each(Object.keys(events))(
    "refuses %s without its place, time or run, or with more than belongs in it",
    (kind) => {
      for (const [change, path] of [
        [{ seq: undefined }, "$.seq"],
        [{ seq: -1 }, "$.seq"],
        [{ at: "now" }, "$.at"],
        [{ runId: " " }, "$.runId"],
        [{ extra: 1 }, "$.extra"],
      ] as const) {
        expect(parse(RunEvent, eventOf(kind, change))).toMatchObject({ problems: [{ path }] });
      }
    },
  );

  it.each([
    ["run_opened", { budget: { usd: 0 } }, "$.budget.usd"],
    ["run_opened", { budget: { tokens: 0 } }, "$.budget.tokens"],
    ["run_opened", { budget: { minutes: 0 } }, "$.budget.minutes"],
    ["run_opened", { budget: { euros: 5 } }, "$.budget.euros"],
    ["run_closed", { outcome: "fine" }, "$.outcome"],
    ["spec_rejected", { reason: "" }, "$.reason"],
    ["spec_amended", { reason: undefined }, "$.reason"],
    ["task_transitioned", { why: "" }, "$.why"],
    ["task_transitioned", { task: "TSK-001" }, "$.task"],
    ["module_shipped", { module: "MM-slug" }, "$.module"],
    ["module_refused", { findings: [] }, "$.findings"],
    ["role_call_started", { attempt: 0 }, "$.attempt"],
    ["role_call_started", { role: "boss" }, "$.role"],
    ["role_call_started", { module: undefined }, "$.module"],
    ["role_call_finished", { costUsd: null }, "$.costUsd"],
    ["role_call_finished", { costUsd: -1 }, "$.costUsd"],
    ["role_call_finished", { costUsd: Number.POSITIVE_INFINITY }, "$.costUsd"],
    ["role_call_finished", { usage: { ...usage, inputTokens: 1.5 } }, "$.usage.inputTokens"],
    ["role_call_finished", { usage: { ...usage, cachedInputTokens: 1e9 } }, "$.usage.cachedInputTokens"],
    ["role_call_failed", { usage: undefined }, "$.usage"],
    ["role_call_failed", { reason: " " }, "$.reason"],
    ["role_call_failed", { transcriptRef: undefined }, "$.transcriptRef"],
    ["node_started", { attempt: 0 }, "$.attempt"],
    ["node_started", { durationMs: 1 }, "$.durationMs"],
    ["node_started", { thread: "" }, "$.thread"],
    ["node_finished", { durationMs: -1 }, "$.durationMs"],
    ["node_finished", { spent: undefined }, "$.spent"],
    ["node_finished", { spent: { usage, costUsd: null } }, "$.spent.costUsd"],
    ["node_finished", { reason: "why" }, "$.reason"],
    ["node_failed", { reason: " " }, "$.reason"],
    ["node_failed", { graph: undefined }, "$.graph"],
    ["node_retried", { waitMs: undefined }, "$.waitMs"],
    ["gate_verdict_recorded", { verdict: { ...verdict, denominator: 0 } }, "$.verdict.denominator"],
    ["escalation_raised", { escalation: "ICE-0a1b2c3d" }, "$.escalation"],
    ["escalation_resolved", { action: "SHRUG" }, "$.action"],
    ["escalation_resolved", { action: "DEFER" }, "$.action"],
    ["budget_warning", { cap: 0 }, "$.cap"],
    ["budget_warning", { unit: "euros" }, "$.unit"],
  ])("refuses %s with %j at %s", (kind, change, path) => {
    expect(parse(RunEvent, eventOf(kind, change))).toMatchObject({ problems: [{ path }] });
  });

  it("lets roles be called without a task or a module", () => {
    const value = eventOf("role_call_started", { role: "product_researcher", task: null, module: null });
    expect(parse(RunEvent, value).kind).toBe("ok");
    expect(parse(RunEvent, eventOf("role_call_finished", { transcriptRef: null })).kind).toBe("ok");
    expect(parse(RunEvent, eventOf("run_opened", { budget: {} })).kind).toBe("ok");
  });

  it("counts a decision about an interface change as a resolution", () => {
    for (const action of ["APPROVE_CHANGE", "REJECT_CHANGE"]) {
      expect(parse(RunEvent, eventOf("escalation_resolved", { action })).kind).toBe("ok");
    }
  });

  it("keeps only transitions that the rules allow", () => {
    for (const to of TASK_STATUSES) {
      for (const from of TASK_STATUSES) {
        const parsed = parse(RunEvent, eventOf("task_transitioned", { from, to }));
        expect(parsed.kind === "ok").toBe(isLegalTransition(from, to));
      }
      const fresh = parse(RunEvent, eventOf("task_transitioned", { from: null, to }));
      expect(fresh.kind === "ok").toBe(["PENDING", "BLOCKED"].includes(to));
    }
  });

  it.each([
    ["SHIPPED", "a status that SHIPPED may get"],
    [null, "a status that a new task may get"],
  ])("says what is wrong with a transition from %s", (from, expected) => {
    expect(parse(RunEvent, eventOf("task_transitioned", { from }))).toEqual({
      kind: "invalid",
      problems: [{ path: "$.to", expected, found: "IN_PROGRESS" }],
    });
  });

  it.each([{ ...base, kind: "coffee" }, { ...base }, null, [], "run_opened"])("refuses %j", (value) => {
    expect(parse(RunEvent, value).kind).toBe("invalid");
  });

  it.each(Object.keys(events).flatMap((kind) => spoil(eventOf(kind), ["$.verdict"])))(
    "refuses $how at $path: $input.kind",
    ({ input, path }) => {
      const parsed = parse(RunEvent, input);
      expect(parsed.kind === "invalid" && parsed.problems.map((problem) => problem.path)).toContain(path);
    },
  );

  it("converts to JSON Schema", () => {
    expect(z.toJSONSchema(RunEvent)).toBeDefined();
  });
});
