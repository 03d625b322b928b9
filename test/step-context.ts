// What a step of a graph is given, for tests of what it calls: mail as told, and what was kept by a run before.
import type { Message } from "../src/domain/run/message.ts";
import type { NodeContext } from "../src/graph/port.ts";

export interface StepBefore {
  /** Given to two runs, the second finds what the first has done once. */
  kept?: Map<string, unknown>;
  mail?: readonly Message[];
}

export function contextOf({ kept = new Map(), mail = [] }: StepBefore = {}): NodeContext {
  return {
    thread: "r-1/t",
    node: "step",
    attempt: 1,
    signal: new AbortController().signal,
    async once(name, schema, work) {
      if (!kept.has(name)) kept.set(name, await work());
      return schema.parse(kept.get(name));
    },
    spent: () => undefined,
    mail: async () => mail,
    advise: async () => undefined,
    advice: async () => [],
  };
}
