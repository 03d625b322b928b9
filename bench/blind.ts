// One module through the blind protocol with scripted latencies and everything else real: how much of the time that the
// steps take one after the other is left when both sides work at once, and how close that is to the critical path.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { engineerTask } from "../src/engineering/engineer-task.ts";
import { openEngineering } from "../src/factory/engineering.ts";
import { openWorks } from "../src/factory/works.ts";
import { blindAdvice } from "../src/protocols/blind/advice.ts";
import { blindLines } from "../test/blind-samples.ts";
import { INVOICE_TASK } from "../test/invoice-samples.ts";
import { scriptText } from "../test/invoice-script.ts";
import { orderFor } from "../src/simulator/lone-task.ts";
import { newProject } from "./new-project.ts";

/** Seconds that each role takes, scaled down by two. */
const SECONDS: Readonly<Record<string, number>> = { types: 5, type_adversary: 7, tests: 23, impl: 28 };
const SCALE = 2;

/** Nodes that the graph runs side by side; all others wait for the one before. */
const SIDE_BY_SIDE = [
  ["skeleton", "type_adversary"],
  ["tests", "impl"],
];

export async function run(): Promise<Record<string, unknown>> {
  const directory = mkdtempSync(join(tmpdir(), "cupel-bench-"));
  try {
    const { wallMs, took } = await measured(directory);
    const sequentialMs = [...took.values()].reduce((sum, each) => sum + each, 0);
    const hiddenMs = SIDE_BY_SIDE.reduce((sum, nodes) => {
      const times = nodes.map((node) => took.get(node) ?? 0);
      return sum + times.reduce((all, each) => all + each, 0) - Math.max(...times);
    }, 0);
    return {
      overCriticalPath: round(wallMs / (sequentialMs - hiddenMs)),
      overSequential: round(wallMs / sequentialMs),
      wallMs: Math.round(wallMs),
      nodesMs: Object.fromEntries([...took].map(([node, ms]) => [node, Math.round(ms)])),
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measured(directory: string): Promise<{ wallMs: number; took: Map<string, number> }> {
  const project = await newProject(join(realpathSync(directory), "project"));
  const script = join(directory, "script.jsonl");
  const lines = blindLines().map((line) => ({
    ...line,
    latencyMs: ((SECONDS[line.key.role] ?? 0) * 1000) / SCALE,
  }));
  writeFileSync(script, scriptText(lines));
  const options = { project, runId: "r-bench", replay: script, ignoreInput: true, pace: 1 };
  const works = await openWorks({ ...options, jobs: () => blindAdvice });
  const engineering = await openEngineering(works, { ownScripts: true });
  try {
    const begun = performance.now();
    const outcome = await engineerTask(engineering.ports, orderFor(INVOICE_TASK, { protocol: "blind" }));
    const wallMs = performance.now() - begun;
    if (outcome.kind !== "shipped") throw new Error(`it did not ship: ${JSON.stringify(outcome)}`);
    const took = new Map<string, number>();
    for (const event of await works.store.journal.read(0, 5000)) {
      if (event.kind !== "node_finished") continue;
      took.set(event.node, (took.get(event.node) ?? 0) + event.durationMs);
    }
    return { wallMs, took };
  } finally {
    await engineering.close();
    await works.close();
  }
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
