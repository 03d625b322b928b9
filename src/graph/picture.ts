// A graph as data for pictures: nodes in hand-chosen lanes and computed columns, edges, entries; the same every time.
import { END } from "./port.ts";

export interface GraphPicture {
  name: string;
  version: number;
  /** From top to bottom. */
  lanes: string[];
  /** In the order in which they are defined. */
  nodes: PictureNode[];
  edges: PictureEdge[];
  entries: { name: string; node: string }[];
}

export interface PictureNode {
  name: string;
  lane: string;
  /** 0 is where threads start; a node stands to the right of those that lead to it, loops aside. */
  column: number;
  does: string;
}

export interface PictureEdge {
  from: string;
  /** A node, or `end`. */
  to: string;
  /** Whether the node always goes there, or may choose to. */
  kind: "always" | "choice";
  /** Whether the target waits for others besides. */
  joins: boolean;
  /** Leads back to where a thread has been before. */
  back: boolean;
}

/** What can be drawn: any graph that passed `defineGraph`. */
export interface Drawable {
  name: string;
  version: number;
  nodes: ReadonlyMap<string, DrawableNode>;
  entries: ReadonlyMap<string, string>;
}

interface DrawableNode {
  lane: string;
  does: string;
  to?: readonly string[];
  routes?: readonly string[];
  after?: readonly string[];
}

/** `lanes` puts some of them first, in this order; the others follow as they first appear. */
export function pictureOf(graph: Drawable, lanes: readonly string[] = []): GraphPicture {
  const { name, version } = graph;
  const back = backEdges(graph);
  const columns = columnsOf(graph, back);
  const nodes = [...graph.nodes].map(([node, { lane, does }]) => ({
    name: node,
    lane,
    column: columns.get(node) ?? 0,
    does,
  }));
  const used = new Set(nodes.map(({ lane }) => lane));
  return {
    name,
    version,
    lanes: [...new Set([...lanes.filter((lane) => used.has(lane)), ...used])],
    nodes,
    edges: [...graph.nodes].flatMap(([from, node]) =>
      targetsOf(node).map((to) => ({
        from,
        to,
        kind: node.to === undefined ? ("choice" as const) : ("always" as const),
        joins: graph.nodes.get(to)?.after !== undefined,
        back: back.has(edgeKey(from, to)),
      })),
    ),
    entries: [...graph.entries].map(([entry, node]) => ({ name: entry, node })),
  };
}

function targetsOf({ to, routes = [] }: DrawableNode): readonly string[] {
  return to ?? routes;
}

function edgeKey(from: string, to: string): string {
  return `${from}\n${to}`;
}

/** Those that meet a node on the way to itself, walking from the entries, then from whatever they do not reach. */
function backEdges({ nodes, entries }: Drawable): Set<string> {
  const back = new Set<string>();
  const done = new Set<string>();
  for (const entry of [...entries.values(), ...nodes.keys()]) {
    if (done.has(entry)) continue;
    const path = [{ node: entry, left: leftOf(nodes, entry) }];
    const onPath = new Set([entry]);
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      const next = last.left.shift();
      if (next === undefined) {
        done.add(last.node);
        onPath.delete(last.node);
        path.pop();
      } else if (onPath.has(next)) back.add(edgeKey(last.node, next));
      else if (!done.has(next)) {
        path.push({ node: next, left: leftOf(nodes, next) });
        onPath.add(next);
      }
    }
  }
  return back;
}

function leftOf(nodes: Drawable["nodes"], node: string): string[] {
  const known = nodes.get(node);
  return known === undefined ? [] : targetsOf(known).filter((target) => target !== END);
}

/** The longest way from any entry, loops left out: each round moves nodes right until none has to. */
function columnsOf({ nodes }: Drawable, back: ReadonlySet<string>): Map<string, number> {
  const columns = new Map([...nodes.keys()].map((node) => [node, 0]));
  for (let moved = true; moved;) {
    moved = false;
    for (const [from, column] of columns) {
      for (const to of leftOf(nodes, from)) {
        if (back.has(edgeKey(from, to)) || (columns.get(to) ?? 0) > column) continue;
        columns.set(to, column + 1);
        moved = true;
      }
    }
  }
  return columns;
}
