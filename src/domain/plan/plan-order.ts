// In which order the modules of a plan are made, and what is still worth attempting when one of them fails.
import { findCycles, renderCycle } from "../cycles.ts";
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
    const dependencies = graph.get(id) ?? [];
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

/** The cycles of a plan, each beginning with the module declared first. */
export function planCycles(plan: OrderablePlan): string[][] {
  return findCycles(graphOf(plan));
}

/** In declaration order: each module with the modules of the same plan it waits for. */
type Graph = ReadonlyMap<string, readonly string[]>;

/** Modules with the same id, which a draft may have, count as one that waits for all that any of them waits for. */
function graphOf(plan: OrderablePlan): Graph {
  const graph = new Map(plan.modules.map((module) => [module.module_id, new Set<string>()]));
  for (const module of plan.modules) {
    for (const id of module.depends_on.map(moduleIdOf)) {
      if (graph.has(id)) graph.get(module.module_id)?.add(id);
    }
  }
  return new Map([...graph].map(([id, dependencies]) => [id, [...dependencies]]));
}

function orderOf(plan: OrderablePlan, graph: Graph): string[] {
  if (graph.size !== plan.modules.length) {
    throw new CupelError("id_collision", "two modules of the plan have the same id", {
      expected: "a plan that passed checkPlan",
    });
  }
  const waves = wavesOf(graph);
  if (waves.size < graph.size) {
    const [cycle = []] = planCycles(plan);
    throw new CupelError("dependency_cycle", `modules wait for each other: ${renderCycle(cycle)}`, {
      expected: "a plan that passed checkPlan",
    });
  }
  const byWave: string[][] = [];
  for (const id of graph.keys()) (byWave[waves.get(id) ?? 0] ??= []).push(id);
  return byWave.flat();
}

/** The wave of every module that can ever be ready; those in a cycle, or behind one, have none. */
function wavesOf(graph: Graph): Map<string, number> {
  const dependents = new Map<string, string[]>([...graph.keys()].map((id) => [id, []]));
  for (const [id, dependencies] of graph) {
    for (const dependency of dependencies) dependents.get(dependency)?.push(id);
  }
  const waiting = new Map([...graph].map(([id, dependencies]) => [id, dependencies.length]));
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
