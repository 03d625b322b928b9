// One mirror for all searches of a process, brought up to date before each from whatever any process has written.
import { setImmediate as breathe } from "node:timers/promises";
import { z } from "zod";
import { IndexStatus, IoSummary } from "../domain/plan/reuse.ts";
import { readJson, readRow } from "../store/local/row.ts";
import type { Row, Sql } from "../store/sql.ts";
import { assertSameModel, generationIn } from "./generations.ts";
import type { Generation } from "./generations.ts";
import { Mirror } from "./mirror.ts";
import type { Embedder } from "./port.ts";
import { fromBlob } from "./vectors.ts";

const PAGE = 1000;

/** What the ranking reads of an entry; hits are read whole, and checked whole. */
const MirroredFields = z.object({
  module_id: z.string(),
  name: z.string(),
  purpose: z.string(),
  tags: z.array(z.string()),
  io_summary: IoSummary,
});

interface State {
  generation: number;
  revision: number;
  mirror: Mirror;
}

export class SharedMirror {
  readonly #sql: Sql;
  #state: State | undefined;
  #refreshing: Promise<unknown> = Promise.resolve();

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Undefined while the index is empty. One refresh at a time: two would take the same rows twice. */
  async upToDate(embedder: Embedder): Promise<Mirror | undefined> {
    const refreshed = this.#refreshing.then(() => this.#refresh(embedder));
    this.#refreshing = refreshed.catch(() => undefined);
    return refreshed;
  }

  async #refresh(embedder: Embedder): Promise<Mirror | undefined> {
    for (;;) {
      const page = this.#sql.snapshot(() => this.#nextPage(embedder));
      if (page === undefined) return undefined;
      for (const row of page.rows) take(page.state, row, page.generation);
      if (page.rows.length < PAGE) return page.state.mirror;
      await breathe();
    }
  }

  /** Inside a snapshot: the generation in use and the rows belong together. */
  #nextPage(embedder: Embedder): { state: State; rows: Row[]; generation: Generation } | undefined {
    const generation = generationIn(this.#sql, "current");
    if (generation === undefined) return undefined;
    assertSameModel(generation, embedder);
    if (this.#state?.generation !== generation.generation) {
      const mirror = new Mirror(generation.dimensions);
      this.#state = { generation: generation.generation, revision: 0, mirror };
    }
    const rows = this.#sql.all(
      `SELECT entries.seq, entry, status, revision, vector FROM code_index AS entries
       LEFT JOIN code_index_vectors AS vectors ON vectors.generation = ? AND vectors.seq = entries.seq
       WHERE revision > ? ORDER BY revision LIMIT ?`,
      [generation.generation, this.#state.revision, PAGE],
    );
    return { state: this.#state, rows, generation };
  }
}

function take(state: State, row: Row, { dimensions }: Generation): void {
  const seq = Number(row["seq"]);
  const place = { table: "code_index", key: seq };
  const status = readRow(IndexStatus, row["status"], place);
  const fields = readRow(MirroredFields, Object(readJson(row["entry"], place)), place);
  state.mirror.take(seq, { ...fields, status }, fromBlob(row["vector"], dimensions, place));
  state.revision = Number(row["revision"]);
}
