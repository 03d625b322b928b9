// In which order the modules of a plan are made, and what is still worth attempting when one of them fails.
import { CupelError } from "../error.ts";
import { moduleIdOf } from "../refs.ts";

/** The part of a planned module that decides about order. */
export interface PlanNode {
  readonly module_id: string;
  readonly depends_on: readonly string[];
}

export interface OrderablePlan {
  readonly modules: readonly PlanNode[];
}

export type ModuleOutcome = "shipped" | "failed";

export interface PlanProgress {
  /** What may be attempted now, in plan order; whoever runs several at once leaves out what is already running. */
  next: string[];
  /** Never to be attempted: each waits, directly or not, for a module that failed. */
  abandoned: string[];
  /** Undefined while something can still be attempted. */
  finished: "shipped" | "halted" | undefined;
}

/**
 * Wave by wave: first the modules that wait for nothing, then those that wait only for earlier waves; each wave in
 * declaration order. References to modules outside the plan do not count: those have shipped already. Linear time.
 */
export function planOrder(plan: OrderablePlan): string[] {
  return orderOf(plan, graphOf(plan));
}

export function planProgress(
  plan: OrderablePlan,
  outcomes: Readonly<Record<string, ModuleOutcome>>,
): PlanProgress {
  const graph = graphOf(plan);
  const order = orderOf(plan, graph);
  if (order.length === 0) {
    throw new CupelError("usage", "a plan without modules has no progress", {
      expected: "a plan that passed checkPlan",
    });
  }
  const known = outcomesOf(graph, outcomes);
  const lost = new Set<string>();
  const progress: PlanProgress = { next: [], abandoned: [], finished: undefined };
  for (const id of order) {
    const dependencies = [...(graph.get(id) ?? [])];
    const outcome = known.get(id);
    const behindFailure = dependencies.some((dependency) => lost.has(dependency));
    if (outcome === "failed" || behindFailure) lost.add(id);
    if (outcome !== undefined) continue;
    if (behindFailure) progress.abandoned.push(id);
    else if (dependencies.every((dependency) => known.get(dependency) === "shipped")) progress.next.push(id);
  }
  if (progress.next.length === 0) progress.finished = lost.size > 0 ? "halted" : "shipped";
  return progress;
}

/**
 * Cycles as lists of ids, each depending on the next and the last on the first, starting with the one declared
 * first. Names at least one cycle if there is any, not every way round a tangle. Linear time.
 */
export function findCycles(plan: OrderablePlan): string[][] {
  const graph = graphOf(plan);
  const waves = wavesOf(graph);
  const positions = new Map([...graph.keys()].map((id, index) => [id, index]));
  const walked = new Set<string>();
  const cycles: string[][] = [];
  for (const start of graph.keys()) {
    const trail: string[] = [];
    let here: string | undefined = waves.has(start) ? undefined : start;
    while (here !== undefined && !walked.has(here)) {
      walked.add(here);
      trail.push(here);
      here = firstStuck(graph.get(here), waves);
    }
    const entry = here === undefined ? -1 : trail.indexOf(here);
    if (entry >= 0) cycles.push(fromEarliest(trail.slice(entry), positions));
  }
  return cycles;
}

/** In declaration order: each module with the modules of the same plan it waits for. */
type Graph = ReadonlyMap<string, ReadonlySet<string>>;

function graphOf(plan: OrderablePlan): Graph {
  const graph = new Map(plan.modules.map((module) => [module.module_id, new Set<string>()]));
  for (const module of plan.modules) {
    for (const ref of module.depends_on) {
      const dependency = moduleIdOf(ref);
      if (graph.has(dependency)) graph.get(module.module_id)?.add(dependency);
    }
  }
  return graph;
}

function orderOf(plan: OrderablePlan, graph: Graph): string[] {
  if (graph.size !== plan.modules.length) {
    throw new CupelError("id_collision", "two modules of the plan have the same id", {
      expected: "a plan that passed checkPlan",
    });
  }
  const waves = wavesOf(graph);
  if (waves.size < graph.size) {
    const [cycle = []] = findCycles(plan);
    throw new CupelError("dependency_cycle", `modules wait for each other: ${renderCycle(cycle)}`, {
      expected: "a plan that passed checkPlan",
    });
  }
  const byWave: string[][] = [];
  for (const id of graph.keys()) (byWave[waves.get(id) ?? 0] ??= []).push(id);
  return byWave.flat();
}

/** `MM-a → MM-b → MM-a`. */
export function renderCycle(cycle: readonly string[]): string {
  return [...cycle, ...cycle.slice(0, 1)].join(" → ");
}

/** The wave of every module that can ever be ready; those in a cycle, or behind one, have none. */
function wavesOf(graph: Graph): Map<string, number> {
  const dependents = new Map<string, string[]>([...graph.keys()].map((id) => [id, []]));
  for (const [id, dependencies] of graph) {
    for (const dependency of dependencies) dependents.get(dependency)?.push(id);
  }
  const waiting = new Map([...graph].map(([id, dependencies]) => [id, dependencies.size]));
  const waves = new Map([...graph.keys()].filter((id) => waiting.get(id) === 0).map((id) => [id, 0]));
  // A Map visits what is added to it during the visit, in order: it is its own queue.
  for (const [id, wave] of waves) {
    for (const dependent of dependents.get(id) ?? []) {
      const left = (waiting.get(dependent) ?? 0) - 1;
      waiting.set(dependent, left);
      if (left === 0) waves.set(dependent, wave + 1);
    }
  }
  return waves;
}

function firstStuck(
  dependencies: ReadonlySet<string> | undefined,
  waves: ReadonlyMap<string, number>,
): string | undefined {
  for (const id of dependencies ?? []) if (!waves.has(id)) return id;
  return undefined;
}

function fromEarliest(cycle: string[], positions: ReadonlyMap<string, number>): string[] {
  let earliest = 0;
  const positionAt = (index: number): number => positions.get(cycle[index] ?? "") ?? 0;
  for (let index = 1; index < cycle.length; index++) {
    if (positionAt(index) < positionAt(earliest)) earliest = index;
  }
  return [...cycle.slice(earliest), ...cycle.slice(0, earliest)];
}

function outcomesOf(
  graph: Graph,
  outcomes: Readonly<Record<string, ModuleOutcome>>,
): Map<string, ModuleOutcome> {
  const known = new Map(Object.entries(outcomes));
  for (const id of known.keys()) {
    if (!graph.has(id))
      throw new CupelError("usage", `the plan has no module ${id} that could have an outcome`);
  }
  return known;
}
