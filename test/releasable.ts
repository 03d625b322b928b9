// A product of two small modules, shipped by hand into a real store and a real hub.
import { chmodSync, mkdirSync } from "node:fs";
import { transform } from "esbuild";
import { sha256Hex } from "../src/domain/canonical.ts";
import type { MicroModuleContract } from "../src/domain/contract/contract.ts";
import { contractFingerprint } from "../src/domain/contract/fingerprint.ts";
import { indexEntryOf } from "../src/domain/plan/index-entry.ts";
import type { TaskEntry } from "../src/domain/task/project-state.ts";
import { finishShips } from "../src/engineering/ship/finish.ts";
import type { ShipPorts } from "../src/engineering/ship/port.ts";
import { headSample, taskSample } from "../src/store/database-samples.suite.ts";
import { sampleGit, writeSample } from "./git-samples.ts";
import type { SampleFiles } from "./git-samples.ts";
import { CLAMP_TASK, QUICK_PRODUCT } from "./release-samples.ts";
import { CLAMP_SAMPLE, PERCENT_SAMPLE } from "./ship-samples.ts";
import type { Sample } from "./ship-samples.ts";
import { openWorld } from "./ship-world.ts";

/** A checkout with both modules on its branch, and both tasks SHIPPED. */
export async function makeReleasable(directory: string, files: SampleFiles = QUICK_PRODUCT): Promise<void> {
  mkdirSync(directory, { recursive: true });
  chmodSync(directory, 0o755);
  sampleGit(directory, "init", "--quiet", "-b", "main");
  writeSample(directory, files);
  sampleGit(directory, "add", "--all", ".");
  sampleGit(directory, "commit", "--quiet", "-m", "start");
  const ports = await openWorld(directory);
  for (const sample of [CLAMP_SAMPLE, PERCENT_SAMPLE]) await shipByHand(ports, sample);
  await finishShips(ports);
  const { project } = ports.store;
  await project.begin(ports.fence, headSample(), [taskSample(1), taskSample(2)], "approved");
  const at = "2026-11-16T00:00:00.000Z";
  const done = (n: number, module: string): [string, TaskEntry] => {
    const { taskId, entry } = taskSample(n);
    return [taskId, { ...entry, status: "SHIPPED", module_refs: [module], shipped_at: at }];
  };
  const entries = [done(1, "MM-clamp@1.0.0"), done(2, "MM-percent@1.0.0")];
  await project.commit(ports.fence, { at, entries, events: [] });
  await ports.store.leases.release(ports.fence);
  await ports.store.close();
}

/** Sealed with what a release reads of a module; no gate has looked at it. */
async function shipByHand(ports: ShipPorts, sample: Sample): Promise<void> {
  const { contract, folder, files: sources, dependencies } = sample;
  const module = `${contract.module_id}@${contract.module_version}`;
  const shipId = `SHIP-${sha256Hex(module).slice(0, 8)}`;
  const texts = {
    ...Object.fromEntries(
      Object.entries(sources).map(([path, text]) => [
        path.replace(/^src\//, "implementation/").replace(/^test\//, "tests/"),
        text,
      ]),
    ),
    "contract.json": `${JSON.stringify(contract, null, 2)}\n`,
    "ship.json": `${JSON.stringify(evidenceOf(contract, shipId), null, 2)}\n`,
    "package/broken/index.js": brokenCode(contract),
    "package/whole/index.js": (await transform(sources["src/index.ts"] ?? "", { loader: "ts" })).code,
  };
  const stored = await Promise.all(
    Object.entries(texts).map(async ([path, text]) => [path, await ports.store.payloads.put(text)] as const),
  );
  const refs = Object.fromEntries(stored);
  const entry = indexEntryOf(contract, {
    contract_ref: refs["contract.json"] ?? "",
    examples_ref: refs["examples.md"] ?? "",
    ship_ref: refs["ship.json"] ?? "",
  });
  const record = {
    module,
    folder,
    task: CLAMP_TASK,
    runId: ports.runId,
    shipId,
    shippedAt: "2026-11-16T00:00:00.000Z",
    dependencies,
    implementation: null,
    artifacts: [],
    entry,
  };
  const lease = await ports.store.leases.acquire("ship", "by hand", 60_000);
  if (lease.kind === "held") throw new Error(`${lease.by} ships`);
  await ports.store.ships.commit(ports.fence, lease.fence, {
    record,
    files: refs,
    artifacts: [],
    transitions: [],
    contributions: [],
    events: [],
  });
  await ports.store.leases.release(lease.fence);
}

function evidenceOf(contract: MicroModuleContract, shipId: string): object {
  return {
    module_id: contract.module_id,
    module_version: contract.module_version,
    ship_id: shipId,
    verified_at: "2026-11-16T00:00:00.000Z",
    verification: {
      result: "PASS",
      interface_fingerprint: contractFingerprint(contract),
      evidence_ref: `sha256:${"0".repeat(64)}`,
    },
    environment: { repo_revision: "0", dependency_lock_ref: "0", runner_id: "vitest/4" },
  };
}

function brokenCode({ entry_points }: MicroModuleContract): string {
  return entry_points
    .map(({ name }) => `export function ${name}() {\n  throw new Error("cupel:stub ${name}");\n}\n`)
    .join("");
}
