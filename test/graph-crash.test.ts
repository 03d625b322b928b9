// SIGKILL before, inside and after every transaction and everywhere inside the nodes of a graph: it ends as if nothing had
// happened, no finished node runs again, and nothing that was acknowledged is done twice.
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { openGraphs } from "../src/graph/graphs.ts";
import { LocalJournal } from "../src/store/local/journal.ts";
import { Sql } from "../src/store/sql.ts";
import { sampleGraph } from "./graph-samples.ts";
import { temporaryDirectory } from "./temporary.ts";
import { bundleWorker } from "./worker-bundle.ts";

const LONG = process.env["CUPEL_LONG"] === "1";
/** Few points are chosen in the short form, so each thread dies more often. */
const KILLS_PER_THREAD = LONG ? 1 : 3;
const SIDE_BY_SIDE = 2;

const Line = z.looseObject({
  what: z.string(),
  key: z.string().optional(),
  kind: z.string().optional(),
  points: z.int().optional(),
});
type Line = z.infer<typeof Line>;

const place = mkdtempSync(join(tmpdir(), "cupel-test-"));
const worker = join(place, "worker.mjs");
let undisturbed: { lines: Line[]; finished: string[] };

beforeAll(async () => {
  await bundleWorker("graph-worker.ts", worker);
  const directory = join(place, "undisturbed");
  mkdirSync(directory);
  undisturbed = { lines: await run(directory, "first"), finished: await finishedNodes(directory) };
});
afterAll(() => rmSync(place, { recursive: true }));

describe("kill -9", () => {
  test(
    `at ${LONG ? "every point" : "points all over"}`,
    { timeout: LONG ? 1_800_000 : 120_000 },
    async () => {
      const points = undisturbed.lines.at(-1)?.points ?? 0;
      expect(points).toBeGreaterThan(200);
      const places = Array.from({ length: points }, (_, index) => index + 1);
      // A step that shares no factor with the number of kinds of points, so that all kinds are hit.
      const chosen = LONG ? places : places.filter((point) => point % 43 === 5);
      const kills = await sideBySide(chosen, (point) => killOnTheWay(point));
      expect(kills.reduce((sum, one) => sum + one, 0)).toBeGreaterThanOrEqual(LONG ? 200 : 24);
    },
  );
});

/** Killed at the point, then some more times on the way from there, then left alone. */
async function killOnTheWay(point: number): Promise<number> {
  const directory = mkdtempSync(join(place, "thread-"));
  const acknowledged = new Set<string>();
  let kills = 0;
  let lines: Line[] = [];
  for (let start = 0; lines.at(-1)?.what !== "outcome"; start++) {
    for (const key of keptIn(directory)) acknowledged.add(key);
    const killAt = start === 0 ? point : start < KILLS_PER_THREAD ? 7 + ((point * 13 + start * 29) % 90) : 0;
    lines = await run(directory, `process-${start}`, killAt);
    kills += lines.at(-1)?.what === "killed" ? 1 : 0;
    for (const { what, key = "" } of lines) {
      if (what === "effect") expect([...acknowledged], `killed at ${point}`).not.toContain(key);
      if (what === "acknowledged") acknowledged.add(key);
    }
  }
  const { points: _, ...outcome } = lines.at(-1) ?? {};
  expect(outcome, `killed at ${point}`).toEqual({ ...undisturbed.lines.at(-1), points: undefined });
  expect(await finishedNodes(directory), `killed at ${point}`).toEqual(undisturbed.finished);
  expectPaid(directory, kills);
  rmSync(directory, { recursive: true });
  return kills;
}

function expectPaid(directory: string, kills: number): void {
  const effects = readFileSync(join(directory, "effects"), "utf8").split("\n").slice(0, -1);
  expect(new Set(effects).size).toBe(20);
  // At most what was under way when the process died, in both of the nodes that ran side by side.
  expect(effects.length).toBeLessThanOrEqual(20 + 2 * kills);
  const sql = Sql.open(join(directory, "cupel.db"), { durability: "normal" });
  const [row] = sql.all("SELECT sum(event ->> '$.spent.costUsd') AS spent FROM journal");
  sql.close();
  expect(Number(row?.["spent"])).toBeGreaterThanOrEqual(20);
  expect(Number(row?.["spent"])).toBeLessThanOrEqual(effects.length);
}

