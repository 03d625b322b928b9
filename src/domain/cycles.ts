// Finds things that wait for each other for ever.

/** Who waits for whom, in declaration order; an edge to something that is not a key leads nowhere. */
export type DependencyGraph = ReadonlyMap<string, readonly string[]>;

/**
 * Cycles as lists of ids, each waiting for the next and the last for the first, beginning with the one declared
 * first. There is at least one if the graph has any; no two share a member, so that the answer stays small.
 */
export function findCycles(graph: DependencyGraph): string[][] {
  const positions = new Map([...graph.keys()].map((id, index) => [id, index]));
  const finished = new Set<string>();
  const reported = new Set<string>();
  const cycles: string[][] = [];
  const onBackEdge = (cycle: string[]): void => {
    if (cycle.some((id) => reported.has(id))) return;
    for (const id of cycle) reported.add(id);
    cycles.push(fromEarliest(cycle, positions));
  };
  for (const start of graph.keys()) walkFrom(start, graph, finished, onBackEdge);
  return cycles;
}

/** `TSK-001 → TSK-003 → TSK-001`. */
export function renderCycle(cycle: readonly string[]): string {
  return [...cycle, ...cycle.slice(0, 1)].join(" → ");
}

/** Depth first with a stack of its own: a chain of dependencies may be longer than the call stack is deep. */
function walkFrom(
  start: string,
  graph: DependencyGraph,
  finished: Set<string>,
  onBackEdge: (cycle: string[]) => void,
): void {
  const trail: { id: string; next: number }[] = [];
  const depths = new Map<string, number>();
  const visit = (id: string): void => {
    if (finished.has(id) || !graph.has(id)) return;
    depths.set(id, trail.length);
    trail.push({ id, next: 0 });
  };
  visit(start);
  for (let top = trail.at(-1); top !== undefined; top = trail.at(-1)) {
    const dependency = graph.get(top.id)?.[top.next++];
    if (dependency === undefined) {
      finished.add(top.id);
      depths.delete(top.id);
      trail.pop();
      continue;
    }
    const depth = depths.get(dependency);
    if (depth === undefined) visit(dependency);
    else onBackEdge(trail.slice(depth).map((step) => step.id));
  }
}

function fromEarliest(cycle: string[], positions: ReadonlyMap<string, number>): string[] {
  const positionOf = (id: string): number => positions.get(id) ?? 0;
  const earliest = cycle.reduce((a, b) => (positionOf(b) < positionOf(a) ? b : a));
  const cut = cycle.indexOf(earliest);
  return [...cycle.slice(cut), ...cycle.slice(0, cut)];
}
