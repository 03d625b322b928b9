// Who comes next in a tree: what may run now and before what else, what waits to be merged, what ships when, and who must follow.
import { below, isMerged, NodeEntry, nodeOf, type Tree } from "./tree.ts";

export interface Due {
  node: string;
  at: NodeEntry;
}

/** Everything that may run now: first what most others wait for; of the same weight in the order of planning. */
export function dueIn(tree: Tree): Due[] {
  return Object.entries(tree)
    .flatMap(([node, { place, depth }]) =>
      place.kind === "due" ? [{ node, at: place.at, weight: weightOf(place.at, depth) }] : [],
    )
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ node, at }) => ({ node, at }));
}

/** A plan may unfold into much; afterwards whoever is deepest has the longest way to the root, and the more the earlier it is. */
function weightOf(at: NodeEntry, depth: number): number {
  const steps = NodeEntry.options.length;
  const left = steps - NodeEntry.options.indexOf(at);
  return at === "scaffold" ? MOST_DEPTH * steps - depth : depth * steps + left;
}

const MOST_DEPTH = 1_000;

/** By parent: who waits to be merged; null is the product itself. */
export function queuesIn(tree: Tree): Map<string | null, string[]> {
  const queues = new Map<string | null, string[]>();
  for (const [id, { place, parent }] of Object.entries(tree))
    if (place.kind === "queued") queues.set(parent, [...(queues.get(parent) ?? []), id]);
  return queues;
}

/** Children before parents and what siblings use before them: the order in which everything ships once the root is merged. */
export function foldOrder(tree: Tree): string[] {
  const done = new Set<string>();
  const visit = (id: string): void => {
    if (done.has(id)) return;
    done.add(id);
    const { spec, children } = nodeOf(tree, id);
    for (const used of "uses" in spec ? spec.uses : []) if (tree[used] !== undefined) visit(used);
    for (const child of children) visit(child);
    order.push(id);
  };
  const order: string[] = [];
  for (const [id, { parent }] of Object.entries(tree)) if (parent === null) visit(id);
  return order;
}

/** Who is rebased when a sibling was merged: everybody with the same parent who is not merged yet, and all below them. */
export function shiftedBy(tree: Tree, merged: string): string[] {
  const { parent } = nodeOf(tree, merged);
  return Object.entries(tree)
    .filter(([id, node]) => node.parent === parent && id !== merged && !isMerged(tree, id))
    .flatMap(([id]) => below(tree, id))
    .filter((id) => !isMerged(tree, id));
}
