// A factory around the door: a project with a hub and a store, a toolchain, and an index that is a folder of files.
import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { canonicalJson } from "../src/domain/canonical.ts";
import { CodeIndexEntry } from "../src/domain/plan/reuse.ts";
import type { CodeIndex } from "../src/engineering/port.ts";
import type { ShipPorts } from "../src/engineering/ship/port.ts";
import { openStateStore } from "../src/store/state-store.ts";
import { typescriptToolchain } from "../src/toolchains/typescript/toolchain.ts";
import { cupelVersion } from "../src/version.ts";
import { openHub } from "../src/workshop/hub/hub.ts";
import { bubblewrap } from "../src/workshop/sandbox/bubblewrap.ts";
import { none } from "../src/workshop/sandbox/none.ts";

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

/** One file for each entry, and a line for each change. */
export function folderIndex(directory: string): CodeIndex {
  mkdirSync(directory, { recursive: true });
  const place = (module: string) => join(directory, `${module}.json`);
  const read = (module: string) =>
    existsSync(place(module))
      ? CodeIndexEntry.parse(JSON.parse(readFileSync(place(module), "utf8")))
      : undefined;
  return {
    async append(_fence, entry) {
      const module = `${entry.module_id}@${entry.version}`;
      try {
        writeFileSync(place(module), JSON.stringify(entry), { flag: "wx" });
        appendFileSync(join(directory, "changes"), `append ${module}\n`);
      } catch {
        if (canonicalJson(read(module)) !== canonicalJson(entry))
          throw new Error(`${module} is another in the index`);
      }
    },
    async setStatus(_fence, module, status, supersededBy) {
      const entry = CodeIndexEntry.parse({ ...read(module), status, superseded_by: supersededBy });
      writeFileSync(place(module), JSON.stringify(entry));
      appendFileSync(join(directory, "changes"), `${status} ${module}\n`);
    },
    get: async (module) => read(module),
    search: async () => [],
  };
}

export function indexChanges(project: string): string[] {
  const path = join(project, ".cupel", "index", "changes");
  return existsSync(path) ? readFileSync(path, "utf8").trimEnd().split("\n") : [];
}
