import { describe, expect, test } from "vitest";
import { RunEvent } from "../../domain/run/run-event.ts";
import { sentenceOf } from "./log-text.ts";

const SHA = `sha256:${"ab".repeat(32)}`;
const every = { seq: 1, at: "2026-01-02T03:04:05.000Z", runId: "r-1" };
const task = "T-a-b-c-001";
const call = { role: "challenger", task, module: "MM-slug", node: "challenge", attempt: 2 };
const node = { thread: "t-1", graph: "debate", node: "make", attempt: 1 };
const spent = { usage: { inputTokens: 10, outputTokens: 2 }, costUsd: "unknown" };
const ended = { ...node, durationMs: 1500, spent };
const message = { thread: "t-1", node: "make", message: "m-1" };
const advice = { thread: "t-1", node: "make", job: "mutants" };
const budget = { scope: "role", subject: "proposer", unit: "usd", spent: 4, cap: 5 };
const said = { gate: "green", evidence: [SHA], durationMs: 1, costUsd: 0 };
const gate = { task, module: "MM-slug@1.0.0", during: "examine" };
const fail = {
  ...said,
  verdict: "FAIL",
  denominator: 3,
  findings: [
    { rule: "r", message: "adds: expected 3, found 4", file: "test/a.test.ts", line: 7 },
    { rule: "r", message: "other" },
  ],
};

const SAID: Record<string, [object, string]> = {
  run_opened: [{ budget: { usd: 10, tokens: 1 } }, "the run was opened; it may use $10, 1 token"],
  run_closed: [{ outcome: "halted" }, "the run was closed: halted"],
  spec_drafted: [{ spec: "SPEC-0a1b2c3d@1.0.0" }, "the specification SPEC-0a1b2c3d@1.0.0 was drafted"],
  spec_approved: [{ spec: "SPEC-0a1b2c3d@1.0.0" }, "the specification SPEC-0a1b2c3d@1.0.0 was approved"],
  spec_rejected: [
    { spec: "SPEC-0a1b2c3d@1.0.0", reason: "too large" },
    "the specification SPEC-0a1b2c3d@1.0.0 was rejected: too large",
  ],
  spec_amended: [
    { spec: "SPEC-0a1b2c3d@1.0.0", reason: "more" },
    "the specification SPEC-0a1b2c3d@1.0.0 was amended: more",
  ],
  task_transitioned: [
    { task, from: null, to: "PENDING", why: "planned" },
    "T-a-b-c-001 is new and PENDING: planned",
  ],
  module_planned: [
    { task, module: "MM-slug", reused: "MM-old@1.0.0" },
    "T-a-b-c-001: MM-slug is planned, and MM-old@1.0.0 is used for it",
  ],
  module_shipped: [
    { task, module: "MM-slug@1.0.0", shipRef: "SHIP-0a1b2c3d" },
    "T-a-b-c-001: ✓ MM-slug@1.0.0 has shipped (SHIP-0a1b2c3d)",
  ],
  module_refused: [
    { task, module: "MM-slug@1.0.0", during: "ship", findings: ["green: red", "x"] },
    "T-a-b-c-001: ✕ MM-slug@1.0.0 was not let out: green: red (and 1 other finding)",
  ],
  plan_refused: [
    { task, attempt: 2, findings: ["$.modules: expected one", "x"] },
    "T-a-b-c-001: ✕ plan 2 was not accepted: $.modules: expected one (and 1 other finding)",
  ],
  work_challenged: [
    { task, module: "MM-slug", challenge: "CHAL-0a1b2c3d", verdict: "FAIL", failures: ["no test shows it"] },
    "MM-slug: ✕ the challenger failed it: no test shows it (CHAL-0a1b2c3d)",
  ],
  role_call_started: [call, "the challenger of MM-slug (challenge, attempt 2) is asked"],
  role_call_finished: [
    { ...call, ...spent, transcriptRef: SHA },
    `the challenger of MM-slug (challenge, attempt 2) answered; 10 tokens read, 2 written, cost unknown; cupel store show ${SHA}`,
  ],
  role_call_failed: [
    { ...call, usage: "unknown", costUsd: 0.5, transcriptRef: null, reason: "no output" },
    "✕ the challenger of MM-slug (challenge, attempt 2) gave no answer: no output; tokens unknown, $0.5",
  ],
  node_started: [node, "t-1: the node make began"],
  node_finished: [ended, "t-1: the node make is done after 1.5 s"],
  node_failed: [{ ...ended, reason: "down" }, "✕ t-1: the node make failed after 1.5 s: down"],
  node_retried: [
    { ...ended, attempt: 2, reason: "down", waitMs: 500 },
    "t-1: the node make (attempt 2) failed and is tried again in 500 ms: down",
  ],
  message_delivered: [
    { ...message, messageKind: "ContextShift", type: "NEW_TEST", from: "t-2/make" },
    "t-1: the node make got the ContextShift NEW_TEST (m-1) from t-2/make",
  ],
  message_acknowledged: [message, "t-1: the node make has dealt with the message m-1"],
  advice_started: [{ ...advice, start: 1 }, "t-1: mutants began beside the node make"],
  advice_reported: [advice, "t-1: mutants, asked for by the node make, has reported"],
  advice_failed: [{ ...advice, reason: "none" }, "t-1: mutants, asked for by the node make, failed: none"],
  advice_timed_out: [
    advice,
    "t-1: mutants, asked for by the node make, took too long; work goes on without it",
  ],
  gate_verdict_recorded: [
    { ...gate, blocks: true, verdict: fail },
    "T-a-b-c-001: MM-slug@1.0.0, before its debate: the gate green ✕ sends it back: test/a.test.ts:7: adds: expected 3, found 4 (and 1 other finding)",
  ],
  escalation_raised: [
    { task, escalation: "ESC-0a1b2c3d" },
    "T-a-b-c-001: a person is asked: cupel store show ESC-0a1b2c3d",
  ],
  escalation_resolved: [
    { task, escalation: "ESC-0a1b2c3d", action: "AMEND_SPEC" },
    "T-a-b-c-001: ESC-0a1b2c3d was answered with AMEND_SPEC",
  ],
  e2e_suite_refused: [
    { attempt: 2, findings: ["no-tests: nothing was written below e2e/"] },
    "✕ end-to-end tests, attempt 2, were not accepted: no-tests: nothing was written below e2e/",
  ],
  e2e_suite_accepted: [
    { suite: "TST-0a1b2c3d", commit: "0123456789abcdef", tests: 3, criteria: 5, notShown: ["T-a-b-c-001.1"] },
    "✓ 3 end-to-end tests show 4 of 5 criteria (TST-0a1b2c3d, commit 0123456789ab)",
  ],
  product_released: [
    { release: "REL-0a1b2c3d", version: "1.0.0", commit: "0123456789abcdef" },
    "✓ version 1.0.0 is released at 0123456789ab (REL-0a1b2c3d)",
  ],
  release_refused: [
    { release: "REL-0a1b2c3d", gates: ["e2e_check"] },
    "✕ the release was refused by e2e_check: cupel store show REL-0a1b2c3d",
  ],
  module_deprecated: [
    {
      module: "MM-slug@1.0.0",
      reason: "slow",
      replacement: "MM-slug@2.0.0",
      downstream: ["MM-page@1.0.0"],
    },
    "MM-slug@1.0.0 is deprecated: slow; use MM-slug@2.0.0; MM-page@1.0.0 build on it",
  ],
  budget_warning: [budget, "the budget of the role proposer ($4 of $5) is nearly used up"],
  budget_exhausted: [
    { ...budget, scope: "run", subject: null, unit: "tokens" },
    "✕ the budget of the run (4 of 5 tokens) is used up",
  ],
};

