// What a durable graph is: nodes that are plain functions, edges as data, and a runner that survives anything.
import type { z } from "zod";
import type { Message } from "../domain/run/message.ts";
import type { Spent } from "../domain/run/run-event.ts";

/** The end of a graph; never the name of a node. */
export const END = "end";

/** One value of the state: its schema, and how writes of nodes that ran side by side come together. */
export interface StateKey<Schema extends z.ZodType = z.ZodType> {
  schema: Schema;
  initial: () => z.output<Schema>;
  /** Without it the last write counts, and two writes of one step are an error. */
  merge?(current: z.output<Schema>, update: z.output<Schema>): z.output<Schema>;
}

export type StateShape = Readonly<Record<string, StateKey>>;
export type StateOf<Shape extends StateShape> = {
  readonly [Key in keyof Shape]: z.output<Shape[Key]["schema"]>;
};
export type UpdateOf<Shape extends StateShape> = {
  readonly [Key in keyof Shape]?: z.output<Shape[Key]["schema"]>;
};

/** What a node decides: what changes, and, where it has a choice, who is next. */
export interface Step<Shape extends StateShape, Next extends string = string> {
  update: UpdateOf<Shape>;
  /** Only of nodes with `routes`, and only one of these. */
  goto?: Next;
}

export interface NodeDefinition<Shape extends StateShape, Ports, Names extends string = string> {
  /** May run again after a crash: everything it does is done through `context.once` or is harmless twice. */
  run(
    state: StateOf<Shape>,
    ports: Ports,
    context: NodeContext,
  ): Promise<Step<Shape, NoInfer<Names> | typeof END>>;
  /** Exactly one of the two: always these (side by side when several), or one of these by the node's own choice. */
  to?: readonly (NoInfer<Names> | typeof END)[];
  routes?: readonly (NoInfer<Names> | typeof END)[];
  /** Starts when all of these have ended, instead of when the first has. They name it in their `to`. */
  after?: readonly NoInfer<Names>[];
  /** Longest time of one attempt. A node that takes longer is not tried again: it may have paid already. */
  timeoutMs: number;
  /** How often it is tried again after an error that it threw; 0 unless told. */
  retries?: number;
  /** Row in pictures: who acts here. */
  lane: string;
  /** One line for pictures. */
  does: string;
}

export interface GraphDefinition<
  Shape extends StateShape,
  Ports,
  Names extends string,
  Entries extends string,
> {
  name: string;
  /** Grows when what is stored of a running thread would be understood differently; the structure is checked besides. */
  version: number;
  state: Shape;
  nodes: { readonly [Name in Names]: NodeDefinition<NoInfer<Shape>, Ports, NoInfer<Names>> };
  /** Where a thread may begin or be entered again, by name; `start` is the usual one. */
  entries: { readonly [Entry in Entries]: NoInfer<Names> } & { readonly start: NoInfer<Names> };
}

/** A definition that has passed every check; made by `defineGraph` alone. */
export interface Graph<
  Shape extends StateShape = StateShape,
  Ports = unknown,
  Entries extends string = string,
  Names extends string = string,
> {
  readonly name: string;
  readonly version: number;
  readonly state: Shape;
  readonly nodes: ReadonlyMap<Names, NodeDefinition<Shape, Ports>>;
  readonly entries: ReadonlyMap<Entries, Names>;
  /** Whether every way through it comes to exactly one end, as a graph that is embedded must. */
  readonly endsOnce: boolean;
}

export interface NodeContext {
  readonly thread: string;
  readonly node: string;
  /** How often this node has been started for this step, counted by the factory. */
  readonly attempt: number;
  /** Aborted when the time is up, the run is aborted or the thread was lost to somebody else. */
  readonly signal: AbortSignal;
  /**
   * Does something that costs or that others see, once: what it gave is kept before the node goes on, and given back when
   * the node runs again for the same step. What was under way when the process died is done again.
   */
  readonly once: <T>(name: string, schema: z.ZodType<T>, work: () => Promise<T>) => Promise<T>;
  /** Books what something cost, at once and durably; it ends up in the next event of this node. */
  readonly spent: (spent: Spent) => void;
  /** Waiting messages for this node, the most urgent first; gone when the node has ended well. */
  readonly mail: () => Promise<readonly Message[]>;
  /** Starts advisory work that nobody waits for until the graph ends; asked for again it is not started twice. */
  readonly advise: (job: string, input: unknown) => Promise<void>;
  /** What advisory jobs have reported so far. */
  readonly advice: () => Promise<readonly Advice[]>;
}

export interface Advice {
  job: string;
  outcome: { kind: "reported"; report: unknown } | { kind: "failed"; why: string } | { kind: "timed-out" };
}

/** How a run of a graph ended, as far as this process is concerned. */
export type GraphOutcome<State> = { thread: string } & (
  | { kind: "finished"; state: State; advice: readonly Advice[] }
  /** A node threw, and trying again did not help; the thread can be resumed or entered. */
  | { kind: "failed"; node: string; why: string; cause: unknown }
  | { kind: "timed-out"; node: string; afterMs: number }
  /** Stopped on request between two steps; goes on with `resume`. */
  | { kind: "drained"; next: readonly string[] }
  | { kind: "aborted" }
  /** Somebody else works on this thread. */
  | { kind: "held"; by: string; expiresAt: string }
  /** Was taken over while this process slept; nothing of it was written since. */
  | { kind: "lost"; by: string }
);

/** One update of one node, as observers see it: a frozen copy. */
export interface Update {
  readonly thread: string;
  readonly graph: string;
  readonly node: string;
  readonly at: string;
  readonly attempt: number;
  readonly update: Readonly<Record<string, unknown>>;
  readonly goto: string | undefined;
}

/** Sees every update after it was kept, and can change nothing; whatever it throws harms nobody. */
export type Observer = (update: Update) => void | Promise<void>;

/** Where nodes find their messages. Both are called while the thread's lease is held. */
export interface Mailbox {
  /** The most urgent first. */
  waiting(thread: string, node: string): readonly Message[];
  /** Inside the transaction that keeps what the node did, so that neither happens without the other. */
  acknowledge(thread: string, node: string, ids: readonly string[]): void;
}

/** Work beside the graph that holds up no step. */
export interface Advisories {
  /** Asked for the same job of the same thread again, it does nothing. */
  start(request: AdviceRequest): Promise<void>;
  /** The thread goes on in this process: what was under way when another one died begins again. */
  resume?(thread: string): void;
  reported(thread: string): Promise<readonly Advice[]>;
  /** Waits until every job of the thread has reported, failed or timed out. */
  settle(thread: string, signal: AbortSignal): Promise<readonly Advice[]>;
}

export interface AdviceRequest {
  thread: string;
  node: string;
  job: string;
  input: unknown;
}
