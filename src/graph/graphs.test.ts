import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineGraph } from "./define-graph.ts";
import { graph, idle, node, open, plain, state, twice } from "./graphs-sample.suite.ts";
import type { Decided, Ports } from "./graphs-sample.suite.ts";

describe("a run", () => {
  it("goes through the graph, and its journal tells each node once", async () => {
    const { graphs, events } = open();
    const outcome = await graphs.run(graph, { thread: "t-1", ports: idle });
    expect(outcome).toEqual({
      thread: "t-1",
      kind: "finished",
      state: { count: 2, said: twice },
      advice: [],
    });
    const seen = await events();
    expect(seen.filter((line) => line.startsWith("finished"))).toEqual(
      twice.map((name) => `finished ${name}`),
    );
    expect(seen).toHaveLength(20);
    expect(seen.slice(0, 3)).toEqual(["started a", "finished a", "started b"]);
  });

  it("begins at any entry, with input, under any run", async () => {
    const { graphs, journal } = open();
    const outcome = await graphs.run(graph, {
      thread: "t-1",
      ports: idle,
      at: "late",
      input: { count: 5 },
      runId: "r-9",
    });
    expect(outcome).toMatchObject({ kind: "finished", state: { count: 6, said: ["e"] } });
    expect((await journal.read(0, 10, "r-9"))[0]).toMatchObject({
      kind: "node_started",
      thread: "t-1",
      runId: "r-9",
    });
  });

  it("cannot be begun twice, and tells what it came to when it is resumed", async () => {
    const { graphs } = open();
    const first = await graphs.run(graph, { thread: "t-1", ports: idle });
    await expect(graphs.run(graph, { thread: "t-1", ports: idle })).rejects.toMatchObject({
      code: "already_exists",
    });
    expect(await graphs.resume(graph, { thread: "t-1", ports: idle })).toEqual(first);
  });

  it.each([
    [{ thread: "a b" }, /name of the thread/],
    [{ input: { count: 0.5 } }, /\$\.count: expected an int/],
  ])("refuses %j", async (change, message) => {
    const { graphs } = open();
    await expect(graphs.run(graph, { thread: "t-1", ports: idle, ...change })).rejects.toThrow(message);
    await expect(graphs.resume(graph, { thread: "nobody", ports: idle })).rejects.toMatchObject({
      code: "not_found",
    });
  });
});

const failing = (name: string, times: number): Ports => {
  let left = times;
  return {
    async work(node) {
      if (node === name && left-- > 0) throw new Error("out of luck");
    },
  };
};

const paying = (fail: boolean): Ports => ({
  async work(name, { once }) {
    await once("pay", z.string(), async () => "receipt");
    if (name === "a" && fail) throw new Error("after paying");
  },
});

