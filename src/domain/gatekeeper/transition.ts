// Moves a part of the work where the matrix lets it go, and says who is sent next; everything else is refused in words.
import { type Condition, holds, isOfGraph, type WorkFacts } from "./conditions.ts";
import {
  type Standing,
  TRANSITION_MATRIX,
  type TransitionMatrix,
  type TransitionRule,
} from "./transition-matrix.ts";
import { type Dispatched, nodeOf, REQUIREMENT, type WorkGraph, type WorkNodeType } from "./work-graph.ts";

export type Moved = { kind: "moved"; graph: WorkGraph } | { kind: "refused"; why: string };

/** Whatever follows by rule alone has happened, too, when it is done. */
export function transition(
  graph: WorkGraph,
  type: WorkNodeType,
  facts: WorkFacts,
  matrix: TransitionMatrix = TRANSITION_MATRIX,
): Moved {
  const standing = standingOf(graph, type);
  if (standing === undefined) return { kind: "refused", why: `there is no ${type} yet that could change` };
  const open = openRules(graph, type, facts, matrix);
  const [rule, second] = open;
  if (rule === undefined)
    return { kind: "refused", why: `${inWords(standing)} goes nowhere on ${factWords(facts)}` };
  if (second !== undefined)
    return { kind: "refused", why: `${inWords(standing)} could go two ways on ${factWords(facts)}` };
  return { kind: "moved", graph: settled(applied(graph, type, rule), matrix) };
}

/** A requirement with everything that follows from it before anybody has done anything. */
export function openedWork(matrix: TransitionMatrix = TRANSITION_MATRIX): WorkGraph {
  return settled(REQUIREMENT, matrix);
}

export interface Dispatch {
  to: Dispatched;
  node: WorkNodeType;
}

/**
 * Who is sent next: the newest part that waits for somebody, as the rules say that lead to where it stands. Undefined
 * where nobody is: the work is done, or it is dead.
 */
export function dispatchOf(
  graph: WorkGraph,
  matrix: TransitionMatrix = TRANSITION_MATRIX,
): Dispatch | undefined {
  for (const { type, status } of graph.nodes.toReversed()) {
    const [to] = dispatchesInto(`${type}:${status}`, matrix);
    if (to !== undefined && to !== null) return { to, node: type };
  }
  return undefined;
}

/** By every rule that leads there, whether it moves the node or makes it; each once. */
export function dispatchesInto(standing: Standing, matrix: TransitionMatrix): (Dispatched | null)[] {
  const found = Object.entries(matrix).flatMap(([from, rules]) => {
    const [type] = from.split(":");
    return rules.flatMap(({ to, dispatches, creates }) => [
      ...(`${type}:${to}` === standing ? [dispatches] : []),
      ...(creates !== undefined && `${creates.type}:${creates.status}` === standing
        ? [creates.dispatches]
        : []),
    ]);
  });
  return [...new Set(found)];
}

/** Rules of where it stands whose conditions all hold. */
export function openRules(
  graph: WorkGraph,
  type: WorkNodeType,
  facts: WorkFacts,
  matrix: TransitionMatrix,
): TransitionRule[] {
  const standing = standingOf(graph, type);
  const rules = standing === undefined ? [] : (matrix[standing] ?? []);
  return rules.filter(({ when }) => when.every((condition) => holds(condition, graph, type, facts)));
}

function applied(graph: WorkGraph, type: WorkNodeType, { to, edge, creates }: TransitionRule): WorkGraph {
  const nodes = graph.nodes.map((node) => (node.type === type ? { ...node, status: to } : node));
  const made = creates === undefined ? [] : [{ type: creates.type, status: creates.status }];
  return {
    nodes: [...nodes, ...made],
    edges: [
      ...graph.edges,
      ...(edge === undefined ? [] : [{ ...edge, to: type }]),
      ...(creates === undefined ? [] : [{ type: "TRACES_TO" as const, from: creates.type, to: type }]),
    ],
  };
}

/** More steps than any chain of rules without facts could have; only a matrix that goes in circles has more. */
const MOST_STEPS = 32;

function settled(graph: WorkGraph, matrix: TransitionMatrix): WorkGraph {
  let now = graph;
  for (let step = 0; step < MOST_STEPS; step++) {
    const next = selfMoving(now, matrix);
    if (next === undefined) return now;
    now = applied(now, next.type, next.rule);
  }
  throw new Error("the transition matrix goes in circles by itself");
}

function selfMoving(
  graph: WorkGraph,
  matrix: TransitionMatrix,
): { type: WorkNodeType; rule: TransitionRule } | undefined {
  for (const { type } of graph.nodes)
    for (const rule of openRules(graph, type, {}, matrix))
      if (rule.when.every((condition: Condition) => isOfGraph(condition))) return { type, rule };
  return undefined;
}

function standingOf(graph: WorkGraph, type: WorkNodeType): Standing | undefined {
  const node = nodeOf(graph, type);
  return node === undefined ? undefined : `${type}:${node.status}`;
}

function inWords(standing: Standing): string {
  return standing.replace(":", " ");
}

function factWords(facts: WorkFacts): string {
  const seen = Object.entries(facts).map(([what, found]) => `${what} ${found}`);
  return seen.length === 0 ? "nothing seen" : seen.join(", ");
}
