// From the events of one thread to a witness report: each sentence is made of one event or of a few of a kind.
import type { RunEvent } from "../run/run-event.ts";
import type { NodeObservation, Sentence, WitnessReport } from "./witness.ts";

/** A node that had to run so often had trouble. */
const OFTEN = 3;

export function witnessReportOf(events: readonly RunEvent[]): WitnessReport {
  const observations = observationsOf(events);
  const concerns = [...concernsAbout(events), ...troubled(observations)];
  return {
    observations,
    narrative: events.flatMap(sentenceOf),
    concerns,
    suggestions: suggestionsFor(events),
    wordedBy: "harness",
  };
}

function observationsOf(events: readonly RunEvent[]): NodeObservation[] {
  const nodes = new Map<string, NodeObservation>();
  for (const event of events) {
    if (event.kind !== "node_started" && event.kind !== "node_finished" && event.kind !== "node_failed")
      continue;
    const known = nodes.get(event.node) ?? {
      node: event.node,
      starts: 0,
      seconds: 0,
      failures: 0,
      events: [],
    };
    nodes.set(event.node, {
      ...known,
      starts: known.starts + (event.kind === "node_started" ? 1 : 0),
      seconds: known.seconds + (event.kind === "node_started" ? 0 : event.durationMs / 1000),
      failures: known.failures + (event.kind === "node_failed" ? 1 : 0),
      events: [...known.events, event.seq],
    });
  }
  // What ended and never began in this thread's journal cannot be counted.
  return [...nodes.values()].filter(({ starts }) => starts > 0);
}

function sentenceOf(event: RunEvent): Sentence[] {
  const text = words(event);
  return text === undefined ? [] : [{ text, events: [event.seq] }];
}

function words(event: RunEvent): string | undefined {
  switch (event.kind) {
    case "role_call_finished":
      return `The ${event.role} answered in ${event.node}, attempt ${event.attempt}.`;
    case "role_call_failed":
      return `The ${event.role} gave nothing in ${event.node}, attempt ${event.attempt}: ${event.reason}`;
    case "work_challenged":
      return event.verdict === "PASS"
        ? "A challenge found nothing that stands."
        : `A challenge showed: ${event.failures.join("; ")}`;
    case "gate_verdict_recorded":
      return event.blocks ? `The gate ${event.verdict.gate} sent the work back.` : undefined;
    case "module_refused":
      return `The work was refused: ${event.findings.join("; ")}`;
    case "module_shipped":
      return `${event.module} shipped.`;
    case "message_delivered":
      return `${event.from} wrote to ${event.node}.`;
    case "advice_reported":
      return `The advice ${event.job} came in.`;
    case "advice_failed":
      return `The advice ${event.job} failed: ${event.reason}`;
    case "advice_timed_out":
      return `The advice ${event.job} did not come in time.`;
    case "node_failed":
      return `${event.node} failed: ${event.reason}`;
    default:
      return undefined;
  }
}

const WORRYING: ReadonlySet<RunEvent["kind"]> = new Set([
  "role_call_failed",
  "module_refused",
  "advice_failed",
  "advice_timed_out",
  "node_failed",
]);

function concernsAbout(events: readonly RunEvent[]): Sentence[] {
  return events.filter(({ kind }) => WORRYING.has(kind)).flatMap(sentenceOf);
}

function troubled(observations: readonly NodeObservation[]): Sentence[] {
  return observations
    .filter(({ starts }) => starts >= OFTEN)
    .map(({ node, starts, events }) => ({ text: `${node} ran ${starts} times.`, events }));
}

/** The gate that sent work back most is where the next specification should say more. */
function suggestionsFor(events: readonly RunEvent[]): Sentence[] {
  const byGate = new Map<string, number[]>();
  for (const event of events) {
    if (event.kind !== "gate_verdict_recorded" || !event.blocks) continue;
    byGate.set(event.verdict.gate, [...(byGate.get(event.verdict.gate) ?? []), event.seq]);
  }
  return [...byGate].map(([gate, seqs]) => ({
    text: `Say in the task what the gate ${gate} needs: it sent the work back ${seqs.length} times.`,
    events: seqs,
  }));
}
