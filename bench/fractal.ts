// A task of thirteen nodes through the fractal protocol with scripted latencies and everything else real: how close eight who
// work at once come to the critical path, and for how many rebases somebody had to be asked.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Tree } from "../src/domain/fractal/tree.ts";
import type { RunEvent } from "../src/domain/run/run-event.ts";
import { engineerTask } from "../src/engineering/engineer-task.ts";
import { threadName } from "../src/engineering/subject.ts";
import { openEngineering } from "../src/factory/engineering.ts";
import { openWorks } from "../src/factory/works.ts";
import { HARVEST_ORDER } from "../test/harvest-run.ts";
import { PLAIN_HARVEST } from "../test/harvest-modules.ts";
import { harvestLines } from "../test/harvest-samples.ts";
import { scriptText } from "../test/invoice-script.ts";
import { newProject } from "./new-project.ts";

/** Seconds that each role takes. */
const SECONDS: Readonly<Record<string, number>> = { scaffold: 15, test_author: 20, impl: 25, reviewer: 10 };
const RUN = "r-bench";

export async function run(): Promise<Record<string, unknown>> {
  const directory = mkdtempSync(join(tmpdir(), "cupel-bench-"));
  try {
    const { wallMs, tree, took } = await measured(directory);
    const nodes = Object.values(tree);
    const total = (of: "rebases" | "wakes"): number => nodes.reduce((sum, node) => sum + node[of], 0);
    const path = criticalPath(tree, took);
    return {
      overCriticalPath: round(wallMs / path),
      agentWakes: total("wakes"),
      rebases: total("rebases"),
      nodes: nodes.length,
      wallMs: Math.round(wallMs),
      criticalPathMs: Math.round(path),
      oneAfterTheOtherMs: Math.round([...took.values()].reduce((sum, each) => sum + each, 0)),
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** How long each step of each thread took, as `thread step`. */
type Took = ReadonlyMap<string, number>;

async function measured(directory: string): Promise<{ wallMs: number; tree: Tree; took: Took }> {
  const project = await newProject(join(realpathSync(directory), "project"));
  const script = join(directory, "script.jsonl");
  const lines = harvestLines(PLAIN_HARVEST).map((line) => ({
    ...line,
    latencyMs: (SECONDS[line.key.role] ?? 0) * 1000,
  }));
  writeFileSync(script, scriptText(lines));
  const works = await openWorks({ project, runId: RUN, replay: script, ignoreInput: true, pace: 1 });
  const engineering = await openEngineering(works, { ownScripts: true });
  try {
    const begun = performance.now();
    const outcome = await engineerTask(engineering.ports, HARVEST_ORDER);
    const wallMs = performance.now() - begun;
    if (outcome.kind !== "shipped") throw new Error(`it did not ship: ${JSON.stringify(outcome)}`);
    const tree = (await works.store.trees.read(threadName(RUN, HARVEST_ORDER, "tree"))) ?? {};
    return { wallMs, tree, took: tookIn(await works.store.journal.read(0, 100_000)) };
  } finally {
    await engineering.close();
    await works.close();
  }
}

function tookIn(events: readonly RunEvent[]): Map<string, number> {
  const took = new Map<string, number>();
  for (const event of events) {
    if (event.kind !== "node_finished") continue;
    const step = `${event.thread} ${event.node}`;
    took.set(step, (took.get(step) ?? 0) + event.durationMs);
  }
  return took;
}

const MAKING = ["turn", "impl", "rebase", "review", "enqueue"];
const SHIPPING = ["challenge", "ship", "shipped"];

/** Children and tests of a node at the same time, what it makes of them afterwards; the door lets in one at a time. */
function criticalPath(tree: Tree, took: Took): number {
  const of = (thread: string, steps: readonly string[]): number =>
    steps.reduce(
      (sum, step) => sum + (took.get(`${threadName(RUN, HARVEST_ORDER, thread)} ${step}`) ?? 0),
      0,
    );
  const verdictOn = (id: string): number => {
    const thread = threadName(RUN, HARVEST_ORDER, `verdict/${id}/`);
    return [...took].reduce((sum, [step, ms]) => sum + (step.startsWith(thread) ? ms : 0), 0);
  };
  const until = (id: string): number => {
    const children = tree[id]?.children ?? [];
    const below = children.map((child) => until(child) + verdictOn(child));
    const tests = of(`tree/${id}`, ["author", "hold"]);
    return of(`tree/${id}`, ["scaffold", "lay_out"]) + Math.max(tests, ...below) + of(`tree/${id}`, MAKING);
  };
  const ids = Object.keys(tree);
  const root = ids.find((id) => tree[id]?.parent === null) ?? "";
  return until(root) + ids.reduce((sum, id) => sum + of(`tree/${id}`, SHIPPING), 0);
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