test("every kind of event has its sentence", () => {
  expect(Object.keys(SAID)).toEqual(RunEvent.options.map((option) => option.shape.kind.value));
});

test.each(Object.entries(SAID))("%s", (kind, [rest, sentence]) => {
  expect(sentenceOf(RunEvent.parse({ kind, ...every, ...rest }))).toBe(sentence);
});

test("what no gate could look at is told as that", () => {
  const refused = { kind: "module_refused", ...every, task, module: "MM-slug@1.0.0", findings: ["no tests"] };
  expect(sentenceOf(RunEvent.parse({ ...refused, during: "examine" }))).toBe(
    "T-a-b-c-001: ✕ MM-slug@1.0.0 was sent back before any gate looked: no tests",
  );
});

describe("a gate", () => {
  const nothing = { ...said, denominator: 0, findings: [] };
  const liveness = { planted: "a throwing body", refused: true, how: "this-run" };
  test.each<[boolean, object, string]>([
    [
      false,
      { ...said, verdict: "PASS", denominator: 3, findings: [], liveness },
      "green ✓: it looked at 3 things and refused a throwing body",
    ],
    [false, fail, "green lets it through: test/a.test.ts:7: adds"],
    [
      false,
      { ...nothing, verdict: "NOT_APPLICABLE", derivedFrom: "no state" },
      "green ✓: there is nothing for it to look at (no state)",
    ],
    [
      true,
      { ...nothing, verdict: "NOT_RUN", missing: ["sandbox"] },
      "green ✕ sends it back: it was not run without sandbox",
    ],
    [true, { ...nothing, verdict: "ERROR", message: "it broke" }, "green ✕ sends it back: it broke"],
  ])("that blocks: %s, is told", (blocks, verdict, sentence) => {
    const event = { kind: "gate_verdict_recorded", ...every, ...gate, during: "ship", blocks, verdict };
    expect(sentenceOf(RunEvent.parse(event))).toContain(`at the door: the gate ${sentence}`);
  });
});
