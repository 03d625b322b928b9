// Durable graphs against bare LangGraph with its own SqliteSaver, many threads at once, and what a long thread weighs.
import { EventEmitter, once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { Annotation, START, StateGraph } from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { z } from "zod";
import { defineGraph, stateKey } from "../src/graph/define-graph.ts";
import { openGraphs } from "../src/graph/graphs.ts";
import type { Graphs } from "../src/graph/graphs-port.ts";
import { Sql } from "../src/store/sql.ts";

const STEPS = 100;
const ROUNDS = 12;
const LATENCY_MS = 200;
const CALLS = 5;
const IDLE = 200;
const NOTE = "what the node before has found out. ".repeat(10);

const state = {
  count: stateKey({ schema: z.int(), initial: () => 0 }),
  note: stateKey({ schema: z.string(), initial: () => "" }),
  list: stateKey({ schema: z.array(z.string()), initial: () => [], merge: (a, b) => [...a, ...b] }),
};
const plain = { timeoutMs: 600_000, lane: "bench", does: "counts" };

interface Ports {
  steps: number;
  call: () => Promise<void>;
  item: string | undefined;
}

const graph = defineGraph({
  name: "bench",
  version: 1,
  state,
  nodes: {
    loop: {
      ...plain,
      async run({ count }, { steps, call, item }: Ports) {
        await call();
        const update = { count: count + 1, note: `${count} ${NOTE}` };
        return {
          update: item === undefined ? update : { ...update, list: [item] },
          goto: count + 1 < steps ? "loop" : "end",
        };
      },
      routes: ["loop", "end"],
    },
  },
  entries: { start: "loop" },
});

export async function run(): Promise<Record<string, unknown>> {
  const directory = mkdtempSync(join(tmpdir(), "cupel-bench-"));
  try {
    const cost = await perNode(directory);
    const stallMs = await stall(directory);
    return {
      overheadRatio: round(cost.ours / cost.bare),
      stallMs: round(stallMs),
      mbPerIdleThread: round(await idleThread(directory)),
      overCriticalPath: round(await overCriticalPath(directory, 40)),
      overCriticalPath100: round(await overCriticalPath(directory, 100)),
      storageMb1000: round(await storage(directory)),
      cpuMsPerNode: { ours: round(cost.ours), bare: round(cost.bare) },
    };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Both take turns, so that whatever disturbs the machine disturbs both; the least disturbed round counts. */
async function perNode(directory: string): Promise<{ ours: number; bare: number }> {
  const { graphs, close } = open(directory, "ours");
  const compiled = bareGraph(join(directory, "bare.db"));
  const best = { ours: Infinity, bare: Infinity };
  for (let round = 0; round < ROUNDS; round++) {
    const thread = `t-${round}`;
    const ports = { steps: STEPS, call: async () => undefined, item: undefined };
    best.ours = Math.min(best.ours, await cpuMs(() => graphs.run(graph, { thread, ports })));
    const config = { configurable: { thread_id: thread }, recursionLimit: 10_000 };
    best.bare = Math.min(best.bare, await cpuMs(() => compiled.invoke({ count: 0 }, config)));
  }
  close();
  return { ours: best.ours / STEPS, bare: best.bare / STEPS };
}

/** The same work with nothing around it. */
function bareGraph(path: string) {
  const shape = Annotation.Root({
    count: Annotation<number>,
    note: Annotation<string>,
    list: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
  });
  return new StateGraph(shape)
    .addNode("loop", async ({ count }) => ({ count: count + 1, note: `${count} ${NOTE}` }))
    .addEdge(START, "loop")
    .addConditionalEdges("loop", ({ count }) => (count < STEPS ? "loop" : "__end__"), ["loop", "__end__"])
    .compile({ checkpointer: SqliteSaver.fromConnString(path) });
}

/** The longest time the event loop answered nobody, while forty threads do nothing but count. */
async function stall(directory: string): Promise<number> {
  const { graphs, close } = open(directory, "stall");
  let best = Infinity;
  for (let round = 0; round < 3; round++) {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    await many(graphs, 40, `stall-${round}`, { steps: 10, call: () => sleep(5), item: "x".repeat(200) });
    delay.disable();
    best = Math.min(best, delay.max / 1e6);
  }
  close();
  return best;
}

async function idleThread(directory: string): Promise<number> {
  const { graphs, close } = open(directory, "idle");
  await graphs.run(graph, {
    thread: "warm",
    ports: { steps: 2, call: async () => undefined, item: undefined },
  });
  const before = memory();
  const waking = new EventEmitter().setMaxListeners(0);
  const arrived: true[] = [];
  const call = async (): Promise<void> => {
    arrived.push(true);
    await once(waking, "wake");
  };
  const over = many(graphs, IDLE, "idle", { steps: 1, call, item: undefined });
  while (arrived.length < IDLE) await sleep(10);
  const perThread = (memory() - before) / IDLE / 1e6;
  waking.emit("wake");
  await over;
  close();
  return perThread;
}

async function overCriticalPath(directory: string, threads: number): Promise<number> {
  const { graphs, close } = open(directory, `path-${threads}`);
  await graphs.run(graph, {
    thread: "warm",
    ports: { steps: 20, call: async () => undefined, item: undefined },
  });
  const begin = performance.now();
  await many(graphs, threads, "path", { steps: CALLS, call: () => sleep(LATENCY_MS), item: undefined });
  const wall = performance.now() - begin;
  close();
  return wall / (CALLS * LATENCY_MS);
}

/** A list that grows by 200 bytes a step. */
async function storage(directory: string): Promise<number> {
  const { graphs, sql, close } = open(directory, "storage");
  await graphs.run(graph, {
    thread: "t",
    ports: { steps: 1000, call: async () => undefined, item: "x".repeat(197) },
  });
  sql.all("PRAGMA wal_checkpoint(TRUNCATE)");
  const size = statSync(sql.path).size / 1e6;
  close();
  return size;
}

async function many(graphs: Graphs, threads: number, name: string, ports: Ports): Promise<void> {
  const runs = Array.from({ length: threads }, (_, n) =>
    graphs.run(graph, { thread: `${name}-${n}`, ports }),
  );
  for (const { kind } of await Promise.all(runs))
    if (kind !== "finished") throw new Error(`a thread ${kind}`);
}

function open(directory: string, name: string) {
  const sql = Sql.open(join(directory, `${name}.db`), { durability: "normal" });
  return { sql, graphs: openGraphs({ sql, holder: "bench" }), close: () => sql.close() };
}

async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function memory(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
