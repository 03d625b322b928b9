// One run of one thread in this process: performs its nodes, keeps count, and knows why it came to a halt.
import { setTimeout as sleep } from "node:timers/promises";
import { CupelError } from "../domain/error.ts";
import type { ErrorCode } from "../domain/error.ts";
import type { Fence } from "../store/port.ts";
import type { Sql } from "../store/sql.ts";
import { attemptNode } from "./attempt.ts";
import type { Stop } from "./attempt.ts";
import type { Ending, Session } from "./checkpoint/saver.ts";
import type { Decision, Task } from "./compile.ts";
import { decide } from "./decision.ts";
import { openContext } from "./node-context.ts";
import type { OpenContext } from "./node-context.ts";
import { show } from "./observers.ts";
import type { Advisories, Graph, Mailbox, NodeDefinition, Observer, StateShape } from "./port.ts";
import { redacted } from "./reason.ts";
import { checkState } from "./state.ts";
import type { Values } from "./state.ts";
import { StepLog } from "./step-log.ts";
import { StepWriters } from "./step-writers.ts";
import { wayOf } from "./thread-table.ts";
import type { Turnstile } from "./turnstile.ts";
import type { Thread } from "./thread-table.ts";

export interface RunSurroundings {
  sql: Sql;
  now: () => number;
  observers: readonly Observer[];
  mailbox: Mailbox | undefined;
  advisories: Advisories | undefined;
  turnstile: Turnstile;
  redact: (text: string) => string;
  graceMs: number;
  /** Before the second attempt; doubled before each further one. */
  backOffMs: number;
}

/** Why a run does not go on. */
export type Halt =
  | { kind: "failed"; node: string; why: string; cause: unknown }
  | { kind: "timed-out"; node: string; afterMs: number }
  | { kind: "aborted" }
  /** The database refused a write. */
  | { kind: "broken"; cause: unknown };

const GRAVITY = { failed: 0, "timed-out": 0, aborted: 1, broken: 2 } as const;
const LONGEST_BACK_OFF_MS = 60_000;
/** What would be no different the next time. */
const FINAL: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["invalid_input", "usage", "stale_fence"]);
/** A pause was cut short: nobody's failure. */
export const RESTED = new Error("the run was drained");

export class ThreadRun<Shape extends StateShape, Ports> implements Session {
  readonly fence: Fence;
  readonly #graph: Graph<Shape, Ports>;
  readonly #ports: Ports;
  readonly #thread: Thread;
  readonly #around: RunSurroundings;
  readonly #log: StepLog;
  readonly #underWay = new Map<string, Promise<unknown>>();
  readonly #unkept = new Map<string, unknown>();
  readonly #attempts = new Set<Stop>();
  readonly #checked = new WeakMap<object, unknown>();
  readonly #endings = new Map<string, Ending>();
  /** Tasks of the present step that have neither been kept nor failed. */
  readonly #open = new Set<string>();
  #settled: (() => void)[] = [];
  readonly #writers: StepWriters;
  #halt: Halt | undefined;
  #resting = false;
  #pauses = new Set<Stop>();

  constructor(
    graph: Graph<Shape, Ports>,
    ports: Ports,
    thread: Thread,
    fence: Fence,
    around: RunSurroundings,
  ) {
    this.#graph = graph;
    this.#ports = ports;
    this.#thread = thread;
    this.fence = fence;
    this.#around = around;
    this.#writers = new StepWriters(around.sql, wayOf(thread), graph.state);
    this.#log = new StepLog(around.sql, fence, thread, around.now);
  }

  get halted(): Halt | undefined {
    return this.#halt;
  }

