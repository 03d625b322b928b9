// Work beside a graph that holds up no step: kept in the database before it begins, done by one process at a time, begun
// again after a crash, and waited for only at the end of the graph.
import { AsyncResource } from "node:async_hooks";
import { CupelError } from "../domain/error.ts";
import { preview } from "../domain/parse.ts";
import { fenced, readLease } from "../store/local/fence.ts";
import { LocalLeases } from "../store/local/leases.ts";
import type { Fence } from "../store/port.ts";
import type { Sql } from "../store/sql.ts";
import { runJob } from "./advisory-job.ts";
import type { AdvisoryJob } from "./advisory-job.ts";
import { askFor, conclude, countStart, listAdvice } from "./advisory-table.ts";
import type { AdvisoryRow } from "./advisory-table.ts";
import { pause } from "./advisory-wait.ts";
import { LONGEST_MS } from "./attempt.ts";
import type { Stop } from "./attempt.ts";
import { LeaseKeeper } from "./lease-keeper.ts";
import { ownFence } from "./own-fence.ts";
import type { Advice, AdviceRequest, Advisories } from "./port.ts";
import { adviceLeasesOf, leaseOf } from "./thread-table.ts";

export interface AdvisoriesOptions {
  sql: Sql;
  /** The one that runs graphs in this process. */
  holder: string;
  /** Nodes ask for them by name, or as `name:which` where one way through the graph needs several of a kind. */
  jobs: Readonly<Record<string, AdvisoryJob>>;
  now?: () => number;
  ttlMs?: number;
  graceMs?: number;
  /** How long the end of a graph waits for all of them together. */
  settleMs?: number;
  /** A job that takes its process with it would otherwise do so for ever. */
  mostStarts?: number;
  pollMs?: number;
  /** Takes secrets out of what jobs throw before it is written down. */
  redact?: (text: string) => string;
}

const NAME = /^([a-z][a-z0-9_-]{0,63})(:[\w.:@/-]{1,100})?$/;

interface Running {
  row: AdvisoryRow;
  stop: Stop;
  over: Promise<void>;
}

export class LocalAdvisories implements Advisories {
  readonly #options: Required<AdvisoriesOptions>;
  readonly #leases: LocalLeases;
  readonly #running = new Map<string, Running>();
  /** What kept an outcome from being written, for whoever waits for it. */
  readonly #broken = new Map<string, unknown>();
  /** A job is no part of the node that asked for it. */
  readonly #outside = new AsyncResource("CupelAdvisories");
  #closed = false;

