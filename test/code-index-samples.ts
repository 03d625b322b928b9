// A Code Index with something in it, and an embedder that is quick and the same everywhere.
import { join } from "node:path";
import type { CodeIndexEntry } from "../src/domain/plan/reuse.ts";
import { LocalCodeIndex } from "../src/code-index/local-code-index.ts";
import type { Embedder } from "../src/code-index/port.ts";
import { wordsOf } from "../src/code-index/words.ts";
import { LocalLeases } from "../src/store/local/leases.ts";
import type { Fence } from "../src/store/port.ts";
import { Sql } from "../src/store/sql.ts";

const REF = `sha256:${"0".repeat(64)}`;

export function indexEntry(name: string, changes: Partial<CodeIndexEntry> = {}): CodeIndexEntry {
  return {
    module_id: `MM-${name}`,
    version: "1.0.0",
    name,
    purpose: `Does what ${name} does`,
    tags: ["sample"],
    contract_ref: REF,
    examples_ref: REF,
    ship_ref: REF,
    io_summary: {
      inputs: ["text: string"],
      outputs: ["text: string"],
      error_surfaces: [],
      effects: [],
      modes: ["sync"],
    },
    dependencies: [],
    status: "SHIPPED",
    notes: "",
    ...changes,
  };
}

/** Each word adds to a few places: texts with the same words are close. */
export function wordEmbedder(model = "test:words", dimensions = 256): Embedder & { asked: string[] } {
  const asked: string[] = [];
  return {
    model,
    dimensions,
    asked,
    embed: async (texts) => {
      asked.push(...texts);
      return texts.map((text) => {
        const vector = new Float32Array(dimensions);
        vector[0] = 0.01;
        for (const word of wordsOf(text)) {
          let hash = 2166136261;
          for (const character of word) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16777619);
          const place = (hash >>> 0) % dimensions;
          vector[place] = (vector[place] ?? 0) + 1;
        }
        return vector;
      });
    },
  };
}

export interface OpenIndex {
  sql: Sql;
  index: LocalCodeIndex;
  fence: Fence;
}

const NOW = Date.parse("2026-01-02T03:04:05Z");
let opened = 0;

/** Each under a lease of its own. */
export async function openIndex(directory: string, embedder: Embedder = wordEmbedder()): Promise<OpenIndex> {
  const sql = Sql.open(join(directory, "cupel.db"), { durability: "normal" });
  const lease = await new LocalLeases(sql, Date.now).acquire(
    `run:${process.pid}-${++opened}`,
    `process ${process.pid}`,
    60_000,
  );
  if (lease.kind !== "acquired") throw new Error("the lease is held");
  return { sql, index: new LocalCodeIndex({ sql, embedder, now: () => NOW }), fence: lease.fence };
}
