import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { assertFence } from "../store/local/fence.ts";
import { LocalLeases } from "../store/local/leases.ts";
import type { Fence } from "../store/port.ts";
import { LocalAdvisories } from "./advisory.ts";
import { advisoryJob } from "./advisory-job.ts";
import { defineGraph, stateKey } from "./define-graph.ts";
import { graph, idle, open, plain } from "./graphs-sample.suite.ts";
import type { Decided, Ports } from "./graphs-sample.suite.ts";
import type { NodeContext } from "./port.ts";

const only = (name: string, act: (context: NodeContext) => Promise<Partial<Decided> | void>): Ports => ({
  work: async (at, context) => (at === name ? act(context) : undefined),
});

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}

describe("names that mean something to somebody", () => {
  it.each(["error", "input", "messages", "constructor"])("a node and a value named %s", async (name) => {
    const odd = () =>
      defineGraph({
        name: "odd",
        version: 1,
        state: { [name]: stateKey({ schema: z.int(), initial: () => 0 }) },
        nodes: { [name]: { ...plain, run: async () => ({ update: { [name]: 1 } }), to: ["end"] } },
        entries: { start: name },
      });
    if (name === "constructor") expect(odd).toThrow("no name for a node");
    else
      expect(await open().graphs.run(odd(), { thread: "t", ports: {} })).toMatchObject({
        kind: "finished",
        state: { [name]: 1 },
      });
  });

  it("what is done once under names that the database would take for one", async () => {
    const { graphs } = open();
    const outcome = await graphs.run(graph, {
      thread: "t",
      ports: only("a", async ({ once }) => {
        const results = [];
        for (const name of ["x\0a", "x\0b"]) results.push(await once(name, z.string(), async () => name));
        return { update: { said: results } };
      }),
    });
    expect(outcome).toMatchObject({ kind: "failed", node: "a", why: expect.stringContaining("NUL") });
  });

  it.each(["", "r\0s", "\ud800"])("a run named %j begins no thread", async (runId) => {
    const { graphs } = open();
    await expect(graphs.run(graph, { thread: "t", runId, ports: idle })).rejects.toMatchObject({
      code: "invalid_input",
    });
    expect(graphs.find("t")).toBeUndefined();
  });
});

describe("values that are made to harm", () => {
  const wide = defineGraph({
    name: "wide",
    version: 1,
    state: { value: stateKey({ schema: z.unknown(), initial: () => null }) },
    nodes: {
      a: {
        ...plain,
        run: async (_: unknown, { value }: { value: unknown }) => ({ update: { value } }),
        to: ["end"],
      },
    },
    entries: { start: "a" },
  });

  it.each([501, 3500, 100_000])("one nested %i times is the mistake of its node", async (depth) => {
    const { graphs } = open({ observers: [() => {}] });
    const outcome = await graphs.run(wide, { thread: "t", ports: { value: nested(depth) } });
    expect(outcome).toMatchObject({ kind: "failed", node: "a", why: expect.stringContaining("nested") });
  });

  it("one nested 400 times is kept", async () => {
    const { graphs } = open({ observers: [() => {}] });
    const value = nested(400);
    const outcome = await graphs.run(wide, { thread: "t", ports: { value } });
    expect(outcome).toMatchObject({ kind: "finished", state: { value } });
  });

  it("keys that mean something to JavaScript come back as they were", async () => {
    const { graphs } = open();
    const value: unknown = JSON.parse('{"__proto__":{"a":1},"constructor":{"$cupel":"map"}}');
    await graphs.run(wide, { thread: "t", ports: { value } });
    const outcome = await graphs.resume(wide, { thread: "t", ports: { value } });
    expect(outcome.kind === "finished" && JSON.stringify(outcome.state.value)).toBe(JSON.stringify(value));
  });

  it.each([Object.create(null), Object.assign(new Error("x"), { message: 5 }), undefined, Symbol("s")])(
    "what is thrown is written down, whatever it is",
    async (thrown: unknown) => {
      const { graphs, events } = open();
      const outcome = await graphs.run(graph, {
        thread: "t",
        ports: only("a", async () => {
          throw thrown;
        }),
      });
      expect(outcome).toMatchObject({ kind: "failed", node: "a" });
      expect(await events()).toEqual(["started a", "failed a"]);
    },
  );
});

describe("what a node does after it was given up", () => {
  it("starts no advice in the run that came after", async () => {
    const asked: string[] = [];
    const advisories = {
      start: async ({ job }: { job: string }) => void asked.push(job),
      reported: async () => [],
      settle: async () => [],
    };
    const { graphs } = open({ advisories, graceMs: 1 });
    let late: Promise<void> | undefined;
    const ports = only("a", async ({ advise, signal }) => {
      if (late !== undefined) return;
      late = sleep(60).then(() => advise("mutants", 1));
      late.catch(() => undefined);
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      await sleep(60_000, undefined, { ref: false });
    });
    const first = graphs.run(graph, { thread: "t", ports });
    await sleep(20);
    graphs.abort("t");
    expect(await first).toMatchObject({ kind: "aborted" });
    const slow = only("b", () => sleep(150, undefined));
    const second = graphs.enter(graph, { thread: "t", at: "start", ports: slow });
    await expect(late).rejects.toMatchObject({ code: "stale_fence" });
    expect(await second).toMatchObject({ kind: "finished" });
    expect(asked).toEqual([]);
  });
});

