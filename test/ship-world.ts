// A factory around the door: a project with a hub and a store, a toolchain, and an index that is a folder of files.
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { ShipPorts } from "../src/engineering/ship/port.ts";
import { openStateStore } from "../src/store/state-store.ts";
import { typescriptToolchain } from "../src/toolchains/typescript/toolchain.ts";
import { cupelVersion } from "../src/version.ts";
import { openHub } from "../src/workshop/hub/hub.ts";
import { bubblewrap } from "../src/workshop/sandbox/bubblewrap.ts";
import { none } from "../src/workshop/sandbox/none.ts";
import { folderIndex } from "./folder-index.ts";

export interface WorldOptions {
  runId?: string;
  sandbox?: "bubblewrap" | "none";
  onStep?: ShipPorts["onStep"];
  leaseMs?: number;
}

export async function openWorld(project: string, options: WorldOptions = {}): Promise<ShipPorts> {
  const { runId = "r-ship", sandbox = "bubblewrap", onStep } = options;
  const hub = await openHub(project);
  const store = openStateStore(project, { durability: "normal", missing: "create" });
  const lease = await store.leases.acquire(`run:${runId}`, `process ${process.pid}`, 600_000);
  if (lease.kind !== "acquired") {
    // Whoever had it before has been killed.
    throw new Error(`held by ${lease.by}`);
  }
  const workplace = join(project, ".cupel", "workplace");
  mkdirSync(workplace, { recursive: true });
  chmodSync(workplace, 0o755);
  return {
    runId,
    fence: lease.fence,
    store,
    hub,
    toolchain: typescriptToolchain({ sandbox: sandbox === "none" ? none() : bubblewrap() }),
    index: folderIndex(join(project, ".cupel", "index")),
    workplace,
    now: () => new Date(),
    memory: join(project, ".cupel", "memory"),
    versions: { cupel: cupelVersion() },
    leaseMs: options.leaseMs ?? 400,
    ...(onStep === undefined ? {} : { onStep }),
  };
}
