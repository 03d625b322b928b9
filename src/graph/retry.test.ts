import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { RequestRetry } from "../domain/agent/exit.ts";
import { afterRequest, attemptAt, forgetAttempts } from "../domain/run/retry.ts";
import { defineGraph, stateKey } from "./define-graph.ts";
import { open, plain } from "./graphs-sample.suite.ts";
import type { StateOf } from "./port.ts";
import { retriesKey } from "./retry.ts";

const state = { retries: retriesKey, verdict: stateKey({ schema: z.string(), initial: () => "" }) };
interface Ports {
  ask: (attempt: number, last: boolean) => Promise<"done" | RequestRetry>;
}

/** How a node that works in attempts looks: it goes to itself, and to a person when it is stuck. */
async function impl({ retries }: StateOf<typeof state>, { ask }: Ports) {
  const { attempt, last } = attemptAt(retries, "impl");
  const said = await ask(attempt, last);
  if (said === "done") {
    return { update: { retries: forgetAttempts(retries, "impl"), verdict: "passed" }, goto: "end" as const };
  }
  const next = afterRequest(retries, "impl", said);
  return next.kind === "again"
    ? { update: { retries: next.retries }, goto: "impl" as const }
    : { update: {}, goto: "person" as const };
}

const graph = defineGraph({
  name: "retrying",
  version: 1,
  state,
  nodes: {
    impl: { ...plain, run: impl, routes: ["impl", "person", "end"] },
    person: { ...plain, run: async () => ({ update: { verdict: "stuck" } }), to: ["end"] },
  },
  entries: { start: "impl" },
});
const again: RequestRetry = { kind: "request_retry", why: "still red", strategy: "another way" };

describe("a node that asks for another attempt", () => {
  it("gets five in all, hears which is the last, and is stuck then", async () => {
    const asked: [number, boolean][] = [];
    const { graphs } = open();
    const ports: Ports = {
      async ask(...attempt) {
        asked.push(attempt);
        return again;
      },
    };
    const outcome = await graphs.run(graph, { thread: "t-1", ports });
    expect(outcome).toMatchObject({ kind: "finished", state: { verdict: "stuck" } });
    expect(asked).toEqual([
      [1, false],
      [2, false],
      [3, false],
      [4, false],
      [5, true],
    ]);
  });

  it("loses no count when the process fails in between, and gains none", async () => {
    const asked: number[] = [];
    const { graphs } = open();
    const ports: Ports = {
      async ask(attempt) {
        asked.push(attempt);
        if (asked.length === 3) throw new Error("the power went");
        return asked.length < 5 ? again : "done";
      },
    };
    expect(await graphs.run(graph, { thread: "t-1", ports })).toMatchObject({ kind: "failed" });
    const outcome = await graphs.resume(graph, { thread: "t-1", ports });
    expect(outcome).toMatchObject({ state: { verdict: "passed", retries: { impl: [] } } });
    expect(asked).toEqual([1, 2, 3, 3, 4]);
  });

  it("does not mix up what is tried side by side", () => {
    expect(retriesKey.merge?.({ a: [again], b: [] }, { b: [again] })).toEqual({ a: [again], b: [again] });
  });
});
