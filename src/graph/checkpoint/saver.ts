// LangGraph's checkpoints in the store's own database: fenced, in whole transactions, and small.
import type { RunnableConfig } from "@langchain/core/runnables";
import { BaseCheckpointSaver, TASKS, WRITES_IDX_MAP } from "@langchain/langgraph-checkpoint";
import type {
  ChannelVersions,
  Checkpoint,
  CheckpointListOptions,
  CheckpointMetadata,
  CheckpointTuple,
  PendingWrite,
} from "@langchain/langgraph-checkpoint";
import { CupelError } from "../../domain/error.ts";
import { assertFence } from "../../store/local/fence.ts";
import type { Fence } from "../../store/port.ts";
import type { Sql } from "../../store/sql.ts";
import { findCheckpoint, latestCheckpoint, listCheckpoints, writeCheckpoint } from "./checkpoint-table.ts";
import type { StoredCheckpoint } from "./checkpoint-table.ts";
import { EMPTY_HEAD } from "./head.ts";
import type { Head } from "./head.ts";
import { fromBytes, toBytes } from "./stored-value.ts";
import { readValue, writeValue } from "./value-table.ts";
import type { Version } from "./value-table.ts";
import { readWrites, writeWrites } from "./write-table.ts";

/** Input that comes from outside is written under this task. */
const NO_TASK = "00000000-0000-0000-0000-000000000000";

/** What the run of a thread adds to the saver's own transactions. */
export interface Session {
  fence: Fence;
  /** Called once for a task whose node ended well. */
  ending(task: string): Ending | undefined;
  /**
   * A write failed. True when the run ends because of it and tells why: the engine looks at a failed write only later, and
   * a rejection that nobody looks at ends the process.
   */
  broken(cause: unknown): boolean;
}

export interface Ending {
  /** In the transaction that keeps what the node wrote. */
  inside(): void;
  after(): void;
}

interface Place {
  thread: string;
  ns: string;
  id: string | undefined;
}

/** What the newest checkpoint of a thread holds, so that the next one need not read it again. */
interface Newest {
  id: string;
  stored: StoredCheckpoint;
  versions: Map<string, Version>;
}

export class GraphSaver extends BaseCheckpointSaver {
  readonly #sql: Sql;
  readonly #session: (thread: string) => Session;
  readonly #newest = new Map<string, Newest>();

  constructor(sql: Sql, session: (thread: string) => Session) {
    super();
    this.#sql = sql;
    this.#session = session;
  }

