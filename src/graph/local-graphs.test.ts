import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { LocalLeases } from "../store/local/leases.ts";
import { defineGraph } from "./define-graph.ts";
import { graph, idle, node, open, state, twice } from "./graphs-sample.suite.ts";
import type { Ports } from "./graphs-sample.suite.ts";
import type { Update } from "./port.ts";

describe("a thread", () => {
  it("is entered again at a named place, with its state, and nothing left over wakes up", async () => {
    const { graphs, events } = open();
    const ports: Ports = {
      async work(name) {
        if (name === "c") throw new Error("never");
      },
    };
    await graphs.run(graph, { thread: "t-1", ports });
    const outcome = await graphs.enter(graph, {
      thread: "t-1",
      at: "start",
      ports: idle,
      input: { count: 1 },
    });
    expect(outcome).toMatchObject({
      kind: "finished",
      state: { count: 2, said: ["a", "b", "a", "b", "c", "d", "e"] },
    });
    const again = await graphs.enter(graph, { thread: "t-1", at: "late", ports: idle });
    expect(again).toMatchObject({ kind: "finished", state: { count: 3 } });
    expect((await events()).at(-1)).toBe("finished e");
    await expect(graphs.enter(graph, { thread: "t-1", at: Object("zz"), ports: idle })).rejects.toThrow(
      /no entry/,
    );
  });

  it("is drained between two steps and goes on afterwards", async () => {
    const { graphs, sql } = open();
    const ports: Ports = {
      async work(name) {
        if (name === "b") void graphs.drain();
      },
    };
    expect(await graphs.run(graph, { thread: "t-1", ports })).toEqual({
      thread: "t-1",
      kind: "drained",
      next: ["d"],
    });
    await expect(graphs.run(graph, { thread: "t-2", ports })).rejects.toThrow(/being drained/);
    const next = open({ sql });
    expect(await next.graphs.resume(graph, { thread: "t-1", ports: idle })).toMatchObject({
      state: { said: twice },
    });
  });

  it("is aborted, nodes included, and goes on afterwards", async () => {
    const { graphs } = open();
    const ports: Ports = {
      async work(name, { signal }) {
        if (name !== "b") return;
        setTimeout(() => graphs.abort("t-1"), 5);
        await new Promise((_, reject) =>
          signal.addEventListener("abort", () => reject(new Error("stopped"))),
        );
      },
    };
    expect(await graphs.run(graph, { thread: "t-1", ports })).toEqual({ thread: "t-1", kind: "aborted" });
    expect(graphs.abort("t-1")).toBe(false);
    expect(await graphs.resume(graph, { thread: "t-1", ports: idle })).toMatchObject({
      state: { said: twice },
    });
  });

  it("is held by whoever runs it", async () => {
    const { graphs, sql } = open();
    const other = open({ sql, holder: "them" });
    const outcomes: unknown[] = [];
    const ports: Ports = {
      async work(name) {
        if (name !== "a" || outcomes.length > 0) return;
        outcomes.push(await other.graphs.resume(graph, { thread: "t-1", ports: idle }));
        outcomes.push(await graphs.resume(graph, { thread: "t-1", ports: idle }));
        await expect(graphs.remove("t-1")).rejects.toMatchObject({ code: "store_busy" });
        await expect(other.graphs.archive("t-1")).rejects.toMatchObject({ code: "store_busy" });
      },
    };
    expect(await graphs.run(graph, { thread: "t-1", ports })).toMatchObject({ kind: "finished" });
    expect(outcomes).toMatchObject([
      { kind: "held", by: "us" },
      { kind: "held", by: "us" },
    ]);
  });

  it("that was taken over is lost, and nothing more is written", async () => {
    const { graphs, sql, journal } = open();
    const later = new LocalLeases(sql, () => Date.now() + 600_000);
    let before = 0;
    const ports: Ports = {
      async work(name, { once }) {
        if (name !== "b") return;
        await later.acquire("thread:t-1", "them", 60_000);
        before = await journal.latest();
        await once("pay", z.int(), async () => 1).catch(() => undefined);
      },
    };
    expect(await graphs.run(graph, { thread: "t-1", ports })).toEqual({
      thread: "t-1",
      kind: "lost",
      by: "them",
    });
    expect(await journal.latest()).toBe(before);
    expect(sql.all("SELECT * FROM graph_once")).toEqual([]);
  });

  it("notices by its heartbeat that it was taken over, while a node is at work", async () => {
    const { graphs, sql } = open({ ttlMs: 40 });
    const ports: Ports = {
      async work(name, { signal }) {
        if (name !== "a") return;
        await new LocalLeases(sql, () => Date.now() + 600_000).acquire("thread:t-1", "them", 60_000);
        await new Promise((_, reject) =>
          signal.addEventListener("abort", () => reject(new Error("stopped"))),
        );
      },
    };
    expect(await graphs.run(graph, { thread: "t-1", ports })).toEqual({
      thread: "t-1",
      kind: "lost",
      by: "them",
    });
  });

  it("refuses to go on with a graph that has changed, and says what has", async () => {
    const { graphs } = open();
    const ports: Ports = {
      async work(name) {
        if (name === "d") throw new Error("stop here");
      },
    };
    await graphs.run(graph, { thread: "t-1", ports });
    const changed = defineGraph({
      name: "sample",
      version: 2,
      state: { count: state.count, said: state.said },
      nodes: { a: { ...node("a"), to: ["f"] }, f: { ...node("f"), to: ["end"] } },
      entries: { start: "a" },
    });
    const refused = graphs.resume(changed, { thread: "t-1", ports: idle });
    await expect(refused).rejects.toMatchObject({
      code: "graph_changed",
      expected: "the graph as it was, version 1",
    });
    await expect(graphs.resume(changed, { thread: "t-1", ports: idle })).rejects.toThrow(
      /version 1 became 2; the node a leads to b, c before, now leads to f; the node b is gone; .*the node f is new/,
    );
  });

  it("is archived with what it came to, or removed", async () => {
    const { graphs, sql } = open();
    const outcome = await graphs.run(graph, { thread: "t-1", ports: idle });
    await graphs.archive("t-1");
    for (const table of [
      "graph_checkpoints",
      "graph_values",
      "graph_writes",
      "graph_once",
      "graph_attempts",
    ]) {
      expect(sql.all(`SELECT * FROM ${table}`)).toEqual([]);
    }
    expect(await graphs.resume(graph, { thread: "t-1", ports: idle })).toEqual(outcome);
    expect(graphs.list().map(({ thread, status }) => [thread, status])).toEqual([["t-1", "archived"]]);
    await graphs.remove("t-1");
    expect(graphs.find("t-1")).toBeUndefined();
  });

  it("says what is damaged", async () => {
    const { graphs, sql } = open();
    const ports: Ports = {
      async work(name) {
        if (name === "d") throw new Error("stop here");
      },
    };
    await graphs.run(graph, { thread: "t-1", ports });
    sql.run(
      "UPDATE graph_values SET middle = x'5b5d', first = 0, last = 0, base = NULL, checksum = 4073708281",
    );
    await expect(graphs.resume(graph, { thread: "t-1", ports: idle })).rejects.toMatchObject({
      code: "store_damaged",
    });
  });
});

