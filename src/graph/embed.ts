// Puts the nodes of one graph into another, under a prefix: a graph within a graph is still one graph, with one state, one
// thread and one picture.
import { CupelError } from "../domain/error.ts";
import { preview } from "../domain/parse.ts";
import { END } from "./port.ts";
import type { Graph, NodeDefinition, StateShape } from "./port.ts";

export interface Embedding<Prefix extends string, Next extends string> {
  /** Goes before the name of every node, with a slash. */
  as: Prefix;
  /** Where it goes on when the embedded graph comes to its end. */
  to: Next;
}

type Embedded<
  Shape extends StateShape,
  Ports,
  Names extends string,
  Prefix extends string,
  Next extends string,
> = {
  readonly [Name in `${Prefix}/${Names}`]: NodeDefinition<Shape, Ports, `${Prefix}/${Names}` | Next>;
};

/** To be spread into the nodes of a graph whose state holds every key of the embedded one, with the very same schema. */
export function embed<
  Shape extends StateShape,
  Ports,
  Names extends string,
  Prefix extends string,
  Next extends string,
>(
  child: Graph<Shape, Ports, string, Names>,
  parent: StateShape,
  { as: prefix, to: next }: Embedding<Prefix, Next>,
): Embedded<Shape, Ports, Names, Prefix, Next> {
  if (!child.endsOnce) {
    refuse(
      child.name,
      "some of its ways come to more than one end, so what follows would run more than once",
      "one end",
    );
  }
  for (const [key, { schema }] of Object.entries(child.state)) {
    if (parent[key]?.schema !== schema)
      refuse(child.name, `its state has ${key}, the parent's not`, "the same schema in both");
  }
  const rename = (target: string): string => (target === END ? next : `${prefix}/${target}`);
  const nodes: Record<string, NodeDefinition<Shape, Ports>> = {};
  for (const [name, node] of child.nodes) {
    nodes[`${prefix}/${name}`] = {
      ...node,
      async run(state, ports, context) {
        const { update, goto } = await node.run(state, ports, context);
        return goto === undefined ? { update } : { update, goto: rename(goto) };
      },
      ...(node.to !== undefined && { to: node.to.map(rename) }),
      ...(node.routes !== undefined && { routes: node.routes.map(rename) }),
      ...(node.after !== undefined && { after: node.after.map(rename) }),
    };
  }
  if (hasAll<Shape, Ports, Names, Prefix, Next>(nodes, child, prefix)) return nodes;
  throw new Error("an embedded graph lost a node");
}

function hasAll<
  Shape extends StateShape,
  Ports,
  Names extends string,
  Prefix extends string,
  Next extends string,
>(
  nodes: object,
  child: Graph<Shape, Ports, string, Names>,
  prefix: Prefix,
): nodes is Embedded<Shape, Ports, Names, Prefix, Next> {
  return [...child.nodes.keys()].every((name) => Object.hasOwn(nodes, `${prefix}/${name}`));
}

function refuse(child: string, problem: string, expected: string): never {
  throw new CupelError("usage", `the graph ${preview(child)} cannot be embedded: ${problem}`, { expected });
}