  /** The database answers at once, so nothing here awaits: a write has happened when the call returns. */
  async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    const { thread, ns, id: parent } = placeOf(config);
    const newest = this.#write(thread, () =>
      this.#put(thread, ns, parent, checkpoint, metadata, newVersions),
    );
    if (newest !== undefined) this.#newest.set(keyOf(thread, ns), newest);
    return configOf(thread, ns, checkpoint.id);
  }

  async putWrites(config: RunnableConfig, writes: PendingWrite[], task: string): Promise<void> {
    const { thread, ns, id } = placeOf(config);
    if (id === undefined) throw missing("checkpoint_id");
    const before = this.#at(thread, ns, id);
    // The first input has its place in the row of the thread; there is no checkpoint yet that it could belong to.
    if (task === NO_TASK && before === undefined) return;
    const session = this.#session(thread);
    const ending = session.ending(task);
    const written = this.#write(thread, () => {
      const rows = writes.map(([channel, value], index) => ({
        channel,
        place: WRITES_IDX_MAP[channel] ?? index,
        bytes: toBytes(value),
        base: before === undefined ? undefined : this.#version(before, channel),
      }));
      writeWrites(this.#sql, { thread, ns, checkpoint: id, task }, rows);
      ending?.inside();
      return true;
    });
    if (written === true) ending?.after();
  }

  async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const { thread_id: thread, checkpoint_ns: ns = "", checkpoint_id: id } = config.configurable ?? {};
    if (typeof thread !== "string" || typeof ns !== "string") return undefined;
    const wanted = typeof id === "string" && id !== "" ? id : undefined;
    return this.#sql.snapshot(() => this.tupleInside(thread, ns, wanted));
  }

  /** Inside a transaction; the newest where no id is given. */
  tupleInside(thread: string, ns = "", id?: string): CheckpointTuple | undefined {
    const found =
      id === undefined ? latestCheckpoint(this.#sql, thread, ns) : findCheckpoint(this.#sql, thread, ns, id);
    return found === undefined ? undefined : this.#tuple(found);
  }

  async *list(config: RunnableConfig, options: CheckpointListOptions = {}): AsyncGenerator<CheckpointTuple> {
    const { thread_id: thread, checkpoint_ns: ns } = config.configurable ?? {};
    const { limit = Number.POSITIVE_INFINITY, filter = {} } = options;
    const before: unknown = options.before?.configurable?.["checkpoint_id"];
    const wanted = Object.entries(filter).filter(([, value]) => value !== undefined);
    let left = limit;
    for (const found of listCheckpoints(this.#sql, asText(thread), asText(ns))) {
      if (left <= 0) return;
      if (typeof before === "string" && found.id >= before) continue;
      if (!wanted.every(([key, value]) => Reflect.get(found.metadata, key) === value)) continue;
      left--;
      yield this.#tuple(found);
    }
  }

  async deleteThread(thread: string): Promise<void> {
    this.#write(thread, () => removeCheckpoints(this.#sql, thread));
    this.forget(thread);
  }

  /** The values of a thread that nobody runs any more need not stay in memory. */
  forget(thread: string): void {
    for (const key of this.#newest.keys()) if (key.startsWith(`${thread}\n`)) this.#newest.delete(key);
  }

  #put(
    thread: string,
    ns: string,
    parent: string | undefined,
    { v, id, ts, channel_values, channel_versions, versions_seen }: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Newest {
    const before = parent === undefined ? undefined : this.#at(thread, ns, parent);
    const inherited = Object.entries(before?.stored.head.values ?? {});
    const values = Object.fromEntries(
      inherited.filter(([channel]) => Object.hasOwn(channel_versions, channel)),
    );
    const versions = new Map(before?.versions);
    for (const channel of Object.keys(newVersions)) {
      if (!Object.hasOwn(channel_values, channel)) {
        delete values[channel];
        versions.delete(channel);
        continue;
      }
      const base = before === undefined ? undefined : this.#version(before, channel);
      const version = writeValue(this.#sql, thread, toBytes(channel_values[channel]), base);
      values[channel] = version.id;
      versions.set(channel, version);
    }
    const head: Head = { v, ts, versions: channel_versions, seen: versions_seen, values };
    const stored = { thread, ns, id, parent: parent ?? null, depth: 0, head, metadata };
    return { id, stored: writeCheckpoint(this.#sql, stored, before?.stored), versions };
  }

  #tuple({ thread, ns, id, parent, head, metadata }: StoredCheckpoint): CheckpointTuple {
    const channel_values = Object.fromEntries(
      Object.entries(head.values).map(([channel, value]) => [channel, this.#value(value)]),
    );
    const channel_versions: ChannelVersions = { ...head.versions };
    if (head.v < 4 && parent !== null)
      this.#migrate(channel_values, channel_versions, { thread, ns, id: parent });
    const pendingWrites = readWrites(this.#sql, { thread, ns, checkpoint: id }).map(
      ({ task, channel, bytes }): [string, string, unknown] => [task, channel, fromBytes(bytes)],
    );
    return {
      config: configOf(thread, ns, id),
      checkpoint: {
        v: head.v,
        id,
        ts: head.ts,
        channel_values,
        channel_versions,
        versions_seen: { ...head.seen },
      },
      metadata,
      pendingWrites,
      ...(parent !== null && { parentConfig: configOf(thread, ns, parent) }),
    };
  }

  /** Before version 4 of the format, what a step sends on was kept beside the checkpoint before it. */
  #migrate(values: Record<string, unknown>, versions: ChannelVersions, { thread, ns, id }: Place): void {
    const sends = readWrites(this.#sql, { thread, ns, checkpoint: id ?? "" }).filter(
      ({ channel }) => channel === TASKS,
    );
    values[TASKS] = sends.map(({ bytes }) => fromBytes(bytes));
    versions[TASKS] = Math.max(1, ...Object.values(versions).map(Number));
  }

  #value(id: number): unknown {
    return fromBytes(readValue(this.#sql, id).bytes);
  }

  #at(thread: string, ns: string, id: string): Newest | undefined {
    const known = this.#newest.get(keyOf(thread, ns));
    if (known?.id === id) return known;
    const stored = findCheckpoint(this.#sql, thread, ns, id);
    return stored === undefined ? undefined : { id, stored, versions: new Map() };
  }

  #version({ stored, versions }: Newest, channel: string): Version | undefined {
    const id = (stored.head ?? EMPTY_HEAD).values[channel];
    if (id === undefined) return undefined;
    const known = versions.get(channel) ?? readValue(this.#sql, id);
    versions.set(channel, known);
    return known;
  }

  #write<T>(thread: string, work: () => T): T | undefined {
    const session = this.#session(thread);
    try {
      return this.#sql.transact(() => {
        assertFence(this.#sql, session.fence);
        return work();
      });
    } catch (cause) {
      if (!session.broken(cause)) throw cause;
      return undefined;
    }
  }
}

/** Inside a transaction. */
export function removeCheckpoints(sql: Sql, thread: string): void {
  for (const table of ["graph_checkpoints", "graph_writes", "graph_values"]) {
    sql.run(`DELETE FROM ${table} WHERE thread = ?`, [thread]);
  }
}

function placeOf({ configurable = {} }: RunnableConfig): Place {
  const { thread_id: thread, checkpoint_ns: ns, checkpoint_id: id } = configurable;
  if (typeof thread !== "string" || thread === "") throw missing("thread_id");
  return { thread, ns: asText(ns) ?? "", id: asText(id) };
}

function configOf(thread: string, ns: string, id: string): RunnableConfig {
  return { configurable: { thread_id: thread, checkpoint_ns: ns, checkpoint_id: id } };
}

function keyOf(thread: string, ns: string): string {
  return `${thread}\n${ns}`;
}

function asText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function missing(key: string): CupelError {
  return new CupelError("usage", `the configuration of the graph has no ${key}`, { expected: "one" });
}
