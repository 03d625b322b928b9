// Graphs whose threads and nodes appear as spans. Without a tracer nobody wraps anything, and nothing is paid.
import { context as contexts, ROOT_CONTEXT, SpanKind, trace } from "@opentelemetry/api";
import type { Span, Tracer } from "@opentelemetry/api";
import type { Spent } from "../domain/run/run-event.ts";
import type { Graphs } from "./graphs-port.ts";
import type { Graph, GraphOutcome, NodeContext, NodeDefinition, StateShape } from "./port.ts";
import { kindOfError, setFailed, setSpent } from "./spans-end.ts";
import * as names from "./spans-names.ts";
import { addSpent, NOTHING_SPENT } from "../domain/run/spent.ts";

const BAD: ReadonlySet<GraphOutcome<unknown>["kind"]> = new Set(["failed", "timed-out", "aborted", "lost"]);

export function tracedGraphs(graphs: Graphs, tracer: Tracer): Graphs {
  const threads = new Map<string, Span>();
  const traced = new WeakMap<object, object>();

  /** The same wrapped graph each time: the runner prepares each graph that it has not seen. */
  const wrap = <S extends StateShape, P, E extends string>(graph: Graph<S, P, E>): Graph<S, P, E> => {
    const known = traced.get(graph);
    if (isGraphOf(known, graph)) return known;
    const nodes = new Map(
      [...graph.nodes].map(([name, node]) => [name, tracedNode(tracer, threads, graph, node)]),
    );
    const wrapped = Object.freeze({ ...graph, nodes });
    traced.set(graph, wrapped);
    return wrapped;
  };

  const follow = async <State>(
    graph: Pick<Graph, "name" | "version">,
    thread: string,
    work: () => Promise<GraphOutcome<State>>,
  ): Promise<GraphOutcome<State>> => {
    const attributes = {
      [names.OPERATION]: names.OPERATIONS.workflow,
      [names.WORKFLOW]: graph.name,
      [names.GRAPH_VERSION]: graph.version,
      [names.CONVERSATION]: thread,
      [names.THREAD]: thread,
    };
    const name = `${names.OPERATIONS.workflow} ${graph.name}`;
    const span = tracer.startSpan(name, { kind: SpanKind.INTERNAL, attributes });
    // A second call for a thread that runs is refused below; its nodes belong to the first.
    const first = !threads.has(thread);
    if (first) threads.set(thread, span);
    try {
      const outcome = await work();
      span.setAttribute(names.OUTCOME, outcome.kind);
      if (BAD.has(outcome.kind)) setFailed(span, outcome.kind);
      return outcome;
    } catch (cause) {
      setFailed(span, kindOfError(cause));
      throw cause;
    } finally {
      if (first) threads.delete(thread);
      span.end();
    }
  };

  return {
    run: async (graph, given) => follow(graph, given.thread, () => graphs.run(wrap(graph), given)),
    resume: async (graph, given) => follow(graph, given.thread, () => graphs.resume(wrap(graph), given)),
    enter: async (graph, given) => follow(graph, given.thread, () => graphs.enter(wrap(graph), given)),
    abort: (thread) => graphs.abort(thread),
    drain: () => graphs.drain(),
    find: (thread) => graphs.find(thread),
    list: () => graphs.list(),
    archive: (thread) => graphs.archive(thread),
    remove: (thread) => graphs.remove(thread),
  };
}

function tracedNode<S extends StateShape, P>(
  tracer: Tracer,
  threads: ReadonlyMap<string, Span>,
  graph: Pick<Graph, "name">,
  node: NodeDefinition<S, P>,
): NodeDefinition<S, P> {
  return {
    ...node,
    async run(state, ports, context) {
      const thread = threads.get(context.thread);
      // The runner works outside of whoever called it, so the parent is looked up, not inherited.
      const parent = thread === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, thread);
      const span = tracer.startSpan(
        `${names.OPERATIONS.node} ${context.node}`,
        about(graph, node, context),
        parent,
      );
      // A node that does not listen to its signal may never end; its span does.
      const cut = (): void => end(span, "aborted");
      context.signal.addEventListener("abort", cut, { once: true });
      try {
        const counting = countingSpent(span, context);
        const step = await contexts.with(trace.setSpan(parent, span), () => node.run(state, ports, counting));
        end(span);
        return step;
      } catch (cause) {
        end(span, kindOfError(cause));
        throw cause;
      } finally {
        context.signal.removeEventListener("abort", cut);
      }
    },
  };
}

function about(
  graph: Pick<Graph, "name">,
  node: { lane: string },
  { thread, node: name, attempt }: NodeContext,
) {
  const attributes = {
    [names.OPERATION]: names.OPERATIONS.node,
    [names.WORKFLOW]: graph.name,
    [names.CONVERSATION]: thread,
    [names.THREAD]: thread,
    [names.NODE]: name,
    [names.LANE]: node.lane,
    [names.ATTEMPT]: attempt,
  };
  return { kind: SpanKind.INTERNAL, attributes };
}

function countingSpent(span: Span, context: NodeContext): NodeContext {
  let sum: Spent = NOTHING_SPENT;
  const spent = (more: Spent): void => {
    context.spent(more);
    sum = addSpent(sum, more);
    setSpent(span, sum);
  };
  return Object.freeze({ ...context, spent });
}

function end(span: Span, failed?: string): void {
  if (!span.isRecording()) return;
  if (failed !== undefined) setFailed(span, failed);
  span.end();
}

function isGraphOf<S extends StateShape, P, E extends string>(
  value: object | undefined,
  graph: Graph<S, P, E>,
): value is Graph<S, P, E> {
  return value !== undefined && "state" in value && value.state === graph.state;
}
