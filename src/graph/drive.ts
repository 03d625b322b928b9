// Drives one thread with the engine, from where it stopped to wherever it gets, and tells how that ended.
import { AsyncResource } from "node:async_hooks";
import { GraphDrained } from "@langchain/langgraph";
import type { RunControl } from "@langchain/langgraph";
import { fenced } from "../store/local/fence.ts";
import { GraphSaver } from "./checkpoint/saver.ts";
import type { Session } from "./checkpoint/saver.ts";
import { beginning, compile, stateIn, unfinishedState } from "./compile.ts";
import type { Compiled, Decision, Task } from "./compile.ts";
import type { Graph, GraphOutcome, StateOf, StateShape } from "./port.ts";
import { settle } from "./settle.ts";
import { readState } from "./state.ts";
import type { Values } from "./state.ts";
import { RESTED } from "./thread-run.ts";
import type { Halt, RunSurroundings, ThreadRun } from "./thread-run.ts";
import { finishThread, wayOf } from "./thread-table.ts";
import type { Thread } from "./thread-table.ts";

/** A run as the engine and whoever stops it know it. */
export interface Running extends Session {
  stop(halt: Halt): void;
  rest(): void;
  perform(task: Task, state: Values): Promise<Decision>;
}

/** What ends a thread early. */
export interface Stops {
  control: RunControl;
  /** Ends the wait for advice. */
  settling: AbortController;
}

const NO_LIMIT = Number.MAX_SAFE_INTEGER / 2;

export class Driver {
  readonly #around: RunSurroundings;
  readonly #running: (way: string) => Running;
  readonly #saver: GraphSaver;
  readonly #compiled = new WeakMap<object, Compiled>();
  /** A graph that is started inside a node would become a part of it; here it is outside of any. */
  readonly #outside = new AsyncResource("CupelGraphs");

  constructor(around: RunSurroundings, running: (way: string) => Running) {
    this.#around = around;
    this.#running = running;
    this.#saver = new GraphSaver(around.sql, running);
  }

  async drive<S extends StateShape, P>(
    graph: Graph<S, P>,
    row: Thread,
    run: ThreadRun<S, P>,
    stops: Stops,
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
    const halted = await this.#invoke(graph, row, run, stops);
    if (halted !== undefined) return halted;
    return this.#conclude(graph, row, run, stops);
  }

  /** Undefined when the engine has come to the end of the graph. */
  async #invoke<S extends StateShape, P>(
    graph: Graph<S, P>,
    row: Thread,
    run: ThreadRun<S, P>,
    stops: Stops,
  ): Promise<GraphOutcome<StateOf<S>> | undefined> {
    const { thread } = row;
    const way = wayOf(row);
    const config = {
      configurable: { thread_id: way },
      recursionLimit: NO_LIMIT,
      control: stops.control,
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
      if (stops.control.drainReason === "aborted") return { thread, kind: "aborted" };
      return { thread, kind: "drained", next: (await compiled.getState(config)).next };
    } finally {
      this.#saver.forget(way);
    }
    return undefined;
  }

  /** A graph is at its end when its advisories are, too. */
  async #conclude<S extends StateShape, P>(
    graph: Graph<S, P>,
    row: Thread,
    run: ThreadRun<S, P>,
    { control, settling }: Stops,
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
    fenced(this.#around.sql, run.fence, () =>
      finishThread(this.#around.sql, thread, state, new Date(this.#around.now()).toISOString()),
    );
    return { thread, kind: "finished", state, advice };
  }

  async #latest(row: Thread): Promise<Values> {
    const tuple = await this.#saver.getTuple({ configurable: { thread_id: wayOf(row) } });
    return tuple === undefined ? row.begunWith : stateIn(tuple.checkpoint.channel_values);
  }

  /** The state of a thread as it is, inside a transaction. */
  stateInside<S extends StateShape, P>(graph: Graph<S, P>, row: Thread): Values {
    if (row.endedWith !== null) return readState(graph.state, row.endedWith, row.thread);
    const tuple = this.#saver.tupleInside(wayOf(row));
    if (tuple === undefined) return row.begunWith;
    return readState(graph.state, unfinishedState(graph.state, tuple), row.thread);
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
}

function assertKept(halt: Halt | undefined): void {
  if (halt?.kind === "broken") throw halt.cause;
}
