// Runs threads on the store's database: each under a lease of its own, and each from where it stopped.
import { RunControl } from "@langchain/langgraph";
import { CupelError } from "../domain/error.ts";
import { parseOrThrow, preview } from "../domain/parse.ts";
import { fenced } from "../store/local/fence.ts";
import { LocalLeases } from "../store/local/leases.ts";
import { Key } from "../store/local/stored-text.ts";
import type { Sql } from "../store/sql.ts";
import { Driver } from "./drive.ts";
import type { Running, Stops } from "./drive.ts";
import type { Beginning, Entering, Going, Graphs, GraphsOptions } from "./graphs-port.ts";
import { holderOf, LeaseKeeper } from "./lease-keeper.ts";
import type { Graph, GraphOutcome, StateOf, StateShape } from "./port.ts";
import { busy, entryOf, exists } from "./refusals.ts";
import { checkUpdate, initialState, readState } from "./state.ts";
import { assertSameStructure, structureOf } from "./structure.ts";
import {
  archiveThread,
  createThread,
  enterThread,
  findThread,
  knownThread,
  leaseOf,
  listThreads,
  removeThread,
  ThreadId,
} from "./thread-table.ts";
import type { Thread } from "./thread-table.ts";
import { ThreadRun } from "./thread-run.ts";
import type { RunSurroundings } from "./thread-run.ts";
import { Turnstile } from "./turnstile.ts";

interface Active extends Stops {
  run: Running | undefined;
  over: Promise<unknown>;
}

export class LocalGraphs implements Graphs {
  readonly #sql: Sql;
  readonly #holder: string;
  readonly #ttlMs: number;
  readonly #now: () => number;
  readonly #leases: LocalLeases;
  readonly #around: RunSurroundings;
  readonly #driver: Driver;
  readonly #active = new Map<string, Active>();
  #draining = false;

  constructor(options: GraphsOptions) {
    const { sql, holder, now = Date.now, observers = [], mailbox, advisories } = options;
    this.#sql = sql;
    this.#holder = holder;
    this.#ttlMs = options.ttlMs ?? 30_000;
    this.#now = now;
    this.#leases = new LocalLeases(sql, now);
    const { graceMs = 1000, backOffMs = 500, redact = (text) => text } = options;
    const turnstile = new Turnstile();
    this.#around = { sql, now, observers, mailbox, advisories, turnstile, redact, graceMs, backOffMs };
    this.#driver = new Driver(this.#around, (way) => this.#running(way));
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
      const begunWith = { ...this.#driver.stateInside(graph, before), ...changes };
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
    await this.#putAway(thread, () => {
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
    await this.#putAway(thread, () => removeThread(this.#sql, knownThread(this.#sql, thread)));
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
      return await this.#driver.drive(graph, row, run, active);
    } catch (cause) {
      if (isStale(cause)) return { thread, kind: "lost", by: holderOf(this.#sql, leaseOf(thread)) };
      throw cause;
    } finally {
      await keeper.release();
    }
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

  #running(way: string): Running {
    const run = this.#active.get(way.slice(0, way.lastIndexOf("#")))?.run;
    if (run === undefined)
      throw new CupelError("stale_fence", `the thread ${preview(way)} does not run here`, {});
    return run;
  }

  /** `work` puts the thread away, and its lease with it. */
  async #putAway(thread: string, work: () => void): Promise<void> {
    // Asking for the lease would take it from ourselves.
    if (this.#active.has(thread)) throw busy(thread, this.#holder);
    const lease = await this.#leases.acquire(leaseOf(thread), this.#holder, this.#ttlMs);
    if (lease.kind === "held") throw busy(thread, lease.by);
    try {
      fenced(this.#sql, lease.fence, work);
    } catch (cause) {
      await this.#leases.release(lease.fence);
      throw cause;
    }
  }

  #time(laterMs = 0): string {
    return new Date(this.#now() + laterMs).toISOString();
  }
}

function isStale(cause: unknown): boolean {
  return cause instanceof CupelError && cause.code === "stale_fence";
}
