// What the journal and the transcripts of a run tell about one play.
import { z } from "zod";
import type { GateVerdict } from "../domain/evidence/gate-verdict.ts";
import { isCallEnd, type RunEvent } from "../domain/run/run-event.ts";
import type { TaskOutcome } from "../engineering/port.ts";
import type { Seen } from "../simulator/battery/port.ts";
import { secretsFor } from "../simulator/battery/secrets.ts";
import type { SimulatedCase } from "../simulator/port.ts";
import { TESTS_PASS } from "../protocols/fractal/halt.ts";
import type { StateStore } from "../store/state-store.ts";
import { haltWords } from "./halt-words.ts";

export interface Scene {
  about: SimulatedCase;
  /** What it builds on. */
  dependencies: readonly SimulatedCase[];
  acted: boolean;
}

const MOST_EVENTS = 100_000;

export async function seenIn(store: StateStore, outcome: TaskOutcome, scene: Scene): Promise<Seen> {
  const { module_id } = scene.about.planned;
  const events = await store.journal.read(0, MOST_EVENTS);
  const results = await toolResultsIn(store, events, scene);
  const why = whyOf(outcome);
  const blocked = events.flatMap((event) =>
    event.kind === "gate_verdict_recorded" && event.blocks && event.module.startsWith(`${module_id}@`)
      ? [{ gate: event.verdict.gate, finding: findingOf(event.verdict) }]
      : [],
  );
  return {
    ended: outcome.kind,
    blocked:
      blocked.length === 0 && endedInTests(outcome, events) ? [{ gate: "green", finding: why }] : blocked,
    why,
    acted: scene.acted,
    callFailed: events.some((event) => event.kind === "role_call_failed" && event.module === module_id),
    toolResults: results.length,
    leaked: results.flatMap(({ leaked }) => leaked),
  };
}

/** Where tests and code are brought together, failing tests stop the code before any gate is asked. */
const RUNS_TESTS = new Set(["validate", "fix", "judge"]);
/** Files that cannot be a part of a module, as it is told of each of them: nobody has even tested such work. */
const OF_FILES =
  /(?:^|\s)modules\/[\w.-]+(?:\/\S+)? (?:changes|does not belong|has a name|holds more|is|lies|tells) .*: \w/;

export function isAboutFiles(words: string): boolean {
  return OF_FILES.test(words);
}

/** Whoever is told of them and changes nothing. */
const MENDS = "build";

function endedInTests(outcome: TaskOutcome, events: readonly RunEvent[]): boolean {
  if (outcome.kind !== "halted" || isAboutFiles(haltWords(outcome))) return false;
  if (outcome.escalation.failed_invariants.some(({ invariant }) => invariant === TESTS_PASS)) return true;
  const nodes = events.flatMap((event) => (event.kind === "node_started" ? [event.node] : []));
  const before = nodes.slice(0, nodes.lastIndexOf("halt")).findLast((node) => node !== MENDS);
  return before !== undefined && RUNS_TESTS.has(before);
}

function findingOf(verdict: GateVerdict): string {
  if (verdict.verdict === "ERROR") return `${verdict.gate}: ${verdict.message}`;
  const [first] = verdict.findings;
  const place =
    first?.file === undefined ? "" : ` (${first.file}${first.line === undefined ? "" : `:${first.line}`})`;
  return `${verdict.gate}: ${first?.message ?? verdict.verdict}${place}`;
}

function whyOf(outcome: TaskOutcome): string {
  return outcome.kind === "shipped" ? `${outcome.modules.join(", ")} shipped` : haltWords(outcome);
}

const Line = z.looseObject({ kind: z.string(), text: z.string().optional() });

/** What the tools of each agent told it, and what of that it must not see. */
async function toolResultsIn(
  store: StateStore,
  events: readonly RunEvent[],
  { about, dependencies }: Scene,
): Promise<{ leaked: string[] }[]> {
  const results: { leaked: string[] }[] = [];
  for (const event of events) {
    if (!isCallEnd(event) || event.module !== about.planned.module_id || event.transcriptRef === null)
      continue;
    const secrets = secretsFor(event.role, about, dependencies);
    const transcript = (await store.payloads.get(event.transcriptRef)).toString("utf8");
    for (const line of transcript.split("\n").filter((each) => each !== "")) {
      const { kind, text = "" } = Line.parse(JSON.parse(line));
      if (kind === "tool-result") results.push({ leaked: secrets.filter((secret) => text.includes(secret)) });
    }
  }
  return results;
}
