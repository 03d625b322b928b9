// The index in memory, as far as ranking needs it: vectors, words, tags, types and statuses of one generation.
import type { CodeIndexEntry, CodeIndexQuery } from "../domain/plan/reuse.ts";
import { Best, fused } from "./best.ts";
import type { Scored } from "./best.ts";
import { CoarseRows } from "./coarse-rows.ts";
import { Facets } from "./facets.ts";
import { Lexicon } from "./lexicon.ts";
import { PostingList } from "./posting-list.ts";
import { VectorRows } from "./vector-rows.ts";

export type Mirrored = Pick<
  CodeIndexEntry,
  "module_id" | "name" | "purpose" | "tags" | "io_summary" | "status"
>;

export class Mirror {
  readonly #vectors: VectorRows;
  readonly #coarse: CoarseRows;
  readonly #lexicon = new Lexicon();
  readonly #facets = new Facets();
  /** The place in the ledger of each row, and the other way round. */
  readonly #seqs = new PostingList();
  readonly #rows = new Map<number, number>();

  constructor(dimensions: number) {
    this.#vectors = new VectorRows(dimensions);
    this.#coarse = new CoarseRows(dimensions);
  }

  /** A new entry, or one whose status may have changed; nothing else of it ever does. */
  take(seq: number, entry: Mirrored, vector: Float32Array): void {
    const row = this.#rows.get(seq);
    if (row !== undefined) {
      this.#facets.setStatus(row, entry.status);
      return;
    }
    this.#rows.set(seq, this.#seqs.length);
    this.#seqs.push(seq);
    this.#vectors.push(vector);
    this.#coarse.push(vector);
    this.#facets.push(entry);
    this.#lexicon.push(textsOf(entry));
  }

  /** The best of those that the filters let through. Only what could be among them is looked at exactly. */
  best(query: CodeIndexQuery, vector: Float32Array): readonly Scored[] {
    const candidates = this.#facets.candidates(query);
    const shares = this.#lexicon.shares(query.query);
    const seqs = this.#seqs.view();
    const cosineOf = this.#vectors.productsWith(vector);
    const best = new Best(query.top_k);
    this.#coarse.bounds(vector, candidates, (from, bounds) => {
      for (let index = 0; index < bounds.length; index++) {
        const row = candidates[from + index] ?? 0;
        const share = shares?.[row] ?? 0;
        if (fused(bounds[index] ?? 0, share) < best.floor) continue;
        best.offer(fused(cosineOf(row), share), seqs[row] ?? 0);
      }
    });
    return best.list();
  }
}

/** What a module is called and filed under says more than any one word of its description. */
function textsOf({
  module_id,
  name,
  purpose,
  tags,
  io_summary,
}: Mirrored): { text: string; weight: number }[] {
  return [
    { text: `${module_id.replace(/^MM-/, "").replaceAll("_", " ")} ${name} ${tags.join(" ")}`, weight: 2 },
    { text: `${purpose} ${Object.values(io_summary).flat().join(" ")}`, weight: 1 },
  ];
}
