// A Code Index in a directory of its own, for the time of a benchmark.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LocalCodeIndex } from "../../src/code-index/local-code-index.ts";
import type { Embedder } from "../../src/code-index/port.ts";
import type { CodeIndexEntry } from "../../src/domain/plan/reuse.ts";
import { LocalLeases } from "../../src/store/local/leases.ts";
import type { Fence } from "../../src/store/port.ts";
import { Sql } from "../../src/store/sql.ts";

export async function withIndex<T>(
  embedder: Embedder,
  work: (index: LocalCodeIndex, fence: Fence, reopen: () => LocalCodeIndex) => Promise<T>,
): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), "cupel-bench-"));
  const sql = Sql.open(join(directory, "cupel.db"), { durability: "normal" });
  try {
    const lease = await new LocalLeases(sql, Date.now).acquire("run:bench", "bench", 3_600_000);
    if (lease.kind !== "acquired") throw new Error("the lease is held");
    const open = (): LocalCodeIndex => new LocalCodeIndex({ sql, embedder });
    return await work(open(), lease.fence, open);
  } finally {
    sql.close();
    rmSync(directory, { recursive: true });
  }
}

const REF = `sha256:${"0".repeat(64)}`;

export function benchEntry(
  entry: Pick<CodeIndexEntry, "module_id" | "name" | "purpose" | "tags" | "io_summary">,
): CodeIndexEntry {
  return {
    ...entry,
    version: "1.0.0",
    contract_ref: REF,
    examples_ref: REF,
    ship_ref: REF,
    dependencies: [],
    status: "SHIPPED",
    notes: "",
  };
}
