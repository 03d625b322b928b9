// Generations: the vectors that one model made of all entries. One is in use; another may be in the making.
import { z } from "zod";
import { CupelError } from "../domain/error.ts";
import { embeddingText } from "../domain/plan/reuse.ts";
import { readRow } from "../store/local/row.ts";
import type { Sql } from "../store/sql.ts";
import { entryAt } from "./entry-table.ts";
import type { Embedder } from "./port.ts";
import { toBlob } from "./vectors.ts";

const Generation = z.strictObject({
  generation: z.int().positive(),
  model: z.string(),
  dimensions: z.int().positive(),
});
export type Generation = z.infer<typeof Generation>;

export function generationIn(sql: Sql, state: "current" | "building"): Generation | undefined {
  const row = sql.get("SELECT generation, model, dimensions FROM code_index_generations WHERE state = ?", [
    state,
  ]);
  return row === undefined
    ? undefined
    : readRow(Generation, row, { table: "code_index_generations", key: state });
}

/** Vectors of two models say nothing about each other. */
export function assertSameModel({ model, dimensions }: Generation, embedder: Embedder): void {
  if (model === embedder.model && dimensions === embedder.dimensions) return;
  throw new CupelError(
    "index_outdated",
    `the Code Index was made with ${model} (${dimensions} dimensions), but ${embedder.model} (${embedder.dimensions}) is set`,
    {
      expected: "one model for all entries and for the query",
      hint: `cupel index reindex (embeds every module anew), or set codeIndex.embeddings back to ${model}`,
    },
  );
}

/** Inside a transaction: the generation in use, which the first entry begins. */
export function currentFor(sql: Sql, embedder: Embedder): Generation {
  const current = generationIn(sql, "current");
  if (current === undefined) return create(sql, embedder, "current");
  assertSameModel(current, embedder);
  return current;
}

/** Inside a transaction: goes on with what an interrupted reindexing by the same model left, and drops any other. */
export function buildingFor(sql: Sql, embedder: Embedder): Generation {
  const begun = generationIn(sql, "building");
  if (begun?.model === embedder.model && begun.dimensions === embedder.dimensions) return begun;
  sql.run("DELETE FROM code_index_generations WHERE state = 'building'");
  return create(sql, embedder, "building");
}

function create(sql: Sql, { model, dimensions }: Embedder, state: "current" | "building"): Generation {
  // Never a number that vectors of a dropped generation still carry.
  const generation = sql.insert(
    `INSERT INTO code_index_generations (generation, model, dimensions, state)
     VALUES (1 + max(
       (SELECT coalesce(max(generation), 0) FROM code_index_generations),
       (SELECT coalesce(max(generation), 0) FROM code_index_vectors)
     ), ?, ?, ?)`,
    [model, dimensions, state],
  );
  if (generation === undefined) throw new Error("no generation was made");
  return { generation, model, dimensions };
}

/** Inside a transaction. */
export function insertVector(sql: Sql, generation: number, seq: number, vector: Float32Array): void {
  sql.run("INSERT INTO code_index_vectors (generation, seq, vector) VALUES (?, ?, ?)", [
    generation,
    seq,
    toBlob(vector),
  ]);
}

export function countVectors(sql: Sql, generation: number): number {
  const row = sql.get("SELECT count(*) AS count FROM code_index_vectors WHERE generation = ?", [generation]);
  return Number(row?.["count"] ?? 0);
}

/** Entries that a generation has no vector of yet, with the text to embed. */
export function unembedded(sql: Sql, generation: number, limit: number): { seq: number; text: string }[] {
  const rows = sql.all(
    `SELECT seq FROM code_index
     WHERE seq NOT IN (SELECT seq FROM code_index_vectors WHERE generation = ?) ORDER BY seq LIMIT ?`,
    [generation, limit],
  );
  return rows.flatMap((row) => {
    const stored = entryAt(sql, Number(row["seq"]));
    return stored === undefined ? [] : [{ seq: stored.seq, text: embeddingText(stored.entry) }];
  });
}

/** Inside a transaction: from here on everybody searches these vectors. */
export function putIntoUse(sql: Sql, generation: number): void {
  sql.run("DELETE FROM code_index_generations WHERE state = 'current'");
  sql.run("UPDATE code_index_generations SET state = 'current' WHERE generation = ?", [generation]);
}

/** Inside a transaction; true while there is more. Vectors of no generation are leftovers and harmless. */
export function sweep(sql: Sql, limit: number): boolean {
  const removed = sql.run(
    `DELETE FROM code_index_vectors WHERE id IN (
       SELECT id FROM code_index_vectors
       WHERE generation NOT IN (SELECT generation FROM code_index_generations) LIMIT ?
     )`,
    [limit],
  );
  return removed === limit;
}
