// Begins a thread or goes on with it, and tells why where it does not come to its end.
import type { Graphs } from "./graphs-port.ts";
import type { Graph, GraphOutcome, StateOf, StateShape, UpdateOf } from "./port.ts";

export interface GoingOn<Shape extends StateShape, Ports> {
  thread: string;
  runId: string;
  ports: Ports;
  /** Only where it begins. */
  input?: UpdateOf<Shape>;
}

export type WentOn<State> = { kind: "finished"; state: State } | { kind: "stopped"; why: string };

export async function goOn<Shape extends StateShape, Ports, Entries extends string>(
  graphs: Graphs,
  graph: Graph<Shape, Ports, Entries>,
  { thread, runId, ports, input }: GoingOn<Shape, Ports>,
): Promise<WentOn<StateOf<Shape>>> {
  const outcome =
    graphs.find(thread) === undefined
      ? await graphs.run(graph, { thread, runId, ports, ...(input === undefined ? {} : { input }) })
      : await graphs.resume(graph, { thread, ports });
  return outcome.kind === "finished"
    ? { kind: "finished", state: outcome.state }
    : { kind: "stopped", why: whyStopped(outcome) };
}

export function whyStopped(outcome: Exclude<GraphOutcome<unknown>, { kind: "finished" }>): string {
  switch (outcome.kind) {
    case "failed":
      return `${outcome.node} failed: ${outcome.why}`;
    case "timed-out":
      return `${outcome.node} took longer than ${outcome.afterMs} ms`;
    case "drained":
      return "the run was asked to stop";
    case "aborted":
      return "the run was aborted";
    case "held":
      return `${outcome.by} works on it, until ${outcome.expiresAt} at least`;
    case "lost":
      return `${outcome.by} took it over`;
  }
}
