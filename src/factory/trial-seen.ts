// What the journal of a run tells for its row: calls and tokens, what the gates measured, and who sent a defective candidate back.
import { keyText } from "../domain/agent/call-key.ts";
import { CodeCoverage, ratio } from "../domain/evidence/coverage.ts";
import type { GateVerdict } from "../domain/evidence/gate-verdict.ts";
import { type CallEnd, isCallEnd, type RunEvent } from "../domain/run/run-event.ts";
import type { GateName } from "../domain/evidence/gate.ts";
import type { TrialRow } from "../domain/trial/trial-row.ts";
import { isAboutTests } from "../protocols/about-tests.ts";
import type { StateStore } from "../store/state-store.ts";
import type { Files } from "../toolchains/port.ts";
import type { Desk } from "../trial/workers/desk.ts";

const MOST_EVENTS = 100_000;

type Seen = Pick<
  TrialRow,
  "attempts" | "coverage" | "staticPass" | "caughtBy" | "calls" | "tokens" | "costUsd"
>;

/** What the factory made of a run. */
export interface Made extends Seen, Pick<TrialRow, "ended" | "why"> {
  /** What shipped; where nothing did, the last code that was drawn counts. */
  shipped?: Files;
}

/** `isRefused`: in the end, too, the last candidate was not good enough. */
export async function trialSeen(store: StateStore, desk: Desk, isRefused: boolean): Promise<Seen> {
  const events = await store.journal.read(0, MOST_EVENTS);
  const calls = events.filter(isCallEnd);
  const turns = [...desk.turns.values()].reduce((sum, each) => sum + each - 1, 0);
  return {
    coverage: await coverageOf(store, lastOf(events, "coverage")),
    staticPass: staticOf(lastOf(events, "static")),
    caughtBy: caughtBy(events, desk, isRefused),
    attempts: calls.filter(({ role }) => WRITERS.has(role)).length,
    calls: calls.length + turns,
    tokens: calls.reduce((sum, { usage }) => sum + tokensOf(usage), 0),
    costUsd: costOf(calls),
  };
}

/** Whoever hands in code. */
const WRITERS: ReadonlySet<string> = new Set(["proposer", "builder", "impl", "fix"]);

/** A price that nobody knows is not nothing. */
function costOf(calls: readonly CallEnd[]): number | null {
  const costs = calls.map(({ costUsd }) => costUsd);
  return costs.includes("unknown") ? null : costs.reduce<number>((sum, each) => sum + Number(each), 0);
}

function tokensOf(usage: CallEnd["usage"]): number {
  return usage === "unknown" ? 0 : usage.inputTokens + usage.outputTokens;
}

function lastOf(events: readonly RunEvent[], gate: GateVerdict["gate"]): GateVerdict | undefined {
  return events
    .flatMap((event) =>
      event.kind === "gate_verdict_recorded" && event.verdict.gate === gate ? [event.verdict] : [],
    )
    .findLast(({ verdict }) => verdict === "PASS" || verdict === "FAIL");
}

async function coverageOf(store: StateStore, verdict: GateVerdict | undefined): Promise<number | null> {
  const [ref] = verdict?.evidence ?? [];
  return ref === undefined ? null : linesIn(JSON.parse((await store.payloads.get(ref)).toString("utf8")));
}

/** Null where nothing was there to be covered. */
function linesIn(evidence: unknown): number | null {
  const { data } = CodeCoverage.safeParse(evidence);
  return data === undefined ? null : (ratio(data.lines) ?? null);
}

function staticOf(verdict: GateVerdict | undefined): boolean | null {
  return verdict === undefined ? null : verdict.verdict === "PASS";
}

/** The first defective candidate that came back, and who sent it: whoever spoke last before its author was asked again. */
function caughtBy(events: readonly RunEvent[], desk: Desk, isRefused: boolean): TrialRow["caughtBy"] {
  const handed = events.flatMap((event, at) => {
    if (!isCallEnd(event)) return [];
    const { role, task, module, node, attempt } = event;
    const name = keyText({ role, task, module, node, attempt });
    const code = desk.handedIn.get(name);
    return code === undefined ? [] : [{ at, name, code }];
  });
  const own = handed.findIndex(({ name }) => name === desk.caughtIn);
  const caught = handed.findIndex(
    ({ code }, index) => code.defect !== undefined && (index + 1 < handed.length || isRefused),
  );
  if (own !== -1 && (caught === -1 || own <= caught)) return "own-tests";
  const from = handed[caught];
  if (from === undefined) return null;
  return senderIn(events.slice(from.at + 1, handed[caught + 1]?.at));
}

/** Where tests and code are brought together, failing tests send the code back before any gate is asked. */
const RUNS_TESTS = new Set(["validate", "judge", "impl"]);
const REVIEWERS = new Set(["verifier", "reviewer", "challenger", "arbiter"]);

function senderIn(events: readonly RunEvent[]): NonNullable<TrialRow["caughtBy"]> {
  const at = events.findLastIndex((event) => speaks(event) || hasRun(event));
  const event = events[at];
  if (event?.kind === "gate_verdict_recorded") return gateIn(events.slice(0, at + 1));
  if (event?.kind !== "node_finished") return event === undefined ? "protocol" : "reviewer";
  // What the node itself asked for before it ended.
  const begun = events.findLastIndex(({ kind }, index) => kind === "node_started" && index < at);
  const own = events.slice(Math.max(begun, 0), at);
  const last = own.findLastIndex(blocksWork);
  return last === -1 ? "green" : gateIn(own.slice(0, last + 1));
}

function hasRun(event: RunEvent): boolean {
  return event.kind === "node_finished" && RUNS_TESTS.has(event.node);
}

function speaks(event: RunEvent): boolean {
  if (event.kind === "role_call_finished") return REVIEWERS.has(event.role);
  return blocksWork(event) || (event.kind === "work_challenged" && event.verdict === "FAIL");
}

function blocksWork(event: RunEvent): boolean {
  return event.kind === "gate_verdict_recorded" && event.blocks;
}

/** Of the last look: the first gate that has something against the code, or else against its tests. */
function gateIn(events: readonly RunEvent[]): GateName | "protocol" {
  const before = events.findLastIndex(({ kind }) => kind !== "gate_verdict_recorded");
  const blocking = events
    .slice(before + 1)
    .flatMap((event) => (event.kind === "gate_verdict_recorded" && event.blocks ? [event.verdict.gate] : []));
  return blocking.find((gate) => !isAboutTests(`${gate}: `)) ?? blocking[0] ?? "protocol";
}
