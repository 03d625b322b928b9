import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { LocalLeases } from "../store/local/leases.ts";
import type { Sql } from "../store/sql.ts";
import { LocalAdvisories } from "./advisory.ts";
import type { AdvisoriesOptions } from "./advisory.ts";
import { advisoryJob } from "./advisory-job.ts";
import type { JobContext } from "./advisory-job.ts";
import { graph, open } from "./graphs-sample.suite.ts";
import type { Ports } from "./graphs-sample.suite.ts";

type Work = (input: number, context: JobContext) => Promise<number>;

const count = (run: Work, timeoutMs = 5000) =>
  advisoryJob({ input: z.int(), report: z.int(), timeoutMs, run });

function opened(run: Work, options: Partial<AdvisoriesOptions> & { timeoutMs?: number; sql?: Sql } = {}) {
  const { timeoutMs, holder = "us", ...more } = options;
  const sql = options.sql ?? open().sql;
  const jobs = { mutants: count(run, timeoutMs) };
  const advisories = new LocalAdvisories({ jobs, graceMs: 5, pollMs: 5, ...more, sql, holder });
  onTestFinished(() => advisories.close());
  return { advisories, ...open({ sql, holder, advisories, ttlMs: options.ttlMs ?? 30_000 }) };
}

const asking = (...jobs: string[]): Ports => ({
  async work(name, { advise }) {
    if (name === "b") for (const job of jobs) await advise(job, 20);
  },
});
const failing: Ports = {
  async work(name, { advise }) {
    if (name === "b") await advise("mutants", 1);
    if (name === "d") throw new Error("not today");
  },
};
const going = (ports: Ports) => ({ thread: "t-1", ports });

