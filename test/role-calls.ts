// Calls of the proposer with agents that do what a test says, and everything the call told its ports.
import { expect } from "vitest";
import { BudgetState } from "../src/domain/agent/budget-state.ts";
import { RoleCallOutcome } from "../src/domain/agent/role-call-outcome.ts";
import { ScriptLine } from "../src/domain/agent/script-line.ts";
import { parse, renderProblems } from "../src/domain/parse.ts";
import { RunEvent } from "../src/domain/run/run-event.ts";
import { openBudget } from "../src/agents/budget.ts";
import { budgetKeeper } from "../src/agents/budget-keeper.ts";
import { type CallPorts, callRole, type RoleCall, type RoleCallEvent } from "../src/agents/call-role.ts";
import type { Runtime, RuntimeAnswer, RuntimeRequest, TranscriptEntry } from "../src/agents/port.ts";
import { packagedPrompts } from "../src/agents/prompting/prompt-source.ts";
import { proposer } from "../src/agents/roles/proposer.ts";
import { scriptedRuntime } from "../src/agents/runtimes/scripted.ts";
import { redactor } from "../src/agents/secrets.ts";
import { proposerInput } from "./agent-samples.ts";

export const KEY = { task: "T-a-001", module: "MM-a", node: "make", attempt: 1 };
export const WORK = { claim: "done", acceptance_checks: ["`a`: shown"], applied_amendments: [] };
export const PAID = { usage: { inputTokens: 100, outputTokens: 10 }, costUsd: 0.01, transcript: [] };
export const DONE: Extract<RuntimeAnswer, { kind: "answered" }> = {
  kind: "answered",
  output: { answer: WORK },
  session: "s1",
  ...PAID,
};
export const WRONG: RuntimeAnswer = { ...DONE, output: { answer: { ...WORK, claim: 5 } } };
export const LIMITS = {
  silenceMs: 50,
  timeoutMs: 5000,
  maxInputTokens: 1000,
  maxOutputTokens: 100,
  maxTurns: 9,
};
export const REF = `sha256:${"a".repeat(64)}`;

export type Call = RoleCall<typeof proposer.input, typeof proposer.output>;

/** A runtime that answers one thing after the other, and remembers what it was asked. */
export function answering(
  answers: readonly (RuntimeAnswer | Runtime["run"])[],
  change: Partial<Runtime> = {},
) {
  const asked: RuntimeRequest[] = [];
  const runtime: Runtime = {
    name: "model",
    forks: "always",
    async run(request) {
      const next = answers[Math.min(asked.length, answers.length - 1)];
      asked.push(request);
      return typeof next === "function" ? next(request) : (next ?? DONE);
    },
    close: async () => {},
    ...change,
  };
  return { runtime, asked };
}

export function playing(...lines: Partial<ScriptLine>[]): Runtime {
  const line = { inputHash: null, files: {}, toolCalls: [], usage: PAID.usage, latencyMs: 0, ending: "ok" };
  const said = { ...line, output: { answer: WORK } };
  return scriptedRuntime(
    lines.map((change, index) =>
      ScriptLine.parse({ ...said, key: { role: "proposer", ...KEY, turn: index + 1 }, ...change }),
    ),
  );
}

export async function ask(runtime: Runtime, change: Partial<Call> = {}, extra: Partial<CallPorts> = {}) {
  const events: RoleCallEvent[] = [];
  const kept: (readonly TranscriptEntry[])[] = [];
  const keeper = budgetKeeper(
    openBudget({ run: {}, task: {}, roles: {}, unknownPrices: "refuse" }),
    async (record) => expect(parse(BudgetState, record).kind).toBe("ok"),
  );
  const call: Call = {
    role: proposer,
    input: proposerInput(),
    key: KEY,
    runtime,
    model: "test:model",
    limits: LIMITS,
    tools: [],
    signal: new AbortController().signal,
    ...change,
  };
  const outcome = await callRole(call, {
    budget: keeper,
    prompts: packagedPrompts,
    emit: async (event) => void events.push(event),
    keep: async (transcript) => (kept.push(transcript), REF),
    redact: redactor({ MY_API_KEY: "very-secret-value-1" }),
    patience: { tries: 2, firstMs: 4, mostMs: 30 },
    random: () => 0.5,
    ...extra,
  });
  events.forEach((event, seq) => {
    const parsed = parse(RunEvent, { ...event, seq, at: "2026-01-01T00:00:00Z", runId: "r" });
    expect(parsed.kind === "invalid" ? renderProblems(parsed.problems) : "").toBe("");
  });
  expect(parse(RoleCallOutcome, outcome).kind).toBe("ok");
  return { outcome, events, kept, state: keeper.state() };
}
