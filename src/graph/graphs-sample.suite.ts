// A small graph with everything in it, and a runner on a fresh database, for the tests of running graphs.
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { z } from "zod";
import { temporaryDirectory } from "../../test/temporary.ts";
import type { RunEvent } from "../domain/run/run-event.ts";
import { LocalJournal } from "../store/local/journal.ts";
import { Sql } from "../store/sql.ts";
import { defineGraph, stateKey } from "./define-graph.ts";
import { openGraphs } from "./graphs.ts";
import type { GraphsOptions } from "./graphs-port.ts";
import type { NodeContext, Step } from "./port.ts";

export const state = {
  count: stateKey({ schema: z.int(), initial: () => 0 }),
  said: stateKey({ schema: z.array(z.string()), initial: () => [], merge: (a, b) => [...a, ...b] }),
};
export type Decided = Step<typeof state, "a" | "end">;
export const plain = { timeoutMs: 5000, lane: "harness", does: "something" };

export interface Ports {
  work: (node: string, context: NodeContext) => Promise<Partial<Decided> | void>;
}
export const node = (name: string) => ({
  ...plain,
  async run(_: unknown, { work }: Ports, context: NodeContext): Promise<Decided> {
    return { update: { said: [name] }, ...(await work(name, context)) };
  },
});

/** a → b and c side by side → d → e, which loops to a or ends. */
export const graph = defineGraph({
  name: "sample",
  version: 1,
  state,
  nodes: {
    a: { ...node("a"), to: ["b", "c"] },
    b: { ...node("b"), to: ["d"] },
    c: { ...node("c"), to: ["d"], retries: 2 },
    d: { ...node("d"), to: ["e"], after: ["b", "c"] },
    e: {
      ...plain,
      async run({ count }, { work }: Ports, context) {
        const given = await work("e", context);
        return { update: { count: count + 1, said: ["e"] }, goto: count < 1 ? "a" : "end", ...given };
      },
      routes: ["a", "end"],
    },
  },
  entries: { start: "a", late: "e" },
});

export const idle: Ports = { work: async () => undefined };

export function open(options: Partial<GraphsOptions> = {}) {
  const sql = options.sql ?? Sql.open(join(temporaryDirectory(), "cupel.db"), { durability: "normal" });
  if (options.sql === undefined) onTestFinished(() => sql.close());
  const graphs = openGraphs({ holder: "us", backOffMs: 1, graceMs: 20, ...options, sql });
  const journal = new LocalJournal(sql);
  const events = async (): Promise<string[]> =>
    (await journal.read(0, 1000)).map((event) => `${event.kind.replace("node_", "")} ${nodeOf(event)}`);
  return { sql, graphs, journal, events };
}

function nodeOf(event: RunEvent): string {
  return "node" in event && event.node !== undefined ? event.node : "";
}

export const twice = ["a", "b", "c", "d", "e", "a", "b", "c", "d", "e"];
