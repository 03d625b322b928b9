// A protocol of one node whose modules end as a test says, on a real durable graph; for tests of the supervisor.
import { z } from "zod";
import { defineGraph, stateKey } from "../src/graph/define-graph.ts";
import type { NodeContext } from "../src/graph/port.ts";
import { Halt, Shipped } from "../src/protocols/outcome.ts";
import type { Protocol, ProtocolGoing, ProtocolOutcome, ProtocolPorts } from "../src/protocols/port.ts";

const Ended = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("shipped"), shipped: Shipped }),
  z.strictObject({ kind: z.literal("halted"), halt: Halt }),
]);
export type Ended = z.infer<typeof Ended>;

export interface Turn {
  at: "make" | "challenge" | "ship";
  /** The commit of a fix, or the reason of an override. */
  given: string;
  ports: ProtocolPorts;
  context: NodeContext;
}
export type Play = (turn: Turn) => Promise<Ended>;

interface Ports {
  ports: ProtocolPorts;
  play: Play;
}

const state = {
  given: stateKey({ schema: z.string(), initial: () => "" }),
  ended: stateKey({ schema: Ended.nullable(), initial: () => null }),
};

const node = (at: Turn["at"]) => ({
  run: async ({ given }: { given: string }, { ports, play }: Ports, context: NodeContext) => ({
    update: { ended: await play({ at, given, ports, context }) },
  }),
  to: ["end" as const],
  timeoutMs: 60_000,
  lane: "anybody",
  does: "what the test says",
});

const graph = defineGraph({
  name: "tiny",
  version: 1,
  state,
  nodes: { make: node("make"), challenge: node("challenge"), ship: node("ship") },
  entries: { start: "make", challenge: "challenge", ship: "ship" },
});

export function tinyProtocol(play: Play): Protocol {
  const portsOf = ({ ports }: ProtocolGoing): Ports => ({ ports, play });
  return {
    name: "debate",
    scope: "module",
    debated: true,
    gates: [],
    async go(graphs, going) {
      const { thread, runId } = going;
      const begun = graphs.find(thread) !== undefined;
      return told(
        begun
          ? await graphs.resume(graph, { thread, ports: portsOf(going) })
          : await graphs.run(graph, { thread, runId, ports: portsOf(going) }),
      );
    },
    async enter(graphs, going, entering) {
      const given = entering.at === "ship" ? entering.override.rationale : entering.fix.commit;
      const { thread } = going;
      return told(
        await graphs.enter(graph, {
          thread,
          ports: portsOf(going),
          at: entering.at,
          input: { given, ended: null },
        }),
      );
    },
  };
}

function told(outcome: { kind: string; state?: { ended: Ended | null }; why?: string }): ProtocolOutcome {
  const ended = outcome.state?.ended;
  if (outcome.kind !== "finished" || ended === null || ended === undefined)
    return { kind: "stopped", why: outcome.why ?? outcome.kind };
  return ended.kind === "halted"
    ? ended
    : { kind: "shipped", module: ended.shipped.module, shipped: ended.shipped };
}

export const COMMIT = "1".repeat(40);

export function haltOf(module: string, change: Partial<Halt> = {}): Ended {
  const halt = {
    trail: { proposals: [], challenges: [], adjudications: [] },
    failed: [{ invariant: `${module} keeps its contract`, evidence: "a test is red" }],
    decision: `Decide about ${module}.`,
    recommended: "PROVIDE_FIX" as const,
    context: `${module} failed twice.`,
    ...change,
  };
  return { kind: "halted", halt };
}
