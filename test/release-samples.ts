// A product of two small modules, shipped by hand into a real store and a real hub, ready to be released.
import { chmodSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { sha256Hex } from "../src/domain/canonical.ts";
import type { MicroModuleContract } from "../src/domain/contract/contract.ts";
import { contractFingerprint } from "../src/domain/contract/fingerprint.ts";
import { indexEntryOf } from "../src/domain/plan/index-entry.ts";
import type { TaskEntry } from "../src/domain/task/project-state.ts";
import { finishShips } from "../src/engineering/ship/finish.ts";
import type { ShipPorts } from "../src/engineering/ship/port.ts";
import type { ReleasePorts } from "../src/release/port.ts";
import { headSample, taskSample } from "../src/store/database-samples.suite.ts";
import { bubblewrap } from "../src/workshop/sandbox/bubblewrap.ts";
import { none } from "../src/workshop/sandbox/none.ts";
import { bubblewrapWorks } from "./bubblewrap.ts";
import { sampleGit, writeSample } from "./git-samples.ts";
import type { SampleFiles } from "./git-samples.ts";
import { CLAMP_SAMPLE, PERCENT_SAMPLE } from "./ship-samples.ts";
import type { Sample } from "./ship-samples.ts";
import { openWorld } from "./ship-world.ts";

export const CLAMP_TASK = taskSample(1).taskId;
export const PERCENT_TASK = taskSample(2).taskId;

/** A test command that is quick: it calls what the modules export, without a test runner. */
export const QUICK_PRODUCT: SampleFiles = {
  "SPEC.md": "# Numbers\n",
  "package.json": JSON.stringify({
    private: true,
    type: "module",
    imports: {},
    scripts: { test: "node check.mjs" },
  }),
  "check.mjs": `import { existsSync, readFileSync, readdirSync } from "node:fs";
const codes = Object.fromEntries(readdirSync("modules").map((name) => [name, readFileSync(\`modules/\${name}/src/index.ts\`, "utf8")]));
const plain = (code) => code.replaceAll(/: (number|string)\\b/g, "");
const address = (code) => "data:text/javascript," + encodeURIComponent(plain(code));
const clamp = address(codes.clamp);
if ((await import(clamp)).clamp(5, 0, 3) !== 3) process.exit(1);
if (codes.percent !== undefined) {
  const percent = address(codes.percent.replace("#modules/clamp", clamp));
  if ((await import(percent)).percent(120) !== 100) process.exit(1);
}
`,
};

export interface ReleaseWorldOptions {
  runId?: string;
  onStep?: ReleasePorts["onStep"];
}

export async function openReleaseWorld(
  project: string,
  { runId = "r-release", onStep }: ReleaseWorldOptions = {},
): Promise<ReleasePorts> {
  const { onStep: _, ...world } = await openWorld(project, { runId });
  return {
    ...world,
    sandbox: bubblewrapWorks ? bubblewrap() : none(),
    packageCache: join(project, ".cupel", "packages"),
    ownPackages: resolve("node_modules"),
    offline: true,
    ...(onStep === undefined ? {} : { onStep }),
  };
}

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
export async function shipByHand(ports: ShipPorts, sample: Sample): Promise<void> {
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
