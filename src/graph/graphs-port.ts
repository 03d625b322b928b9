// What runs graphs, as its callers see it.
import type { Sql } from "../store/sql.ts";
import type {
  Advisories,
  Graph,
  GraphOutcome,
  Mailbox,
  Observer,
  StateOf,
  StateShape,
  UpdateOf,
} from "./port.ts";
import type { Thread } from "./thread-table.ts";

export interface GraphsOptions {
  sql: Sql;
  /** Who runs here, for leases; another for every process, because a holder may take over from itself. */
  holder: string;
  now?: () => number;
  observers?: readonly Observer[];
  mailbox?: Mailbox;
  advisories?: Advisories;
  /** Takes secrets out of what nodes throw before it is written down. */
  redact?: (text: string) => string;
  /** How long a lease lives without a heartbeat: how long others wait after this process died. */
  ttlMs?: number;
  graceMs?: number;
  backOffMs?: number;
}

export interface Going<Ports> {
  thread: string;
  ports: Ports;
}

export interface Beginning<Shape extends StateShape, Ports, Entries extends string> extends Going<Ports> {
  /** What differs from the initial values. */
  input?: UpdateOf<Shape>;
  /** `start` unless told. */
  at?: Entries;
  /** Under which run its events appear; the thread's own name unless told. */
  runId?: string;
}

export interface Entering<Shape extends StateShape, Ports, Entries extends string> extends Going<Ports> {
  at: Entries;
  /** Replaces values of the state as it is. */
  input?: UpdateOf<Shape>;
}

export interface Graphs {
  /** Begins a thread; refused when there is one of that name. */
  run<S extends StateShape, P, E extends string>(
    graph: Graph<S, P, E>,
    beginning: Beginning<S, P, E>,
  ): Promise<GraphOutcome<StateOf<S>>>;
  /** Goes on where the thread stopped, however it did; a thread that has finished just tells what it came to. */
  resume<S extends StateShape, P>(graph: Graph<S, P>, going: Going<P>): Promise<GraphOutcome<StateOf<S>>>;
  /** Goes on from an entry with the state as it is. Whatever was under way or waiting is given up. */
  enter<S extends StateShape, P, E extends string>(
    graph: Graph<S, P, E>,
    entering: Entering<S, P, E>,
  ): Promise<GraphOutcome<StateOf<S>>>;
  /** Stops a thread that runs in this process, nodes included. False when none of that name does. */
  abort(thread: string): boolean;
  /** Lets every step that is under way end, then stops; nothing new begins here afterwards. */
  drain(): Promise<void>;
  find(thread: string): Thread | undefined;
  list(): Thread[];
  /** Keeps what a finished thread came to and removes how it got there. */
  archive(thread: string): Promise<void>;
  /** Removes everything but the events in the journal. */
  remove(thread: string): Promise<void>;
}
