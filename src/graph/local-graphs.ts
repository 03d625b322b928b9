// Runs threads on the store's database: each under a lease of its own, and each from where it stopped.
import { AsyncResource } from "node:async_hooks";
import { GraphDrained, RunControl } from "@langchain/langgraph";
import { CupelError } from "../domain/error.ts";
import { parseOrThrow, preview } from "../domain/parse.ts";
import { fenced } from "../store/local/fence.ts";
import { LocalLeases } from "../store/local/leases.ts";
import { Key } from "../store/local/stored-text.ts";
import type { Fence } from "../store/port.ts";
import type { Sql } from "../store/sql.ts";
import { GraphSaver } from "./checkpoint/saver.ts";
import type { Session } from "./checkpoint/saver.ts";
import { beginning, compile, stateIn, unfinishedState } from "./compile.ts";
import type { Compiled, Decision, Task } from "./compile.ts";
import type { Beginning, Entering, Going, Graphs, GraphsOptions } from "./graphs-port.ts";
import { holderOf, LeaseKeeper } from "./lease-keeper.ts";
import type { Graph, GraphOutcome, StateOf, StateShape } from "./port.ts";
import { busy, entryOf, exists } from "./refusals.ts";
import { settle } from "./settle.ts";
import { checkUpdate, initialState, readState } from "./state.ts";
import type { Values } from "./state.ts";
import { assertSameStructure, structureOf } from "./structure.ts";
import {
  archiveThread,
  createThread,
  enterThread,
  findThread,
  finishThread,
  knownThread,
  listThreads,
  removeThread,
  ThreadId,
  wayOf,
} from "./thread-table.ts";
import type { Thread } from "./thread-table.ts";
import { RESTED, ThreadRun } from "./thread-run.ts";
import type { Halt, RunSurroundings } from "./thread-run.ts";
import { Turnstile } from "./turnstile.ts";

interface Active {
  run:
    | (Session & {
        stop(halt: Halt): void;
        rest(): void;
        perform(task: Task, state: Values): Promise<Decision>;
      })
    | undefined;
  control: RunControl;
  /** Ends the wait for advice. */
  settling: AbortController;
  over: Promise<unknown>;
}

const NO_LIMIT = Number.MAX_SAFE_INTEGER / 2;

export class LocalGraphs implements Graphs {
  readonly #sql: Sql;
  readonly #holder: string;
  readonly #ttlMs: number;
  readonly #now: () => number;
  readonly #leases: LocalLeases;
  readonly #saver: GraphSaver;
  readonly #around: RunSurroundings;
  readonly #active = new Map<string, Active>();
  readonly #compiled = new WeakMap<object, Compiled>();
  /** A graph that is started inside a node would become a part of it; here it is outside of any. */
  readonly #outside = new AsyncResource("CupelGraphs");
  #draining = false;

  constructor(options: GraphsOptions) {
    const { sql, holder, now = Date.now, observers = [], mailbox, advisories } = options;
    this.#sql = sql;
    this.#holder = holder;
    this.#ttlMs = options.ttlMs ?? 30_000;
    this.#now = now;
    this.#leases = new LocalLeases(sql, now);
    this.#saver = new GraphSaver(sql, (way) => this.#running(way));
    const { graceMs = 1000, backOffMs = 500 } = options;
    const turnstile = new Turnstile();
    this.#around = { sql, now, observers, mailbox, advisories, turnstile, graceMs, backOffMs };
  }

  async run<S extends StateShape, P, E extends string>(graph: Graph<S, P, E>, given: Beginning<S, P, E>) {
    const { thread, ports, input = {}, runId = thread } = given;
    const entry = entryOf(graph, given.at ?? "start");
    parseOrThrow(Key, runId, "the name of the run");
    const begunWith = { ...initialState(graph.state), ...checkUpdate(graph.state, input, "the input") };
    readState(graph.state, begunWith, thread);
    return this.#lead(graph, thread, ports, () => {
      if (findThread(this.#sql, thread) !== undefined) throw exists(thread);
      const structure = structureOf(graph);
      return createThread(
        this.#sql,
        { thread, runId, graph: graph.name, structure, entry, begunWith },
        this.#time(),
      );
    });
  }

  async resume<S extends StateShape, P>(graph: Graph<S, P>, { thread, ports }: Going<P>) {
    return this.#lead(graph, thread, ports, () => this.#same(graph, thread));
  }

