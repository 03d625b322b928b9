// Embeds every entry anew. A kill at any moment leaves the old vectors in use or the new ones, never some of each.
import { CupelError } from "../domain/error.ts";
import { fenced } from "../store/local/fence.ts";
import type { Fence } from "../store/port.ts";
import type { Sql } from "../store/sql.ts";
import { countEntries } from "./entry-table.ts";
import {
  buildingFor,
  countVectors,
  generationIn,
  insertVector,
  putIntoUse,
  sweep,
  unembedded,
} from "./generations.ts";
import type { Embedder, Reindexed, ReindexOptions } from "./port.ts";
import { embedAll } from "./vectors.ts";

/** So many are lost at most when it is interrupted. */
const BATCH = 128;
const SWEEP = 2000;

export async function reindex(
  sql: Sql,
  embedder: Embedder,
  fence: Fence,
  { signal, onProgress }: ReindexOptions = {},
): Promise<Reindexed> {
  const { model, dimensions } = embedder;
  const { generation } = fenced(sql, fence, () => buildingFor(sql, embedder));
  for (;;) {
    const batch = unembedded(sql, generation, BATCH);
    if (batch.length === 0 && fenced(sql, fence, () => finish(sql, generation))) break;
    const texts = batch.map(({ text }) => text);
    const vectors = await embedAll(embedder, texts, signal);
    fenced(sql, fence, () => {
      assertBuilding(sql, generation);
      batch.forEach(({ seq }, index) => {
        const vector = vectors[index];
        if (vector !== undefined) insertVector(sql, generation, seq, vector);
      });
    });
    onProgress?.(countVectors(sql, generation), countEntries(sql));
  }
  while (fenced(sql, fence, () => sweep(sql, SWEEP)));
  return { entries: countVectors(sql, generation), model, dimensions };
}

/** False when entries came meanwhile. */
function finish(sql: Sql, generation: number): boolean {
  assertBuilding(sql, generation);
  if (unembedded(sql, generation, 1).length > 0) return false;
  putIntoUse(sql, generation);
  return true;
}

function assertBuilding(sql: Sql, generation: number): void {
  if (generationIn(sql, "building")?.generation === generation) return;
  throw new CupelError("stale_fence", "another process reindexes the Code Index with another model", {
    expected: "one reindexing at a time",
    hint: "let it end, then cupel index reindex",
  });
}