describe("a node", () => {
  it("that fails fails the run, and resuming runs it and nothing else again", async () => {
    const { graphs, events } = open();
    const outcome = await graphs.run(graph, { thread: "t-1", ports: failing("b", 1) });
    expect(outcome).toMatchObject({ kind: "failed", node: "b", why: "out of luck" });
    expect(await graphs.resume(graph, { thread: "t-1", ports: idle })).toMatchObject({
      kind: "finished",
      state: { count: 2, said: twice },
    });
    const seen = await events();
    expect(seen.filter((line) => line === "started c")).toHaveLength(2);
    expect(seen.filter((line) => line === "started b")).toHaveLength(3);
    expect(seen.filter((line) => line === "failed b")).toHaveLength(1);
  });

  it("is tried again as often as it may", async () => {
    const { graphs, journal } = open();
    expect(await graphs.run(graph, { thread: "t-1", ports: failing("c", 2) })).toMatchObject({
      kind: "finished",
    });
    const retried = (await journal.read(0, 100)).filter(({ kind }) => kind === "node_retried");
    expect(retried).toMatchObject([
      { node: "c", attempt: 1, reason: "out of luck", waitMs: 1 },
      { node: "c", attempt: 2, waitMs: 2 },
    ]);
    const again = open();
    expect(await again.graphs.run(graph, { thread: "t-1", ports: failing("c", 3) })).toMatchObject({
      kind: "failed",
      node: "c",
    });
  });

  it("that fails waits for the others of its step, whose work is kept", async () => {
    const { graphs, events } = open();
    const ports: Ports = {
      async work(name) {
        if (name === "b") throw new Error("at once");
        if (name === "c") await sleep(50);
      },
    };
    expect(await graphs.run(graph, { thread: "t-1", ports })).toMatchObject({ kind: "failed", node: "b" });
    expect(await events()).toContain("finished c");
    await graphs.resume(graph, { thread: "t-1", ports: idle });
    expect((await events()).filter((line) => line === "finished c")).toHaveLength(2);
  });

  it("that takes too long is stopped, and the run with it", async () => {
    const { graphs, events } = open();
    const slow = defineGraph({
      name: "slow",
      version: 1,
      state,
      nodes: { a: { ...node("a"), timeoutMs: 30, retries: 3, to: ["end"] } },
      entries: { start: "a" },
    });
    const signals: AbortSignal[] = [];
    const ports: Ports = {
      async work(_, { signal }) {
        signals.push(signal);
        await new Promise(() => undefined);
      },
    };
    expect(await graphs.run(slow, { thread: "t-1", ports })).toEqual({
      thread: "t-1",
      kind: "timed-out",
      node: "a",
      afterMs: 30,
    });
    expect(signals[0]?.aborted).toBe(true);
    expect(await events()).toEqual(["started a", "failed a"]);
  });

  it.each<[string, Partial<Decided>, RegExp]>([
    ["a key that is unknown", Object({ update: { cuont: 1 } }), /the unknown key "cuont"/],
    ["a value that breaks the schema", { update: { count: 0.5 } }, /\$\.count: expected an int/],
    ["a way it does not have", Object({ goto: "nowhere" }), /a wants to go to "nowhere"/],
    ["no update", Object({ update: null }), /gave null as its update/],
  ])("may not give %s", async (_, given, message) => {
    const { graphs } = open();
    const outcome = await graphs.run(graph, { thread: "t-1", ports: { work: async () => given } });
    expect(outcome).toMatchObject({ kind: "failed", node: "a", why: expect.stringMatching(message) });
  });

  it("may not write a value that another of its step writes, even after a restart", async () => {
    const { graphs } = open();
    const both: Ports = {
      work: async (name) => (name === "b" || name === "c" ? { update: { count: 7 } } : undefined),
    };
    const outcome = await graphs.run(graph, { thread: "t-1", ports: both });
    expect(outcome).toMatchObject({
      kind: "failed",
      why: expect.stringMatching(/another node of the same step wrote/),
    });
    expect(await graphs.resume(graph, { thread: "t-1", ports: both })).toMatchObject({ kind: "failed" });
    expect(await graphs.resume(graph, { thread: "t-1", ports: idle })).toMatchObject({ kind: "finished" });
  });

  it("cannot change what the others see", async () => {
    const { graphs } = open();
    const spoiling = defineGraph({
      name: "spoiling",
      version: 1,
      state,
      nodes: {
        a: {
          ...plain,
          run: async ({ said }) => ({ update: { count: Object(said).push("x") } }),
          to: ["end"],
        },
      },
      entries: { start: "a" },
    });
    expect(await graphs.run(spoiling, { thread: "t-1", ports: {} })).toMatchObject({
      kind: "failed",
      node: "a",
    });
  });

  it("does things once, however often it runs for the same step, and anew in the next", async () => {
    const { graphs } = open();
    const done: string[] = [];
    let fail = true;
    const ports: Ports = {
      async work(name, { once, attempt }) {
        const paid = z.strictObject({ by: z.int(), bytes: z.instanceof(Uint8Array) });
        const one = await once("pay", paid, async () => {
          done.push(name);
          return { by: attempt, bytes: new Uint8Array([1, 255]) };
        });
        const [first, second] = await Promise.all([
          once("both", z.int(), async () => 1),
          once("both", z.int(), async () => 2),
        ]);
        expect(first).toBe(second);
        if (name === "d" && fail) throw new Error("after paying");
        expect(one).toEqual({ by: 1, bytes: new Uint8Array([1, 255]) });
      },
    };
    expect(await graphs.run(graph, { thread: "t-1", ports })).toMatchObject({ kind: "failed", node: "d" });
    fail = false;
    expect(await graphs.resume(graph, { thread: "t-1", ports })).toMatchObject({ kind: "finished" });
    expect(done.toSorted()).toEqual(twice.toSorted());
  });

  it("gets a kept result back only when it still matches", async () => {
    const { graphs, sql } = open();
    await graphs.run(graph, { thread: "t-1", ports: paying(true) });
    sql.run("UPDATE graph_once SET result = ?", [Buffer.from("17")]);
    const outcome = await graphs.resume(graph, { thread: "t-1", ports: paying(false) });
    expect(outcome).toMatchObject({
      kind: "failed",
      why: expect.stringMatching(/table graph_once is damaged/),
    });
  });

  it("books what it spends, also what a failed attempt has spent, and only once", async () => {
    const { graphs, journal } = open();
    let failures = 1;
    const ports: Ports = {
      async work(name, context) {
        if (name !== "c") return;
        context.spent({ usage: { inputTokens: 10, outputTokens: 1 }, costUsd: 0.5 });
        if (failures-- > 0) throw new Error("paid for nothing");
        context.spent({ usage: "unknown", costUsd: 0.25 });
      },
    };
    await graphs.run(graph, { thread: "t-1", ports });
    const spent = (await journal.read(0, 100)).flatMap((event) =>
      "spent" in event && typeof event.spent === "object" && event.spent.costUsd !== 0
        ? [[event.kind, event.spent]]
        : [],
    );
    expect(spent).toEqual([
      ["node_retried", { usage: { inputTokens: 10, outputTokens: 1 }, costUsd: 0.5 }],
      ["node_finished", { usage: "unknown", costUsd: 0.75 }],
      ["node_finished", { usage: "unknown", costUsd: 0.75 }],
    ]);
  });
});