describe("a drain", () => {
  it("does not wait for a pause before the next attempt, which comes when the thread goes on", async () => {
    const { graphs, events, sql } = open({ backOffMs: 60_000 });
    let failures = 0;
    const ports = only("c", async () => {
      if (failures++ === 0) throw new Error("not yet");
    });
    const run = graphs.run(graph, { thread: "t", ports });
    while (!(await events()).includes("retried c")) await sleep(2);
    await graphs.drain();
    expect(await run).toMatchObject({ kind: "drained", next: ["c"] });
    expect(await open({ sql }).graphs.resume(graph, { thread: "t", ports })).toMatchObject({
      kind: "finished",
      state: { said: ["a", "b", "c", "d", "e", "a", "b", "c", "d", "e"] },
    });
  });
});

it("what was done once is forgotten when its node has ended, and kept until then", async () => {
  const { graphs, sql } = open();
  const kept = (): number => Number(sql.get("SELECT count(*) AS n FROM graph_once")?.["n"]);
  const during: number[] = [];
  const outcome = await graphs.run(graph, {
    thread: "t",
    ports: {
      async work(_, { once }) {
        await once("x", z.int(), async () => 1);
        during.push(kept());
      },
    },
  });
  expect(outcome.kind).toBe("finished");
  expect(Math.max(...during)).toBeLessThanOrEqual(2);
  expect(kept()).toBe(0);
});

it("a process that slept while its thread was removed and begun anew can still write nothing", async () => {
  const { graphs, sql } = open();
  const leases = new LocalLeases(sql, Date.now);
  const fences: Fence[] = [];
  for (let sleeper = 0; sleeper < 5; sleeper++) {
    const lease = await leases.acquire("thread:t", `sleeper-${sleeper}`, 1);
    if (lease.kind === "acquired") fences.push(lease.fence);
    await sleep(3);
  }
  await graphs.run(graph, { thread: "t", ports: idle });
  await graphs.remove("t");
  expect(sql.all("SELECT name FROM leases")).toEqual([]);
  const tried: string[] = [];
  const ports: Ports = {
    async work(name) {
      for (const fence of fences) expect(() => assertFence(sql, fence)).toThrow("nothing was written");
      tried.push(name);
    },
  };
  for (const _ of [1, 2, 3]) {
    expect(await graphs.run(graph, { thread: "t", ports })).toMatchObject({ kind: "finished" });
    await graphs.remove("t");
  }
  expect([fences.length, tried.length]).toEqual([5, 30]);
});

it("no secret that is thrown gets into the database, also where it would be cut in two", async () => {
  const secret = "very-secret-value-1";
  const redact = (text: string): string => text.replaceAll(secret, "[secret]");
  const thrown = new Error(`${"x".repeat(1990)}${secret}`);
  const { sql } = open();
  const job = advisoryJob({
    input: z.int(),
    report: z.int(),
    timeoutMs: 1000,
    run: () => Promise.reject(thrown),
  });
  const advisories = new LocalAdvisories({ sql, holder: "us", jobs: { job }, redact });
  const { graphs, journal } = open({ sql, advisories, redact });
  let failures = 0;
  const ports = only("c", async ({ advise }) => {
    await advise("job", 1);
    if (failures++ < 1) throw thrown;
  });
  const outcome = await graphs.run(graph, { thread: "t", ports });
  const told = JSON.stringify([outcome, await journal.read(0, 999)]);
  expect(told).toMatch(/node_retried.*x\[secret/);
  expect(told).toMatch(/advice_failed.*x\[secret/);
  expect(told).not.toContain("very-secr");
});

it("what was paid for and could not be kept is not done again by the next attempt", async () => {
  const { graphs, sql, events } = open();
  sql.run(
    `CREATE TRIGGER busy BEFORE INSERT ON graph_once
     WHEN NOT EXISTS (SELECT 1 FROM journal WHERE kind = 'node_retried')
     BEGIN SELECT RAISE(ABORT, 'not now'); END`,
  );
  let paid = 0;
  const ports = only("c", async ({ once }) => {
    await once("call", z.int(), async () => ++paid);
  });
  expect(await graphs.run(graph, { thread: "t", ports })).toMatchObject({ kind: "finished" });
  expect(await events()).toContain("retried c");
  // Twice through the loop.
  expect(paid).toBe(2);
});