describe("two processes", () => {
  test("resume one thread: one wins, the other hears who has it", async () => {
    const directory = temporaryDirectory();
    await run(directory, "dead", 60);
    const outcomes = await Promise.all(
      ["anna", "bert"].map((holder) => run(directory, holder, 0, { ttlMs: 60_000, waitMs: 60 })),
    );
    const kinds = outcomes.map((lines) => lines.at(-1)?.kind);
    expect(new Set(kinds)).toEqual(new Set(["finished", "held"]));
    const winner = outcomes[0]?.at(-1)?.kind === "finished" ? "anna" : "bert";
    expect(outcomes.flat().find(({ kind }) => kind === "held")).toMatchObject({ by: winner });
    expect(outcomes.flat().find(({ kind }) => kind === "held")?.["expiresAt"]).toMatch(/^\d{4}-/);
    expect(await finishedNodes(directory)).toEqual(undisturbed.finished);
  });

  test("one sleeps past its lease: when it wakes, it can write nothing", async () => {
    const directory = temporaryDirectory();
    const sleeper = start(directory, "sleeper", 0, { ttlMs: 300, waitMs: 150 });
    await sleeper.said("effect");
    sleeper.child.kill("SIGSTOP");
    await sleep(400);
    const [outcome] = (await run(directory, "other", 0, { ttlMs: 60_000 })).slice(-1);
    expect(outcome).toMatchObject({ kind: "finished" });
    const before = rowsIn(directory);
    sleeper.child.kill("SIGCONT");
    expect((await sleeper.over).at(-1)).toMatchObject({ kind: "lost" });
    expect(rowsIn(directory)).toEqual(before);
    expect(await finishedNodes(directory)).toEqual(undisturbed.finished);
  });
});

describe("a full disk", () => {
  test("is told as such, and the thread goes on when there is space", async () => {
    const sql = Sql.open(join(temporaryDirectory(), "cupel.db"), { durability: "normal" });
    const graphs = openGraphs({ sql, holder: "us" });
    const large = "x".repeat(200_000);
    const ports = {
      point: () => undefined,
      acknowledged: () => undefined,
      effect: async (key: string) => `${key} ${large}`,
    };
    const [{ page_count: pages } = {}] = sql.all("PRAGMA page_count");
    sql.all(`PRAGMA max_page_count = ${Number(pages) + 150}`);
    await expect(graphs.run(sampleGraph, { thread: "t-1", ports })).rejects.toMatchObject({
      code: "store_full",
    });
    sql.all("PRAGMA max_page_count = 1000000");
    const outcome = await graphs.resume(sampleGraph, { thread: "t-1", ports });
    expect(outcome).toMatchObject({ kind: "finished", state: { rounds: 2 } });
    sql.close();
  });
});

interface Settings {
  ttlMs?: number;
  waitMs?: number;
}

interface Running {
  child: ChildProcess;
  over: Promise<Line[]>;
  /** Resolves when it has said such a thing. */
  said(what: string): Promise<void>;
}

async function run(directory: string, holder: string, killAt = 0, settings: Settings = {}): Promise<Line[]> {
  return start(directory, holder, killAt, settings).over;
}

function start(
  directory: string,
  holder: string,
  killAt: number,
  { ttlMs = 1, waitMs = 0 }: Settings,
): Running {
  const child = spawn(process.execPath, [worker, directory, holder, `${killAt}`, `${ttlMs}`, `${waitMs}`], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const closed = once(child, "close");
  return {
    child,
    over: closed.then(() =>
      output
        .split("\n")
        .slice(0, -1)
        .map((line) => Line.parse(JSON.parse(line))),
    ),
    async said(what) {
      while (!output.includes(`"what":"${what}"`)) await once(child.stdout, "data");
    },
  };
}

async function finishedNodes(directory: string): Promise<string[]> {
  const sql = Sql.open(join(directory, "cupel.db"), { durability: "normal" });
  const events = await new LocalJournal(sql).read(0, 10_000);
  sql.close();
  return events.flatMap((event) => (event.kind === "node_finished" ? [event.node] : [])).toSorted();
}

/** Which effects the database knows the results of. */
function keptIn(directory: string): Set<string> {
  const path = join(directory, "cupel.db");
  if (!existsSync(path)) return new Set();
  const sql = Sql.open(path, { durability: "normal" });
  const kept = sql.all("SELECT name FROM graph_once").map((row) => String(row["name"]));
  sql.close();
  return new Set(kept);
}

function rowsIn(directory: string): unknown {
  const sql = Sql.open(join(directory, "cupel.db"), { durability: "normal" });
  const tables = [
    "journal",
    "graph_threads",
    "graph_checkpoints",
    "graph_writes",
    "graph_once",
    "graph_attempts",
  ];
  const rows = tables.map((table) => JSON.stringify(sql.all(`SELECT * FROM ${table}`)));
  sql.close();
  return rows;
}

/** So many at a time. */
async function sideBySide<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const left = [...items];
  const one = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) results.push(await work(item));
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, one));
  return results;
}
