// What the journal of a run tells for its row: calls and tokens, what the gates measured, and who sent a defective candidate back.
import { keyText } from "../domain/agent/call-key.ts";
import { CodeCoverage, ratio } from "../domain/evidence/coverage.ts";
import type { GateVerdict } from "../domain/evidence/gate-verdict.ts";
import { type CallEnd, isCallEnd, type RunEvent } from "../domain/run/run-event.ts";
import type { TrialRow } from "../domain/trial/trial-row.ts";
import type { StateStore } from "../store/state-store.ts";
import type { Files } from "../toolchains/port.ts";
import type { Desk } from "../trial/workers/desk.ts";

const MOST_EVENTS = 100_000;

type Seen = Pick<TrialRow, "coverage" | "staticPass" | "caughtBy" | "calls" | "tokens">;

/** What the factory, or whoever works without it, made of a run. */
export interface Made extends Seen, Pick<TrialRow, "ended" | "why"> {
  /** What shipped; where nothing did, the last code that was drawn counts. */
  shipped?: Files;
}

export async function trialSeen(store: StateStore, desk: Desk, shipped: boolean): Promise<Seen> {
  const events = await store.journal.read(0, MOST_EVENTS);
  const calls = events.filter(isCallEnd);
  const turns = [...desk.turns.values()].reduce((sum, each) => sum + each - 1, 0);
  return {
    coverage: await coverageOf(store, lastOf(events, "coverage")),
    staticPass: staticOf(lastOf(events, "static")),
    caughtBy: caughtBy(events, desk, shipped),
    calls: calls.length + turns,
    tokens: calls.reduce((sum, { usage }) => sum + tokensOf(usage), 0),
  };
}

export function tokensOf(usage: CallEnd["usage"]): number {
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
export function linesIn(evidence: unknown): number | null {
  const { data } = CodeCoverage.safeParse(evidence);
  return data === undefined ? null : (ratio(data.lines) ?? null);
}

export function staticOf(verdict: GateVerdict | undefined): boolean | null {
  return verdict === undefined ? null : verdict.verdict === "PASS";
}

/** The first defective candidate that came back, and who sent it: whoever spoke last before its author was asked again. */
function caughtBy(events: readonly RunEvent[], desk: Desk, shipped: boolean): TrialRow["caughtBy"] {
  if (desk.ownTestsCaught) return "own-tests";
  const handed = events.flatMap((event, at) => {
    if (!isCallEnd(event)) return [];
    const { role, task, module, node, attempt } = event;
    const code = desk.handedIn.get(keyText({ role, task, module, node, attempt }));
    return code === undefined ? [] : [{ at, code }];
  });
  const caught = handed.findIndex(
    ({ code }, index) => code.defect !== undefined && (index + 1 < handed.length || !shipped),
  );
  const from = handed[caught];
  if (from === undefined) return null;
  return senderIn(events.slice(from.at + 1, handed[caught + 1]?.at));
}

/** Where tests and code are brought together, failing tests send the code back before any gate is asked. */
const RUNS_TESTS = new Set(["validate", "judge"]);

function senderIn(events: readonly RunEvent[]): NonNullable<TrialRow["caughtBy"]> {
  for (const [index, event] of events.toReversed().entries()) {
    if (event.kind === "gate_verdict_recorded" && event.blocks)
      return firstGate(events, events.length - 1 - index);
    if (event.kind === "work_challenged" && event.verdict === "FAIL") return "reviewer";
    if (event.kind === "node_finished" && RUNS_TESTS.has(event.node)) return "green";
    if (event.kind === "role_call_finished" && REVIEWERS.has(event.role)) return "reviewer";
  }
  return "protocol";
}

const REVIEWERS = new Set(["verifier", "reviewer", "challenger", "arbiter"]);

/** Verdicts of one look lie side by side; the first of them counts. */
function firstGate(events: readonly RunEvent[], last: number): GateVerdict["gate"] | "protocol" {
  let gate: GateVerdict["gate"] | "protocol" = "protocol";
  for (let at = last; at >= 0; at -= 1) {
    const event = events[at];
    if (event?.kind !== "gate_verdict_recorded") break;
    if (event.blocks) ({ gate } = event.verdict);
  }
  return gate;
}
