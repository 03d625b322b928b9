// From a graph to a protocol: begins or goes on with a thread, and says in the factory's words how it ended.
import { whyStopped } from "../graph/go-on.ts";
import type { Graphs } from "../graph/graphs-port.ts";
import type { Graph, GraphOutcome, StateOf, StateShape, UpdateOf } from "../graph/port.ts";
import type { Ended } from "./outcome.ts";
import type {
  Protocol,
  ProtocolEntry,
  ProtocolGoing,
  ProtocolOutcome,
  ProtocolPorts,
  Resolved,
} from "./port.ts";

export interface GraphProtocol<Shape extends StateShape> extends Pick<
  Protocol,
  "name" | "scope" | "debated" | "gates"
> {
  graph: Graph<Shape, ProtocolPorts, ProtocolEntry | "start">;
  /** Null while the thread has not come to its end. */
  ended(state: StateOf<Shape>): Ended | null;
  /** What a person's word changes of the state. */
  resolved(entering: Resolved): UpdateOf<Shape>;
}

export function graphProtocol<Shape extends StateShape>(made: GraphProtocol<Shape>): Protocol {
  const { name, scope, debated, gates, graph } = made;
  const outcome = (result: GraphOutcome<StateOf<Shape>>): ProtocolOutcome => {
    if (result.kind !== "finished") return { kind: "stopped", why: whyStopped(result) };
    const ended = made.ended(result.state);
    if (ended === null) throw new Error(`${result.thread} came to its end without an outcome`);
    return ended.kind === "halted"
      ? ended
      : { kind: "shipped", module: ended.shipped.module, shipped: ended.shipped };
  };
  return {
    name,
    scope,
    debated,
    gates,
    async go(graphs: Graphs, { thread, runId, ports }: ProtocolGoing) {
      const begun = graphs.find(thread) !== undefined;
      return outcome(
        begun
          ? await graphs.resume(graph, { thread, ports })
          : await graphs.run(graph, { thread, runId, ports }),
      );
    },
    async enter(graphs: Graphs, { thread, ports }: ProtocolGoing, entering: Resolved) {
      const input = made.resolved(entering);
      return outcome(await graphs.enter(graph, { thread, ports, at: entering.at, input }));
    },
  };
}