describe("advice", () => {
  it("is asked for once, holds up no step, and is in the outcome", async () => {
    const log: string[] = [];
    const { graphs, events } = opened(async (input, { job }) => {
      log.push(`begun ${job}`);
      while (!(await events()).includes("finished e")) await sleep(1);
      return input + 1;
    });
    const outcome = await graphs.run(graph, going(asking("mutants", "mutants:again")));
    const outcomeOf = { kind: "reported", report: 21 };
    const advice = [
      { job: "mutants", outcome: outcomeOf },
      { job: "mutants:again", outcome: outcomeOf },
    ];
    expect(outcome).toMatchObject({ kind: "finished", advice });
    expect(log).toEqual(["begun mutants", "begun mutants:again"]);
    expect(await graphs.resume(graph, going(asking()))).toMatchObject({ kind: "finished", advice });
  });

  it("can be read by nodes as it comes in", async () => {
    const { graphs } = opened(async (input) => input);
    const seen: number[] = [];
    const ports: Ports = {
      async work(name, { advise, advice }) {
        if (name === "a") await advise("mutants", 1);
        await sleep(2);
        seen.push((await advice()).length);
      },
    };
    await graphs.run(graph, going(ports));
    expect(seen.at(-1)).toBe(1);
  });

  it.each<[string, Work, object]>([
    [
      "throws",
      () => Promise.reject(new Error("no mutants today")),
      { kind: "failed", why: "no mutants today" },
    ],
    [
      "throws what has no words",
      () => Promise.reject(Object.create(null)),
      { kind: "failed", why: "something that cannot be put into words" },
    ],
    ["reports nonsense", async () => 0.5, { kind: "failed", why: expect.stringContaining("its report") }],
    ["ignores its signal", () => new Promise(() => undefined), { kind: "timed-out" }],
    [
      "listens to its signal",
      (_, { signal }) =>
        new Promise((__, reject) => signal.addEventListener("abort", () => reject(new Error("stopped")))),
      { kind: "timed-out" },
    ],
  ])("that %s has an outcome, too", async (_, run, outcome) => {
    const { graphs } = opened(run, { timeoutMs: 20 });
    expect(await graphs.run(graph, going(asking("mutants")))).toMatchObject({
      kind: "finished",
      advice: [{ job: "mutants", outcome }],
    });
  });

  it("is in the journal when it begins and when it ends, however it does", async () => {
    const { graphs, journal } = opened(
      async (input, { job }) => {
        if (job === "mutants:slow") await new Promise(() => undefined);
        if (job === "mutants:bad") throw new Error("no mutants today");
        return input;
      },
      { settleMs: 60 },
    );
    await graphs.run(graph, going(asking("mutants", "mutants:bad", "mutants:slow")));
    const events = (await journal.read(0, 999)).filter(({ kind }) => kind.startsWith("advice_"));
    const about = { runId: "t-1", thread: "t-1", node: "b" };
    expect(events).toHaveLength(6);
    for (const event of [
      { kind: "advice_started", ...about, job: "mutants", start: 1 },
      { kind: "advice_reported", ...about, job: "mutants" },
      { kind: "advice_failed", ...about, job: "mutants:bad", reason: "no mutants today" },
      { kind: "advice_timed_out", ...about, job: "mutants:slow" },
    ])
      expect(events).toContainEqual(expect.objectContaining(event));
  });

  it("is given up when all of it together takes too long", async () => {
    const { graphs } = opened(() => new Promise(() => undefined), { settleMs: 30 });
    expect(await graphs.run(graph, going(asking("mutants", "mutants:2")))).toMatchObject({
      advice: [{ outcome: { kind: "timed-out" } }, { outcome: { kind: "timed-out" } }],
    });
  });

  it.each([
    ["mutant", 1, "nobody here gives the advice"],
    ["mutants:", 1, "nobody here gives the advice"],
    ["constructor", 1, "nobody here gives the advice"],
    ["mutants", "one", "what the job was asked"],
  ])("%j of %j is refused", async (job, input, why) => {
    const { graphs } = opened(async () => 0);
    const ports: Ports = { work: async (_, { advise }) => advise(job, input) };
    expect(await graphs.run(graph, going(ports))).toMatchObject({
      kind: "failed",
      why: expect.stringContaining(why),
    });
  });

  it("cannot be asked for in the name of a thread that somebody else runs", async () => {
    const { advisories, sql } = opened(async () => 0);
    await new LocalLeases(sql, Date.now).acquire("thread:t-1", "them", 60_000);
    const request = { thread: "t-1", node: "b", job: "mutants", input: 1 };
    await expect(advisories.start(request)).rejects.toMatchObject({ code: "stale_fence" });
  });

  it("of a former way through the graph is given up when the thread is entered anew", async () => {
    let runs = 0;
    const { graphs } = opened(async () => ++runs);
    await graphs.run(graph, going(asking("mutants")));
    const outcome = await graphs.enter(graph, { ...going(asking("mutants")), at: "late" });
    expect(outcome).toMatchObject({ advice: [] });
    const again = { ...going(asking("mutants")), at: "start" as const, input: { count: 0 } };
    expect(await graphs.enter(graph, again)).toMatchObject({ advice: [{ outcome: { report: 2 } }] });
  });
});

it.each([0, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])("cannot be given %s ms", (timeoutMs) => {
  expect(() => count(async () => 1, timeoutMs)).toThrow("an advisory job may take");
});

it("leaves nothing behind when its thread is removed", async () => {
  const { graphs, sql } = opened(async () => 1);
  await graphs.run(graph, going(asking("mutants")));
  const leases = (): unknown[] => sql.all("SELECT name FROM leases ORDER BY name").map(({ name }) => name);
  await new LocalLeases(sql, Date.now).acquire("advice:t-10#1 mutants", "them", 1);
  expect(leases()).toEqual(["advice:t-1#1 mutants", "advice:t-10#1 mutants", "thread:t-1"]);
  await graphs.archive("t-1");
  expect(leases()).toEqual(["advice:t-10#1 mutants"]);
  expect(sql.all("SELECT job FROM graph_advice")).toHaveLength(1);
  await graphs.remove("t-1");
  expect(sql.all("SELECT job FROM graph_advice")).toEqual([]);
  expect(leases()).toEqual(["advice:t-10#1 mutants"]);
});

