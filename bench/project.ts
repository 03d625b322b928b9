// How long it takes to make a project of 500 and of 10,000 tasks, files in the product included, and how many tasks a second
// get through the supervisor when engineering takes one millisecond, with every change of a status in the database.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { resolveRigor } from "../src/domain/evidence/rigor.ts";
import { initProject } from "../src/project/init-project.ts";
import { Project, type ProjectDesk } from "../src/project/project.ts";
import { publishTaskFiles } from "../src/project/publish-task-files.ts";
import { supervise } from "../src/project/supervise.ts";
import { openStateStore } from "../src/store/state-store.ts";
import { openHub } from "../src/workshop/hub/hub.ts";
import { specOf } from "../test/project-specs.ts";

const CONCURRENCY = 8;

export async function run(): Promise<Record<string, unknown>> {
  const small = await measured(500, async ({ initS }) => ({ initS }));
  const large = await measured(10_000, async ({ initS, desk }) => ({
    initS,
    ...(await through(desk, 10_000)),
  }));
  return {
    init500S: round(small.initS),
    init10kS: round(large.initS),
    tasksPerS: Math.round(large.tasksPerS),
    concurrency: CONCURRENCY,
    runS: round(large.runS),
  };
}

async function measured<T>(
  tasks: number,
  then: (ready: { initS: number; desk: ProjectDesk }) => Promise<T>,
): Promise<T> {
  const project = mkdtempSync(join(tmpdir(), "cupel-bench-project-"));
  repository(project);
  // What is acknowledged survives the loss of power.
  const store = openStateStore(project, { durability: "full", missing: "create" });
  try {
    const lease = await store.leases.acquire("run:r-bench", "bench", 3_600_000);
    if (lease.kind !== "acquired") throw new Error("the lease is held");
    const desk = { store, fence: lease.fence, runId: "r-bench", now: () => new Date() };
    const hub = await openHub(project);
    const spec = specOf(waits(tasks));
    const begin = performance.now();
    await initProject(desk, spec);
    const published = await publishTaskFiles(desk, hub);
    const initS = (performance.now() - begin) / 1000;
    if (published !== tasks) throw new Error(`only ${published} of ${tasks} files are in the product`);
    return await then({ initS, desk });
  } finally {
    await store.close();
    rmSync(project, { recursive: true, force: true });
  }
}

async function through(desk: ProjectDesk, tasks: number) {
  const project = await Project.open(desk);
  const begin = performance.now();
  const outcome = await supervise(project, {
    engineer: async ({ task: { task_id: task } }) => {
      await sleep(1);
      return { kind: "shipped", task, modules: ["MM-part@1.0.0"] };
    },
    decide: () => Promise.reject(new Error("nobody decides here")),
    contracts: async (refs) => refs.map((module_ref) => ({ module_ref, summary: "A part.", examples: [] })),
    rigor: resolveRigor("standard"),
    protocol: "debate",
    concurrency: CONCURRENCY,
    drain: async () => undefined,
    signal: new AbortController().signal,
  });
  const runS = (performance.now() - begin) / 1000;
  const shipped = (await desk.store.project.entries()).filter(
    ([, { status }]) => status === "SHIPPED",
  ).length;
  if (outcome.kind !== "finished" || shipped !== tasks)
    throw new Error(
      `${outcome.kind} with ${shipped} of ${tasks} tasks shipped: the figures would mean nothing`,
    );
  return { runS, tasksPerS: tasks / runS };
}

/** Each task waits for one or two before it. */
function waits(tasks: number): number[][] {
  return Array.from({ length: tasks }, (_, n) =>
    n < CONCURRENCY ? [] : n % 3 === 0 ? [n - CONCURRENCY + 1, n - CONCURRENCY + 2] : [n - CONCURRENCY + 1],
  );
}

function repository(directory: string): void {
  writeFileSync(join(directory, "README.md"), "# A product\n");
  const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
  const commands = [
    ["init", "--quiet", "-b", "main"],
    ["add", "."],
    [...identity, "commit", "--quiet", "-m", "begin"],
  ];
  for (const args of commands) execFileSync("git", args, { cwd: directory });
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