  constructor(options: AdvisoriesOptions) {
    this.#options = {
      now: Date.now,
      ttlMs: 30_000,
      graceMs: 1000,
      settleMs: 600_000,
      mostStarts: 10,
      pollMs: 50,
      redact: (text) => text,
      ...options,
    };
    this.#leases = new LocalLeases(options.sql, this.#options.now);
  }

  async start(request: AdviceRequest): Promise<void> {
    const { sql, holder, jobs } = this.#options;
    const { thread, job, input } = request;
    const known = this.#find(job);
    if (known === undefined) {
      throw new CupelError("usage", `nobody here gives the advice ${preview(job)}`, {
        expected: `one of ${Object.keys(jobs).join(", ")}, as it is or followed by a colon and a label`,
      });
    }
    known.check(input);
    fenced(sql, ownFence(sql, thread, holder), () => askFor(sql, request));
    this.#wake(thread);
  }

  resume(thread: string): void {
    this.#wake(thread);
  }

  async reported(thread: string): Promise<readonly Advice[]> {
    this.#wake(thread);
    return this.#given(thread);
  }

  async settle(thread: string, signal: AbortSignal): Promise<readonly Advice[]> {
    const { sql, holder, now, settleMs, pollMs } = this.#options;
    const end = now() + settleMs;
    for (;;) {
      const open = listAdvice(sql, thread).filter(({ outcome }) => outcome === undefined);
      if (open.length === 0 || signal.aborted || this.#closed) return this.#given(thread);
      if (now() >= end) {
        fenced(sql, ownFence(sql, thread, holder), () => {
          for (const row of open) conclude(sql, row, { kind: "timed-out" }, this.#time());
        });
        for (const row of open) this.#running.get(keyOf(row))?.stop();
        return this.#given(thread);
      }
      this.#wake(thread);
      for (const row of open) this.#throwBroken(row);
      const under = open.flatMap((row) => this.#running.get(keyOf(row))?.over ?? []);
      // What another process does is seen only by looking.
      const waitMs = under.length === open.length ? end - now() : Math.min(pollMs, end - now());
      await pause(Math.min(Math.max(1, waitMs), LONGEST_MS), signal, under);
    }
  }

  /** Stops what runs here; it begins again where its thread goes on. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { stop } of this.#running.values()) stop();
    await Promise.all([...this.#running.values()].map(({ over }) => over));
  }

  /** Begins whatever is not under way in this process, if the thread is ours. */
  #wake(thread: string): void {
    const { sql, holder } = this.#options;
    if (this.#closed || readLease(sql, leaseOf(thread))?.holder !== holder) return;
    const rows = listAdvice(sql, thread);
    const present = new Set(rows.map(keyOf));
    for (const [key, { row, stop }] of this.#running) if (row.thread === thread && !present.has(key)) stop();
    for (const row of rows) {
      const key = keyOf(row);
      if (row.outcome !== undefined || this.#running.has(key) || this.#broken.has(key)) continue;
      this.#begin(key, row);
    }
  }

  #begin(key: string, row: AdvisoryRow): void {
    const attempts = new Set<Stop>();
    const controller = new AbortController();
    const stop: Stop = () => {
      controller.abort();
      for (const one of attempts) one();
    };
    const over = this.#outside.runInAsyncScope(async () => {
      try {
        await this.#perform(row, attempts, controller.signal, stop);
      } catch (cause) {
        // Whoever took it over goes on with it.
        if (!isStale(cause)) this.#broken.set(key, cause);
      } finally {
        this.#running.delete(key);
      }
    });
    this.#running.set(key, { row, stop, over });
  }

  async #perform(row: AdvisoryRow, attempts: Set<Stop>, stopped: AbortSignal, stop: Stop): Promise<void> {
    const { sql, ttlMs } = this.#options;
    const fence = await this.#lease(row, stopped);
    if (fence === undefined) return;
    const keeper = new LeaseKeeper(this.#leases, fence, ttlMs, stop);
    try {
      const start = fenced(sql, fence, () => countStart(sql, row, this.#time()));
      if (start === undefined) return;
      const outcome = await this.#outcome(row, start, attempts);
      // A report that comes after all is worth what it cost; any other end is the stop's own doing.
      if (outcome.kind === "stopped" || (stopped.aborted && outcome.kind !== "reported")) return;
      fenced(sql, fence, () => conclude(sql, row, outcome, this.#time()));
    } finally {
      await keeper.release();
    }
  }

  /** Another process may be at it still, although the thread is ours by now. */
  async #lease(row: AdvisoryRow, stopped: AbortSignal): Promise<Fence | undefined> {
    const { holder, ttlMs, pollMs } = this.#options;
    while (!stopped.aborted) {
      const lease = await this.#leases.acquire(leaseOfJob(row), holder, ttlMs);
      if (lease.kind === "acquired") return lease.fence;
      await pause(pollMs, stopped);
    }
    return undefined;
  }

  async #outcome({ thread, job, input }: AdvisoryRow, start: number, underWay: Set<Stop>) {
    const { mostStarts, graceMs, redact } = this.#options;
    const known = this.#find(job);
    if (known === undefined) return { kind: "failed" as const, why: `nobody here gives the advice ${job}` };
    if (start > mostStarts) {
      const why = `it was begun ${mostStarts} times, and its process ended each time`;
      return { kind: "failed" as const, why };
    }
    return runJob(known, input, { thread, job, start }, { graceMs, underWay, redact });
  }

  #time(): string {
    return new Date(this.#options.now()).toISOString();
  }

  #find(job: string): AdvisoryJob | undefined {
    const name = NAME.exec(job)?.[1];
    const { jobs } = this.#options;
    return name !== undefined && Object.hasOwn(jobs, name) ? jobs[name] : undefined;
  }

  #given(thread: string): readonly Advice[] {
    return listAdvice(this.#options.sql, thread).flatMap(({ job, outcome }) =>
      outcome === undefined ? [] : { job, outcome },
    );
  }

  #throwBroken(row: AdvisoryRow): void {
    const key = keyOf(row);
    if (!this.#broken.has(key)) return;
    const cause = this.#broken.get(key);
    this.#broken.delete(key);
    throw cause;
  }
}

function keyOf({ thread, epoch, job }: Pick<AdvisoryRow, "thread" | "epoch" | "job">): string {
  return `${thread}#${epoch} ${job}`;
}

function leaseOfJob({ thread, epoch, job }: AdvisoryRow): string {
  return `${adviceLeasesOf(thread)}${epoch} ${job}`;
}

function isStale(cause: unknown): boolean {
  return cause instanceof CupelError && cause.code === "stale_fence";
}
