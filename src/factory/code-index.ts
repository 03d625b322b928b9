// Puts the Code Index of a project together: its database, the embedding model that the settings name, and its upkeep.
import { hostedEmbedder } from "../code-index/embed-hosted.ts";
import { localEmbedder } from "../code-index/embed-local.ts";
import { LocalCodeIndex } from "../code-index/local-code-index.ts";
import type { CodeIndex, Embedder, Reindexed } from "../code-index/port.ts";
import { indexSealedModules } from "../code-index/sealed-modules.ts";
import type { Indexed } from "../code-index/sealed-modules.ts";
import type { ResolvedConfig } from "../domain/config.ts";
import { CupelError } from "../domain/error.ts";
import { readConfig } from "./project.ts";
import type { Machine } from "./machine.ts";
import type { Fence } from "../store/port.ts";
import { Sql } from "../store/sql.ts";
import { openStateStore, pathsOf } from "../store/state-store.ts";
import type { StateStore } from "../store/state-store.ts";
import type { Works } from "./works.ts";

const LEASE_MS = 60_000;

export interface OpenedCodeIndex {
  index: CodeIndex;
  close: () => void;
}

export async function openCodeIndex({ directory, env }: Machine): Promise<OpenedCodeIndex> {
  const config = await readConfig(directory);
  // Says what is wrong with a project that has no store, or half of one.
  await openStateStore(directory, { durability: config.durability, missing: "refuse" }).close();
  return codeIndexOf({ project: directory, config }, env);
}

/**
 * Of a run, whose store is open and whose settings are read. No model is loaded, and no server asked, before something
 * is embedded.
 */
export function codeIndexOf(
  { project, config: { codeIndex, durability } }: Pick<Works, "project" | "config">,
  env: Machine["env"],
  embedder: Embedder = embedderFor(codeIndex, env),
): OpenedCodeIndex {
  const sql = Sql.open(pathsOf(project).database, { durability });
  return {
    index: new LocalCodeIndex({ sql, embedder }),
    close: () => sql.close(),
  };
}

export interface Reindexing {
  signal?: AbortSignal;
  onProgress: (done: number, total: number) => void;
}

/** Embeds everything anew, and adds what was sealed but never came into the index. */
export async function reindexCodeIndex(machine: Machine, options: Reindexing): Promise<Reindexed & Indexed> {
  const { index, close } = await openCodeIndex(machine);
  const store = openStateStore(machine.directory, { durability: "normal", missing: "refuse" });
  try {
    return await withLease(store, async (fence) => {
      const reindexed = await index.reindex(fence, options);
      const indexed = await indexSealedModules(index, store, fence);
      return { ...reindexed, entries: await index.size(), ...indexed };
    });
  } finally {
    close();
    await store.close();
  }
}

function embedderFor({ embeddings, dimensions }: ResolvedConfig["codeIndex"], env: Machine["env"]): Embedder {
  if (embeddings === "local" || dimensions === undefined) return localEmbedder();
  return hostedEmbedder({ model: embeddings, dimensions, env });
}

/** One reindexing at a time; a long one prolongs its lease. */
async function withLease<T>({ leases }: StateStore, work: (fence: Fence) => Promise<T>): Promise<T> {
  const lease = await leases.acquire("code-index", `cupel index reindex, process ${process.pid}`, LEASE_MS);
  if (lease.kind === "held") {
    throw new CupelError("store_busy", `${lease.by} is at it already`, {
      expected: "one reindexing at a time",
      hint: `wait until it has ended, or, if it was killed, until ${lease.expiresAt}`,
    });
  }
  const { fence } = lease;
  // A heartbeat that comes too late is told by the next write, which is refused.
  const beat = setInterval(() => void leases.heartbeat(fence, LEASE_MS).catch(() => undefined), LEASE_MS / 3);
  try {
    return await work(fence);
  } finally {
    clearInterval(beat);
    await leases.release(fence);
  }
}