  async enter<S extends StateShape, P, E extends string>(graph: Graph<S, P, E>, given: Entering<S, P, E>) {
    const { thread, ports, at, input = {} } = given;
    const entry = entryOf(graph, at);
    const changes = checkUpdate(graph.state, input, "the input");
    return this.#lead(graph, thread, ports, () => {
      const before = this.#same(graph, thread);
      const begunWith = { ...this.#stateInside(graph, before), ...changes };
      return enterThread(this.#sql, before, entry, begunWith, this.#time());
    });
  }

  abort(thread: string): boolean {
    const active = this.#active.get(thread);
    active?.control.requestDrain("aborted");
    active?.run?.stop({ kind: "aborted" });
    active?.settling.abort();
    return active !== undefined;
  }

  async drain(): Promise<void> {
    this.#draining = true;
    for (const { control, settling, run } of this.#active.values()) {
      control.requestDrain();
      run?.rest();
      settling.abort();
    }
    await Promise.allSettled([...this.#active.values()].map(({ over }) => over));
  }

  find(thread: string): Thread | undefined {
    return findThread(this.#sql, thread);
  }

  list(): Thread[] {
    return listThreads(this.#sql);
  }

  async archive(thread: string): Promise<void> {
    await this.#leased(thread, () => {
      const found = knownThread(this.#sql, thread);
      if (found.status === "open") {
        throw new CupelError("usage", `the thread ${preview(thread)} has not finished`, {
          expected: "one that has",
        });
      }
      archiveThread(this.#sql, found, this.#time());
    });
  }

  async remove(thread: string): Promise<void> {
    await this.#leased(thread, () => removeThread(this.#sql, knownThread(this.#sql, thread)));
  }

  /** Takes the lease, lets `begin` make or find the thread in a fenced transaction, and runs it to wherever it gets. */
  async #lead<S extends StateShape, P>(
    graph: Graph<S, P>,
    thread: string,
    ports: P,
    begin: () => Thread,
  ): Promise<GraphOutcome<StateOf<S>>> {
    parseOrThrow(ThreadId, thread, "the name of the thread");
    if (this.#draining)
      throw new CupelError("usage", "the graphs are being drained", { expected: "no new work" });
    if (this.#active.has(thread))
      return { thread, kind: "held", by: this.#holder, expiresAt: this.#time(this.#ttlMs) };
    const control = new RunControl();
    const settling = new AbortController();
    const active: Active = { run: undefined, control, settling, over: Promise.resolve() };
    this.#active.set(thread, active);
    const work = this.#hold(graph, thread, ports, begin, active);
    active.over = work;
    try {
      return await work;
    } finally {
      this.#active.delete(thread);
    }
  }

  async #hold<S extends StateShape, P>(
    graph: Graph<S, P>,
    thread: string,
    ports: P,
    begin: () => Thread,
    active: Active,
  ): Promise<GraphOutcome<StateOf<S>>> {
    await this.#around.turnstile.pass();
    const lease = await this.#leases.acquire(leaseOf(thread), this.#holder, this.#ttlMs);
    if (lease.kind === "held") return { thread, ...lease };
    let run: ThreadRun<S, P> | undefined;
    const keeper = new LeaseKeeper(this.#leases, lease.fence, this.#ttlMs, (cause) => {
      run?.broken(cause);
      active.settling.abort();
    });
    try {
      const row = fenced(this.#sql, lease.fence, begin);
      run = new ThreadRun(graph, ports, row, lease.fence, this.#around);
      active.run = run;
      return await this.#drive(graph, row, run, active);
    } catch (cause) {
      if (isStale(cause)) return { thread, kind: "lost", by: holderOf(this.#sql, leaseOf(thread)) };
      throw cause;
    } finally {
      await keeper.release();
    }
  }

  async #drive<S extends StateShape, P>(
    graph: Graph<S, P>,
    row: Thread,
    run: ThreadRun<S, P>,
    active: Active,
  ): Promise<GraphOutcome<StateOf<S>>> {
    const { thread } = row;
    if (row.status !== "open") {
      return {
        thread,
        kind: "finished",
        state: readState(graph.state, row.endedWith ?? {}, thread),
        advice: (await this.#around.advisories?.reported(thread)) ?? [],
      };
    }
    this.#around.advisories?.resume?.(thread);
    const way = wayOf(row);
    const config = {
      configurable: { thread_id: way },
      recursionLimit: NO_LIMIT,
      control: active.control,
      durability: "sync" as const,
    };
    const compiled = this.#compile(graph);
    try {
      const before = await this.#saver.getTuple(config);
      if (before !== undefined) readState(graph.state, stateIn(before.checkpoint.channel_values), thread);
      const input = before === undefined ? beginning(row.entry, row.begunWith) : null;
      await this.#outside.runInAsyncScope(() => compiled.invoke(input, config));
    } catch (cause) {
      const halt = run.halted;
      if (halt?.kind === "broken") throw halt.cause;
      if (halt !== undefined) return { thread, ...halt };
      if (!(cause instanceof GraphDrained || cause === RESTED)) throw cause;
      if (active.control.drainReason === "aborted") return { thread, kind: "aborted" };
      return { thread, kind: "drained", next: (await compiled.getState(config)).next };
    } finally {
      this.#saver.forget(way);
    }
    return this.#conclude(graph, row, run, active);
  }

  /** A graph is at its end when its advisories are, too. */
  async #conclude<S extends StateShape, P>(
    graph: Graph<S, P>,
    row: Thread,
    run: ThreadRun<S, P>,
    { control, settling }: Active,
  ): Promise<GraphOutcome<StateOf<S>>> {
    const { thread } = row;
    assertKept(run.halted);
    const advice = await settle(this.#around.advisories, thread, settling.signal);
    assertKept(run.halted);
    if (advice === undefined) {
      return control.drainReason === "aborted"
        ? { thread, kind: "aborted" }
        : { thread, kind: "drained", next: [] };
    }
    const state = readState(graph.state, await this.#latest(row), thread);
    fenced(this.#sql, run.fence, () => finishThread(this.#sql, thread, state, this.#time()));
    return { thread, kind: "finished", state, advice };
  }

  async #latest(row: Thread): Promise<Values> {
    const tuple = await this.#saver.getTuple({ configurable: { thread_id: wayOf(row) } });
    return tuple === undefined ? row.begunWith : stateIn(tuple.checkpoint.channel_values);
  }

  /** Inside a transaction. */
  #stateInside<S extends StateShape, P>(graph: Graph<S, P>, row: Thread): Values {
    if (row.endedWith !== null) return readState(graph.state, row.endedWith, row.thread);
    const tuple = this.#saver.tupleInside(wayOf(row));
    if (tuple === undefined) return row.begunWith;
    return readState(graph.state, unfinishedState(graph.state, tuple), row.thread);
  }

  #same<S extends StateShape, P>(graph: Graph<S, P>, thread: string): Thread {
    const found = knownThread(this.#sql, thread);
    if (found.graph !== graph.name) {
      throw new CupelError("graph_changed", `the thread ${thread} belongs to the graph ${found.graph}`, {
        expected: `${found.graph}, not ${graph.name}`,
      });
    }
    assertSameStructure(thread, graph, found.structure);
    return found;
  }

  #compile<S extends StateShape, P>(graph: Graph<S, P>): Compiled {
    const known = this.#compiled.get(graph);
    if (known !== undefined) return known;
    const compiled = compile(graph, this.#saver, (task, state) =>
      this.#running(task.thread).perform(task, state),
    );
    this.#compiled.set(graph, compiled);
    return compiled;
  }

  #running(way: string): NonNullable<Active["run"]> {
    const run = this.#active.get(way.slice(0, way.lastIndexOf("#")))?.run;
    if (run === undefined)
      throw new CupelError("stale_fence", `the thread ${preview(way)} does not run here`, {});
    return run;
  }

  async #leased(thread: string, work: (fence: Fence) => void): Promise<void> {
    // Asking for the lease would take it from ourselves.
    if (this.#active.has(thread)) throw busy(thread, this.#holder);
    const lease = await this.#leases.acquire(leaseOf(thread), this.#holder, this.#ttlMs);
    if (lease.kind === "held") throw busy(thread, lease.by);
    try {
      fenced(this.#sql, lease.fence, () => work(lease.fence));
    } finally {
      await this.#leases.release(lease.fence);
    }
  }

  #time(laterMs = 0): string {
    return new Date(this.#now() + laterMs).toISOString();
  }
}

function leaseOf(thread: string): string {
  return `thread:${thread}`;
}

function isStale(cause: unknown): boolean {
  return cause instanceof CupelError && cause.code === "stale_fence";
}

function assertKept(halt: Halt | undefined): void {
  if (halt?.kind === "broken") throw halt.cause;
}
