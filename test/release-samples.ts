// What tests of releases share: a product with a quick test command, and what a release is given to work with.
import { join, resolve } from "node:path";
import { RIGOR } from "../src/domain/evidence/rigor.ts";
import type { ReleasePorts } from "../src/release/port.ts";
import { openStateStore } from "../src/store/state-store.ts";
import { openHub } from "../src/workshop/hub/hub.ts";
import { bubblewrap } from "../src/workshop/sandbox/bubblewrap.ts";
import { none } from "../src/workshop/sandbox/none.ts";
import { bubblewrapWorks } from "./bubblewrap.ts";
import { folderIndex } from "./folder-index.ts";

export const CLAMP_TASK = "T-text-slug-basics-001";
export const PERCENT_TASK = "T-text-slug-basics-002";

/** A test command that is quick: it calls what the modules export, without a test runner. */
export const QUICK_PRODUCT = {
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
  const hub = await openHub(project);
  const store = openStateStore(project, { durability: "normal", missing: "refuse" });
  const lease = await store.leases.acquire(`run:${runId}`, `process ${process.pid}`, 600_000);
  if (lease.kind !== "acquired") throw new Error(`held by ${lease.by}`);
  return {
    runId,
    fence: lease.fence,
    store,
    hub,
    rigor: RIGOR.lite,
    sandbox: bubblewrapWorks ? bubblewrap() : none(),
    index: folderIndex(join(project, ".cupel", "index")),
    workplace: join(project, ".cupel", "workplace"),
    now: () => new Date(),
    packageCache: join(project, ".cupel", "packages"),
    ownPackages: resolve("node_modules"),
    offline: true,
    leaseMs: 400,
    ...(onStep === undefined ? {} : { onStep }),
  };
}
