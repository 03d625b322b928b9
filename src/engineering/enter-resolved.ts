// A person's fix or override sends a halted module back to work: once, however often the same order comes.
import { z } from "zod";
import { sha256Hex } from "../domain/canonical.ts";
import { CupelError } from "../domain/error.ts";
import { defineGraph, stateKey } from "../graph/define-graph.ts";
import type { Protocol, ProtocolGoing, ProtocolOutcome } from "../protocols/port.ts";
import { fixCommit } from "./fix-commit.ts";
import { goOn } from "../graph/go-on.ts";
import type { TaskResolution } from "../domain/task/task-record.ts";
import type { EngineeringPorts, Making } from "./port.ts";
import { resolutionHash } from "./subject.ts";

type Entered = Exclude<TaskResolution, { kind: "plan" }>;

export async function enterResolved(
  engineering: EngineeringPorts,
  making: Making & { protocol: Protocol },
  going: ProtocolGoing,
  resolution: Entered,
): Promise<ProtocolOutcome> {
  const { graphs, runId } = engineering;
  const { thread, protocol } = making;
  const hash = resolutionHash(resolution);
  const marker = markerOf(thread, hash);
  if (graphs.find(marker) !== undefined && (await epochIn(engineering, marker)) !== epochOf(graphs, thread))
    return protocol.go(graphs, going);
  if (graphs.find(thread) === undefined) {
    throw new CupelError("usage", `${thread} was never begun, so nothing of it can be resolved`, {
      expected: "the attempt that halted",
    });
  }
  const halted = await protocol.go(graphs, going);
  if (halted.kind !== "halted") return halted;
  const entering =
    resolution.kind === "override"
      ? ({
          at: "ship",
          override: { escalation: resolution.escalation, rationale: resolution.rationale },
        } as const)
      : ({
          at: "challenge",
          fix: {
            commit: await fixCommit(engineering, making, halted.halt, resolution, hash),
            description: resolution.description,
          },
        } as const);
  const marked = await goOn(graphs, markGraph, {
    thread: marker,
    runId,
    ports: { epoch: () => epochOf(graphs, thread) },
  });
  if (marked.kind === "stopped") return marked;
  return protocol.enter(graphs, going, entering);
}

/** The end of a long name is what tells it from others. */
export function markerOf(thread: string, hash: string): string {
  return `${thread.slice(0, 120)}/${hash}-${sha256Hex(thread).slice(0, 16)}`;
}

/** Each way through a thread has a number of its own: where it is still the one before, nobody has entered yet. */
const markGraph = defineGraph({
  name: "resolution",
  version: 1,
  state: { epoch: stateKey({ schema: z.int(), initial: () => 0 }) },
  nodes: {
    mark: {
      run: async (_: unknown, { epoch }: { epoch: () => number }) => ({ update: { epoch: epoch() } }),
      to: ["end"],
      timeoutMs: 60_000,
      lane: "harness",
      does: "notes where the module stopped before a person sends it back to work",
    },
  },
  entries: { start: "mark" },
});

function epochOf(graphs: EngineeringPorts["graphs"], thread: string): number {
  return graphs.find(thread)?.epoch ?? 0;
}

async function epochIn({ graphs, runId }: EngineeringPorts, marker: string): Promise<number | undefined> {
  const marked = await goOn(graphs, markGraph, { thread: marker, runId, ports: { epoch: () => 0 } });
  return marked.kind === "finished" ? marked.state.epoch : undefined;
}