describe("an advisory job of a process that ended", () => {
  it("begins again as soon as its thread goes on", async () => {
    const starts: string[] = [];
    const first = opened(async (_, { start, signal }) => {
      starts.push(`first ${start}`);
      return new Promise((__, reject) =>
        signal.addEventListener("abort", () => reject(new Error("stopped"))),
      );
    });
    await first.graphs.run(graph, going(failing));
    while (starts.length === 0) await sleep(1);
    await first.advisories.close();
    const done: number[] = [];
    const second = opened(
      async (_, { start }) => {
        done.push(start);
        return start;
      },
      { sql: first.sql, holder: "other" },
    );
    const waiting: Ports = {
      async work(name) {
        if (name === "d") while (done.length === 0) await sleep(1);
      },
    };
    expect(await second.graphs.resume(graph, going(waiting))).toMatchObject({
      kind: "finished",
      advice: [{ outcome: { kind: "reported", report: 2 } }],
    });
  });

  it("that brings its report when it is stopped is not done again", async () => {
    const first = opened(
      (input, { signal }) =>
        new Promise((resolve) => signal.addEventListener("abort", () => resolve(input + 1))),
    );
    await first.graphs.run(graph, going(failing));
    await first.advisories.close();
    const second = opened(() => Promise.reject(new Error("paid twice")), { sql: first.sql, holder: "other" });
    expect(await second.graphs.resume(graph, going(asking()))).toMatchObject({
      advice: [{ outcome: { kind: "reported", report: 2 } }],
    });
  });

  it("is not begun while the other still is at it, and its report counts", async () => {
    let release: ((report: number) => void) | undefined;
    const first = opened(() => new Promise((resolve) => (release = resolve)));
    await first.graphs.run(graph, going(failing));
    let begun = false;
    const second = opened(
      async () => {
        begun = true;
        return 2;
      },
      { sql: first.sql, holder: "other" },
    );
    const outcome = second.graphs.resume(graph, going(asking()));
    await sleep(60);
    release?.(1);
    expect(await outcome).toMatchObject({ advice: [{ outcome: { report: 1 } }] });
    expect(begun).toBe(false);
  });

  it("that takes its process with it is not begun for ever", async () => {
    const { graphs, sql } = opened(async () => 1, { mostStarts: 3 });
    await graphs.run(graph, going(failing));
    sql.run("UPDATE graph_advice SET starts = 3, outcome = NULL");
    expect(await graphs.resume(graph, going(asking()))).toMatchObject({
      advice: [{ outcome: { kind: "failed", why: "it was begun 3 times, and its process ended each time" } }],
    });
  });

  it("that lost its lease cannot report", async () => {
    const { graphs, sql } = opened(
      async () => {
        await new LocalLeases(sql, () => Date.now() + 60_000).acquire("advice:t-1#1 mutants", "them", 1);
        return 1;
      },
      { settleMs: 80 },
    );
    expect(await graphs.run(graph, going(asking("mutants")))).toMatchObject({
      advice: [{ outcome: { kind: "timed-out" } }],
    });
  });

  it("whose report cannot be kept fails the run loudly, and is asked again later", async () => {
    const { graphs, sql } = opened(async (_, { start }) => start);
    sql.run(
      "CREATE TRIGGER refuse BEFORE UPDATE OF outcome ON graph_advice BEGIN SELECT RAISE(ABORT, 'no'); END",
    );
    await expect(graphs.run(graph, going(asking("mutants")))).rejects.toThrow("no");
    sql.run("DROP TRIGGER refuse");
    expect(await graphs.resume(graph, going(asking()))).toMatchObject({
      advice: [{ outcome: { report: 2 } }],
    });
  });
});
