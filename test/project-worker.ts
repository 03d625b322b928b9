// A process of its own for the tests: the supervisor of a sample project, with engineering that takes a moment and writes
// down what it shipped.
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { resolveRigor } from "../src/domain/evidence/rigor.ts";
import { initProject } from "../src/project/init-project.ts";
import { Project } from "../src/project/project.ts";
import { supervise } from "../src/project/supervise.ts";
import { openStateStore } from "../src/store/state-store.ts";
import { specOf } from "./project-specs.ts";

const [directory = "", log = "", tasks = "1", holder = ""] = process.argv.slice(2);
const store = openStateStore(directory, { durability: "normal", missing: "create" });
const lease = await store.leases.acquire("run:r-1", holder, 60_000);
if (lease.kind === "held") {
  process.stdout.write(`held by ${lease.by}\n`);
  process.exit(14);
}
const desk = { store, fence: lease.fence, runId: "r-1", now: () => new Date() };
const waits = Array.from({ length: Number(tasks) }, (_, n) => (n < 4 ? [] : [n - 3]));
await initProject(desk, specOf(waits));
const project = await Project.open(desk);
process.stdout.write("working\n");
const outcome = await supervise(project, {
  engineer: async ({ task: { task_id: task }, attempt }) => {
    appendFileSync(log, `began ${task} ${attempt}\n`);
    await sleep(2);
    return { kind: "shipped", task, modules: [`MM-part${Number(task.slice(-3))}@1.0.0`] };
  },
  decide: () => Promise.reject(new Error("nobody decides here")),
  contracts: async (refs) => refs.map((module_ref) => ({ module_ref, summary: "A part.", examples: [] })),
  rigor: resolveRigor("standard"),
  protocol: "debate",
  concurrency: 3,
  drain: async () => undefined,
  signal: new AbortController().signal,
});
await store.showProject(desk.fence, project.machine.toState());
await store.close();
process.stdout.write(`${outcome.kind}\n`);
