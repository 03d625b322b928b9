// The state store against the limits of this machine, measured in the same run: one write+fsync+rename for an artifact, one
// bare insert into a WAL database for a journal event, one plain read of a file for a read.
import {
  closeSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import type { Fence } from "../src/store/port.ts";
import { openStateStore } from "../src/store/state-store.ts";
import type { StateStore } from "../src/store/state-store.ts";

const ROUNDS = 30;
/** Few enough that most rounds see no checkpoint of either database. */
const COUNT = 100;
const AT = "2026-01-01T00:00:00Z";

export async function run(): Promise<Record<string, unknown>> {
  const directory = mkdtempSync(join(tmpdir(), "cupel-bench-"));
  const store = openStateStore(join(directory, "project"), { durability: "normal", missing: "create" });
  try {
    const lease = await store.leases.acquire("run:bench", "bench", 600_000);
    if (lease.kind !== "acquired") throw new Error("the lease is held");
    const times = await measure(directory, store, lease.fence);
    return {
      writesPerSecond: Math.round(1000 / times.write),
      readsPerSecond: Math.round(1000 / times.read),
      journalPerSecond: Math.round(1000 / times.journal),
      writeRatio: round(times.write / times.fsync),
      readRatio: round(times.read / times.plainRead),
      journalRatio: round(times.journal / times.insert),
      limitsMs: {
        writeFsyncRename: round(times.fsync),
        walInsert: round(times.insert),
        plainRead: round(times.plainRead),
      },
    };
  } finally {
    await store.close();
    rmSync(directory, { recursive: true });
  }
}

type Times = Record<"write" | "fsync" | "read" | "plainRead" | "journal" | "insert", number>;

/** Ours and the limit take turns, so that whatever disturbs the machine disturbs both; the least disturbed round counts. */
async function measure(directory: string, store: StateStore, fence: Fence): Promise<Times> {
  const limit = new Database(join(directory, "limit.db"));
  limit.pragma("journal_mode = WAL");
  limit.pragma("synchronous = NORMAL");
  limit.exec("CREATE TABLE journal (seq INTEGER PRIMARY KEY, event TEXT)");
  const insert = limit.prepare("INSERT INTO journal (event) VALUES (?)");
  const text = JSON.stringify(event());
  const ids: string[] = [];
  const best: Times = {
    write: Infinity,
    fsync: Infinity,
    read: Infinity,
    plainRead: Infinity,
    journal: Infinity,
    insert: Infinity,
  };
  const take = async (key: keyof Times, work: (n: number) => unknown): Promise<void> => {
    const begin = process.hrtime.bigint();
    for (let n = 0; n < COUNT; n++) await work(n);
    best[key] = Math.min(best[key], Number(process.hrtime.bigint() - begin) / 1e6 / COUNT);
  };

  for (let round = 0; round < ROUNDS; round++) {
    await take("fsync", (n) => writeFsyncRename(join(directory, `limit-${n}`), body(round, n)));
    await take("write", async (n) => ids.push(await create(store, fence, body(round, n))));
    await take("plainRead", (n) => readFileSync(join(directory, `limit-${n}`)));
    await take("read", (n) => store.artifacts.readBody(ids[ids.length - 1 - n] ?? "", "contract.json"));
    await take("insert", () => insert.run([text]));
    await take("journal", () => store.journal.append(fence, [event()]));
  }
  limit.close();
  return best;
}

async function create(store: StateStore, fence: Fence, contract: string): Promise<string> {
  const envelope = await store.artifacts.create(fence, {
    type: "CONTRACT",
    pillar: "bench",
    createdBy: { role: "harness", run_id: "r-bench" },
    contextPackRef: null,
    body: { "contract.json": contract },
  });
  return envelope.artifact_id;
}

function writeFsyncRename(path: string, text: string): void {
  const file = openSync(`${path}.tmp`, "w");
  writeSync(file, text);
  fsyncSync(file);
  closeSync(file);
  renameSync(`${path}.tmp`, path);
}

function body(round: number, n: number): string {
  return JSON.stringify({ round, n, purpose: "Turns a title into a URL-safe slug. ".repeat(20) });
}

function event() {
  return {
    kind: "task_transitioned",
    at: AT,
    runId: "r-bench",
    task: "T-a-b-c-001",
    from: "PENDING",
    to: "IN_PROGRESS",
    why: "dispatched",
  } as const;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
