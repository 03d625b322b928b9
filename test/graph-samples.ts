// The graph of the crash tests: ways side by side, a join, a loop, an embedded graph, and effects that leave traces.
import { appendFileSync } from "node:fs";
import { z } from "zod";
import { defineGraph, stateKey } from "../src/graph/define-graph.ts";
import { embed } from "../src/graph/embed.ts";
import type { NodeContext, StateOf, Step } from "../src/graph/port.ts";

const state = {
  rounds: stateKey({ schema: z.int(), initial: () => 0 }),
  said: stateKey({ schema: z.array(z.string()), initial: () => [], merge: (a, b) => [...a, ...b] }),
  bytes: stateKey({ schema: z.instanceof(Uint8Array), initial: () => new Uint8Array([0, 255]) }),
};
type Sample = StateOf<typeof state>;

export interface SamplePorts {
  /** Does something in the world that others see. */
  effect(key: string): Promise<string>;
  /** Called when the graph has said that the effect will not be asked for again. */
  acknowledged(key: string): void;
  /** Called wherever a crash would be interesting. */
  point(where: string): void;
}

const plain = { timeoutMs: 20_000, lane: "harness", does: "an effect" };

/** Two effects, one after the other, and a trace of both in the state. */
function paying(name: string) {
  return async (
    { rounds }: Sample,
    ports: SamplePorts,
    context: NodeContext,
  ): Promise<Step<typeof state, never>> => {
    ports.point(`${name} begins`);
    const first = await pay(`${name}-${rounds}-1`, ports, context);
    ports.point(`${name} between`);
    const second = await pay(`${name}-${rounds}-2`, ports, context);
    ports.point(`${name} ends`);
    return { update: { said: [first, second] } };
  };
}

async function pay(key: string, ports: SamplePorts, context: NodeContext): Promise<string> {
  const receipt = await context.once(key, z.string(), async () => {
    ports.point(`${key} before`);
    const done = await ports.effect(key);
    ports.point(`${key} after`);
    context.spent({ usage: { inputTokens: 1, outputTokens: 1 }, costUsd: 1 });
    return done;
  });
  ports.acknowledged(key);
  return receipt;
}

const inner = defineGraph({
  name: "inner",
  version: 1,
  state: { rounds: state.rounds, said: state.said, bytes: state.bytes },
  nodes: {
    left: { ...plain, run: paying("left"), to: ["right"] },
    right: { ...plain, run: paying("right"), to: ["end"] },
  },
  entries: { start: "left" },
});

export const sampleGraph = defineGraph({
  name: "sample",
  version: 1,
  state,
  nodes: {
    fork: { ...plain, run: paying("fork"), to: ["inner/left", "alone"] },
    ...embed(inner, state, { as: "inner", to: "inner-done" }),
    "inner-done": { ...plain, run: paying("done"), to: ["join"] },
    alone: { ...plain, run: paying("alone"), to: ["join"] },
    join: {
      ...plain,
      run: async ({ rounds, bytes }: Sample) => ({
        update: { rounds: rounds + 1, bytes: new Uint8Array([...bytes, rounds]) },
        goto: rounds < 1 ? ("fork" as const) : ("end" as const),
      }),
      routes: ["fork", "end"],
      after: ["inner-done", "alone"],
    },
  },
  entries: { start: "fork" },
});

/** What an effect leaves behind: one line each time it is done. */
export function appendTo(file: string): SamplePorts["effect"] {
  return async (key) => {
    appendFileSync(file, `${key}\n`);
    return `receipt of ${key}`;
  };
}