describe("an observer", () => {
  it("sees every update, can change nothing, and harms nobody by throwing", async () => {
    const seen: Update[] = [];
    const observers = [
      () => {
        throw new Error("mine");
      },
      async (update: Update) => {
        seen.push(update);
        expect(() => Object(update.update).said.push("x")).toThrow(TypeError);
        throw new Error("mine, too");
      },
    ];
    const { graphs } = open({ observers });
    expect(await graphs.run(graph, { thread: "t-1", ports: idle })).toMatchObject({ state: { said: twice } });
    await sleep(5);
    expect(seen.map(({ node, goto }) => [node, goto]).slice(3, 6)).toEqual([
      ["d", undefined],
      ["e", "a"],
      ["a", undefined],
    ]);
  });
});

const reading = (fail: boolean): Ports => ({
  async work(name, { mail }) {
    const waiting = await mail();
    if (name === "d" && fail) throw new Error(`${waiting.length} unread`);
  },
});

describe("mail and advice", () => {
  const message = Object({ id: "m-1" });

  it("acknowledges mail only when the node has ended well", async () => {
    const acknowledged: unknown[] = [];
    const mailbox = {
      waiting: (_: string, name: string) => (name === "d" ? [message] : []),
      acknowledge: (...what: unknown[]) => void acknowledged.push(what),
    };
    const { graphs } = open({ mailbox });
    expect(await graphs.run(graph, { thread: "t-1", ports: reading(true) })).toMatchObject({
      why: "1 unread",
    });
    expect(acknowledged).toEqual([]);
    await graphs.resume(graph, { thread: "t-1", ports: reading(false) });
    expect(acknowledged).toEqual([
      ["t-1", "d", ["m-1"]],
      ["t-1", "d", ["m-1"]],
    ]);
  });

  it("waits for advice at the end", async () => {
    const started: unknown[] = [];
    const advice = [{ job: "mutants", outcome: { kind: "reported", report: 3 } as const }];
    const advisories = {
      start: async (request: unknown) => void started.push(request),
      reported: async () => [],
      settle: async () => advice,
    };
    const { graphs } = open({ advisories });
    const ports: Ports = {
      async work(name, { advise }) {
        if (name === "b") await advise("mutants", { n: 1 });
      },
    };
    expect(await graphs.run(graph, { thread: "t-1", ports })).toMatchObject({ kind: "finished", advice });
    expect(started[0]).toEqual({ thread: "t-1", node: "b", job: "mutants", input: { n: 1 } });
    const never = async (): Promise<never> => {
      setTimeout(() => void slow.graphs.drain(), 1);
      return new Promise(() => undefined);
    };
    const slow = open({ advisories: { ...advisories, settle: never } });
    expect(await slow.graphs.run(graph, { thread: "t-1", ports })).toEqual({
      thread: "t-1",
      kind: "drained",
      next: [],
    });
    const without = open();
    expect(await without.graphs.run(graph, { thread: "t-1", ports })).toMatchObject({
      kind: "failed",
      node: "b",
    });
  });
});
