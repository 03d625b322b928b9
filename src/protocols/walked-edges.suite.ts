// Which edges of a graph its scenarios have walked, so that a test can tell the ones that nobody has.
import type { Update } from "../graph/port.ts";

interface Edges {
  to?: readonly string[];
  routes?: readonly string[];
}

interface Wired {
  nodes: ReadonlyMap<string, Edges>;
}

/** Nodes that lead on by themselves walk all of their edges. */
export function edgesOf({ nodes }: Wired, { node, goto }: Update): string[] {
  const found = nodes.get(node);
  if (found === undefined) throw new Error(`there is no node ${node}`);
  return found.to === undefined
    ? [`${node} → ${goto ?? "?"}`]
    : found.to.map((target) => `${node} → ${target}`);
}

export function everyEdge({ nodes }: Wired): string[] {
  return [...nodes].flatMap(([node, { to, routes }]) =>
    (to ?? routes ?? []).map((target) => `${node} → ${target}`),
  );
}
