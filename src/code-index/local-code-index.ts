// The Code Index in the store's database: the ledger is the truth, the mirror in memory answers searches.
import { setTimeout as sleep } from "node:timers/promises";
import type { z } from "zod";
import { parseOrThrow } from "../domain/parse.ts";
import { CodeIndexQuery, embeddingText } from "../domain/plan/reuse.ts";
import type { CodeIndexEntry, CodeIndexHit } from "../domain/plan/reuse.ts";
import { ModuleRef, moduleIdOf } from "../domain/refs.ts";
import { refSatisfies } from "../domain/semver.ts";
import { fenced } from "../store/local/fence.ts";
import type { Fence } from "../store/port.ts";
import type { Sql } from "../store/sql.ts";
import { assertSame, checkNewEntries } from "./append-rules.ts";
import {
  countEntries,
  entriesAfter,
  entriesThatName,
  entryAt,
  findEntry,
  insertEntry,
  listEntries,
  refOf,
} from "./entry-table.ts";
import { assertSameModel, currentFor, generationIn, insertVector } from "./generations.ts";
import type {
  Appended,
  CodeIndex,
  Embedder,
  ListFilter,
  Reindexed,
  ReindexOptions,
  Revised,
  StatusChange,
  WatchOptions,
} from "./port.ts";
import { reindex } from "./reindex.ts";
import { SharedMirror } from "./shared-mirror.ts";
import { addNote, setStatus } from "./status-changes.ts";
import { assertDimensions, embedAll } from "./vectors.ts";

const WATCH_PAGE = 200;

export interface CodeIndexOptions {
  /** The store's database. */
  sql: Sql;
  embedder: Embedder;
  now?: () => number;
}

export class LocalCodeIndex implements CodeIndex {
  readonly #sql: Sql;
  readonly #embedder: Embedder;
  readonly #now: () => number;
  readonly #mirror: SharedMirror;

  constructor({ sql, embedder, now = Date.now }: CodeIndexOptions) {
    assertDimensions(embedder);
    this.#sql = sql;
    this.#embedder = embedder;
    this.#now = now;
    this.#mirror = new SharedMirror(sql);
  }

  async append(fence: Fence, entries: readonly CodeIndexEntry[]): Promise<Appended> {
    const checked = checkNewEntries(entries);
    const isNew = (entry: CodeIndexEntry): boolean => {
      const before = findEntry(this.#sql, refOf(entry));
      if (before !== undefined) assertSame(before, entry);
      return before === undefined;
    };
    const fresh = checked.filter(isNew);
    this.#assertModel();
    // Slow, and perhaps far away: never while the database is held.
    const vectors = await embedAll(this.#embedder, fresh.map(embeddingText));
    const result: Appended = fenced(this.#sql, fence, () => {
      const { generation } = currentFor(this.#sql, this.#embedder);
      const appended = fresh.filter((entry, index) => {
        const vector = vectors[index];
        // Another process may have been quicker.
        if (vector === undefined || !isNew(entry)) return false;
        insertVector(this.#sql, generation, insertEntry(this.#sql, entry), vector);
        return true;
      });
      const refs = new Set(appended.map(refOf));
      return {
        appended: [...refs],
        known: checked.map(refOf).filter((ref) => !refs.has(ref)),
      };
    });
    return result;
  }

  async setStatus(fence: Fence, ref: string, change: StatusChange): Promise<boolean> {
    return setStatus(this.#sql, fence, ref, change, this.#time());
  }

  async addNote(fence: Fence, ref: string, note: string): Promise<void> {
    addNote(this.#sql, fence, ref, note, this.#time());
  }

  async get(ref: string): Promise<CodeIndexEntry | undefined> {
    return findEntry(this.#sql, parseOrThrow(ModuleRef, ref, "the module reference"))?.entry;
  }

  async list(filter: ListFilter = {}): Promise<CodeIndexEntry[]> {
    return listEntries(this.#sql, filter);
  }

  async dependents(ref: string): Promise<CodeIndexEntry[]> {
    const wanted = parseOrThrow(ModuleRef, ref, "the module reference");
    return entriesThatName(this.#sql, moduleIdOf(wanted)).filter(({ dependencies }) =>
      dependencies.some((range) => refSatisfies(wanted, range)),
    );
  }

  async size(): Promise<number> {
    return countEntries(this.#sql);
  }

  async search(query: z.input<typeof CodeIndexQuery>, signal?: AbortSignal): Promise<CodeIndexHit[]> {
    const asked = parseOrThrow(CodeIndexQuery, query, "the query");
    if (!this.#assertModel()) return [];
    const [vector] = await embedAll(this.#embedder, [asked.query], signal);
    const mirror = await this.#mirror.upToDate(this.#embedder);
    if (vector === undefined || mirror === undefined) return [];
    return mirror.best(asked, vector).flatMap(({ seq, score }) => {
      const found = entryAt(this.#sql, seq);
      return found === undefined
        ? []
        : [{ ...found.entry, similarity_score: Math.min(1, Math.max(0, score)) }];
    });
  }

  async reindex(fence: Fence, options?: ReindexOptions): Promise<Reindexed> {
    return reindex(this.#sql, this.#embedder, fence, options);
  }

  async *watch(revision: number, { signal, pollMs = 100 }: WatchOptions): AsyncGenerator<Revised> {
    let seen = revision;
    while (!signal.aborted) {
      const revised = entriesAfter(this.#sql, seen, WATCH_PAGE);
      for (const each of revised) {
        if (signal.aborted) return;
        yield { revision: each.revision, entry: each.entry };
        seen = each.revision;
      }
      if (revised.length === 0) await sleep(pollMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** False while nothing was ever appended. */
  #assertModel(): boolean {
    const current = generationIn(this.#sql, "current");
    if (current !== undefined) assertSameModel(current, this.#embedder);
    return current !== undefined;
  }

  #time(): string {
    return new Date(this.#now()).toISOString();
  }
}
