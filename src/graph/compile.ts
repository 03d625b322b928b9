// From a checked definition to LangGraph, which keeps the order of things; what nodes do is decided outside of it.
import { Annotation, Command, START, StateGraph } from "@langchain/langgraph";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import type { CheckpointTuple } from "@langchain/langgraph-checkpoint";
import type { GraphSaver } from "./checkpoint/saver.ts";
import { END } from "./port.ts";
import type { StateShape } from "./port.ts";
import { StateChannel, Whole } from "./state-channel.ts";
import { merged } from "./state.ts";
import type { Values } from "./state.ts";
import type { Wiring } from "./walks.ts";

export interface Task {
  thread: string;
  node: string;
  /** The checkpoint that the step began from. */
  step: string;
  /** The engine's own name for this node in this step. */
  id: string;
}

export interface Decision {
  update: Values;
  goto: string | undefined;
}

export type Perform = (task: Task, state: Values) => Promise<Decision>;

export type Compiled = ReturnType<typeof compile>;

/** Keeps the names of values and nodes apart: the engine has them in one namespace. */
const PREFIX = ".";

export function compile(
  graph: { state: StateShape; nodes: ReadonlyMap<string, Wiring> },
  saver: GraphSaver,
  perform: Perform,
) {
  const [first = END, ...others] = graph.nodes.keys();
  const builder = new StateGraph(Annotation.Root(channels(graph.state))).addNode(
    first,
    nodeFunction(first, perform),
  );
  for (const name of others) builder.addNode(name, nodeFunction(name, perform));
  // The engine wants to see who may follow whom; a run says itself at which node it begins, and nodes where they go on.
  builder.addConditionalEdges(START, () => [], [...graph.nodes.keys()]);
  for (const [name, { to = [], after }] of graph.nodes) {
    for (const target of to) {
      if (target !== END && graph.nodes.get(target)?.after === undefined) builder.addEdge(name, target);
    }
    if (after !== undefined) builder.addEdge([...after], name);
  }
  return builder.compile({ checkpointer: saver });
}

/** What begins a run at an entry with a whole state. */
export function beginning(node: string, state: Values): Command {
  const update = Object.entries(state).map(([key, value]): [string, unknown] => [
    PREFIX + key,
    new Whole(value),
  ]);
  return new Command({ goto: node, update });
}

export function stateIn(channelValues: Values): Values {
  const own = Object.entries(channelValues).filter(([channel]) => channel.startsWith(PREFIX));
  return Object.fromEntries(own.map(([channel, value]) => [channel.slice(PREFIX.length), value]));
}

/** With what nodes of an unfinished step have already brought: it was paid for. */
export function unfinishedState(
  shape: StateShape,
  { checkpoint, pendingWrites = [] }: CheckpointTuple,
): Values {
  const state: Record<string, unknown> = { ...stateIn(checkpoint.channel_values) };
  for (const [, channel, value] of pendingWrites) {
    for (const [key, written] of Object.entries(stateIn({ [channel]: value }))) {
      state[key] = merged(shape[key] ?? {}, state[key], written);
    }
  }
  return state;
}

/** The channel of a value of the state. */
export function channelOf(key: string): string {
  return PREFIX + key;
}

type NodeFunction = (state: Values, config: LangGraphRunnableConfig) => Promise<Values>;

function nodeFunction(node: string, perform: Perform): NodeFunction {
  return async (state, config) => {
    const { checkpointId: step, taskId: id, threadId: thread } = config.executionInfo ?? {};
    if (step === undefined || id === undefined || thread === undefined) {
      throw new Error(`the engine did not say which step ${node} runs in`);
    }
    const { update, goto } = await perform({ thread, node, step, id }, stateIn(state));
    const written = Object.fromEntries(Object.entries(update).map(([key, value]) => [PREFIX + key, value]));
    if (goto === undefined || goto === END) return written;
    const command = new Command({ update: written, goto });
    if (isUpdate(command)) return command;
    throw new Error("a command is no update");
  };
}

/** The engine takes a command for an update where the compiler knows the names of all nodes; here it cannot. */
function isUpdate(command: object): command is Values {
  return command instanceof Command;
}

function channels(shape: StateShape): Record<string, StateChannel> {
  return Object.fromEntries(Object.entries(shape).map(([key, one]) => [PREFIX + key, new StateChannel(one)]));
}