  /** Also the nodes that are under way. */
  stop(halt: Halt): void {
    this.#note(halt);
    for (const stop of this.#attempts) stop();
  }

  /** Work goes on to its end, but nobody waits to try again; that comes when the thread goes on. */
  rest(): void {
    this.#resting = true;
    for (const stop of this.#pauses) stop();
  }

  broken(cause: unknown): boolean {
    this.stop({ kind: "broken", cause });
    // What could not be kept is not coming any more.
    for (const task of this.#open) this.#close(task);
    return true;
  }

  ending(task: string): Ending | undefined {
    const ending = this.#endings.get(task);
    this.#endings.delete(task);
    return ending;
  }

  /**
   * What the engine calls for each node of a step. It must hear of a failure last: it would drop what the others of the
   * step are still doing, and they were paid for.
   */
  async perform(task: Task, values: Values): Promise<Decision> {
    this.#open.add(task.id);
    try {
      await this.#around.turnstile.passFirst();
      if (this.#mustStop()) throw new Error("the run was stopped");
      return await this.#tryOften(task, values);
    } catch (cause) {
      this.#blame(task, cause);
      this.#close(task.id);
      while (this.#open.size > 0) await new Promise<void>((resolve) => this.#settled.push(resolve));
      throw cause;
    }
  }

  async #tryOften(task: Task, values: Values): Promise<Decision> {
    const node = this.#node(task.node);
    const state = checkState(this.#graph.state, values, this.#checked);
    for (let failures = 1; ; failures++) {
      const attempt = this.#log.begin(task.step, task.node);
      const begin = performance.now();
      const elapsed = (): number => Math.round((performance.now() - begin) * 1000) / 1000;
      let open: OpenContext | undefined;
      const work = async (signal: AbortSignal): Promise<Decision> => {
        open = this.#context(task, attempt, signal);
        const returned = await node.run(state, this.#ports, open.context);
        const decision = decide(this.#graph.state, task.node, node.routes, returned);
        this.#writers.claim(task, Object.keys(decision.update));
        return decision;
      };
      const ended = await attemptNode(
        work,
        { timeoutMs: node.timeoutMs, graceMs: this.#around.graceMs },
        this.#attempts,
      );
      // What waited for the same answer wakes at the same moment; what follows is work for the engine and the database.
      await this.#around.turnstile.pass();
      if (ended.kind === "ended") {
        this.#finish(task, attempt, elapsed(), ended.result, open?.shown() ?? []);
        return ended.result;
      }
      if (ended.kind === "stopped") throw new Error("the run was stopped");
      const waitMs = this.#mayTryAgain(ended, failures, node.retries ?? 0);
      const reason =
        ended.kind === "threw" ? this.#why(ended.cause) : `took longer than ${node.timeoutMs} ms`;
      if (waitMs === undefined) {
        this.#log.end(task.step, task.node, attempt, elapsed(), { kind: "node_failed", reason });
        this.#note(
          ended.kind === "threw"
            ? { kind: "failed", node: task.node, why: reason, cause: ended.cause }
            : { kind: "timed-out", node: task.node, afterMs: node.timeoutMs },
        );
        throw new Error(reason);
      }
      this.#log.end(task.step, task.node, attempt, elapsed(), { kind: "node_retried", reason, waitMs });
      await this.#pause(waitMs);
    }
  }

  #mayTryAgain(
    ended: { kind: "threw"; cause: unknown } | { kind: "timed-out" },
    failures: number,
    retries: number,
  ): number | undefined {
    if (ended.kind === "timed-out" || failures > retries || this.#mustStop()) return undefined;
    if (ended.cause instanceof CupelError && FINAL.has(ended.cause.code)) return undefined;
    return Math.min(LONGEST_BACK_OFF_MS, this.#around.backOffMs * 2 ** (failures - 1));
  }

  async #pause(ms: number): Promise<void> {
    const controller = new AbortController();
    const stop: Stop = () => controller.abort();
    this.#attempts.add(stop);
    this.#pauses.add(stop);
    if (this.#resting) stop();
    try {
      await sleep(ms, undefined, { signal: controller.signal });
    } catch {
      throw this.#mustStop() ? new Error("the run was stopped") : RESTED;
    } finally {
      this.#attempts.delete(stop);
      this.#pauses.delete(stop);
    }
  }

  #context(task: Task, attempt: number, signal: AbortSignal): OpenContext {
    const { mailbox, advisories } = this.#around;
    const { thread } = this.#thread;
    return openContext({
      thread,
      task,
      attempt,
      signal,
      log: this.#log,
      mailbox,
      advisories,
      underWay: this.#underWay,
      unkept: this.#unkept,
    });
  }

  #finish(
    task: Task,
    attempt: number,
    durationMs: number,
    { update, goto }: Decision,
    shown: readonly string[],
  ): void {
    const { thread } = this.#thread;
    const { node, step } = task;
    this.#endings.set(task.id, {
      inside: () => {
        this.#log.endInside(step, node, attempt, durationMs, { kind: "node_finished" });
        if (shown.length > 0) this.#around.mailbox?.acknowledge(thread, node, shown);
      },
      after: () => {
        const at = new Date(this.#around.now()).toISOString();
        show(this.#around.observers, { thread, graph: this.#graph.name, node, at, attempt, update, goto });
        this.#close(task.id);
      },
    });
  }

  /** A refusal of the database is not the node's failure. */
  #blame(task: Task, cause: unknown): void {
    if (this.#halt !== undefined || cause === RESTED) return;
    if (cause instanceof CupelError) this.#note({ kind: "broken", cause });
    else this.#note({ kind: "failed", node: task.node, why: this.#why(cause), cause });
  }

  #why(cause: unknown): string {
    return redacted(cause, this.#around.redact);
  }

  /** The gravest reason counts, and of several the first. */
  #note(halt: Halt): void {
    if (this.#halt === undefined || GRAVITY[halt.kind] > GRAVITY[this.#halt.kind]) this.#halt = halt;
  }

  /** A node that failed ends the run after its step; the others of the step still do their work. */
  #mustStop(): boolean {
    return this.#halt?.kind === "aborted" || this.#halt?.kind === "broken";
  }

  #close(task: string): void {
    this.#open.delete(task);
    const settled = this.#settled;
    this.#settled = [];
    for (const resolve of settled) resolve();
  }

  #node(name: string): NodeDefinition<Shape, Ports> {
    const node = this.#graph.nodes.get(name);
    if (node === undefined) throw new Error(`there is no node ${name}`);
    return node;
  }
}
