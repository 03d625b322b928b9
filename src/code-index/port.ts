// What the factory asks of the Code Index, and what the Code Index asks of a model that embeds.
import type { CodeIndexEntry, CodeIndexHit, CodeIndexQuery, IndexStatus } from "../domain/plan/reuse.ts";
import type { Fence } from "../store/port.ts";

/** Turns texts into vectors. Loads whatever it needs at the first call. */
export interface Embedder {
  /** Names the model and all that shapes its vectors; vectors of two names are never compared. */
  model: string;
  /** 256 to 1536. */
  dimensions: number;
  /** One vector a text, in order. They need not have unit length. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>;
}

/**
 * The shipped modules, append-only: nothing is ever deleted, no key is used twice, and of an entry only status, successor
 * and notes change. Acknowledged means that it survives SIGKILL.
 */
export interface CodeIndex {
  /**
   * All or none. An entry that is there with the same content is left as it is, so that a ship can be repeated after a
   * crash; with other content it is refused (`already_exists`). New entries are SHIPPED.
   */
  append(fence: Fence, entries: readonly CodeIndexEntry[]): Promise<Appended>;
  /** One way only; the same change again changes nothing. False when it was made before. */
  setStatus(fence: Fence, ref: string, change: StatusChange): Promise<boolean>;
  /** Adds a line to the notes, with the time; the lines before stay. */
  addNote(fence: Fence, ref: string, note: string): Promise<void>;
  get(ref: string): Promise<CodeIndexEntry | undefined>;
  /** By module id, then by version. */
  list(filter?: ListFilter): Promise<CodeIndexEntry[]>;
  /** The entries, of any status, whose dependencies admit this version of a module. */
  dependents(ref: string): Promise<CodeIndexEntry[]>;
  size(): Promise<number>;
  /** Best first; refused (`index_outdated`) while the vectors are those of another model. */
  search(query: CodeIndexQuery, signal?: AbortSignal): Promise<CodeIndexHit[]>;
  /** Embeds every entry anew with the present model; until the last is done, the old vectors stay the ones in use. */
  reindex(fence: Fence, options?: ReindexOptions): Promise<Reindexed>;
  /** Entries that were appended or changed after `revision`, by whatever process, as they come. */
  watch(revision: number, options: WatchOptions): AsyncGenerator<Revised>;
}

export interface Appended {
  /** `MM-…@…` in the order given. */
  appended: string[];
  /** Those that were there already. */
  known: string[];
}

export interface StatusChange {
  to: Exclude<IndexStatus, "SHIPPED">;
  /** Must be in the index. Needed for SUPERSEDED. */
  successor?: string;
  /** The reason and how to migrate; goes to the notes with the time. */
  note: string;
}

export interface ListFilter {
  status?: IndexStatus;
  moduleId?: string;
}

export interface ReindexOptions {
  signal?: AbortSignal;
  onProgress?: (done: number, total: number) => void;
}

export interface Reindexed {
  entries: number;
  model: string;
  dimensions: number;
}

export interface WatchOptions {
  signal: AbortSignal;
  pollMs?: number;
}

export interface Revised {
  /** Grows with every change of the index. */
  revision: number;
  entry: CodeIndexEntry;
}
