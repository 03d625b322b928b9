// Walks every way that a matrix allows and says what is wrong with it: dead branches, ways without an end, choices that are
// none, and words that nothing uses.
import { CONDITIONS, EVERY_FACT, type WorkFacts } from "./conditions.ts";
import { dispatchesInto, dispatchOf, openedWork, openRules, transition } from "./transition.ts";
import { type Standing, TRANSITION_MATRIX, type TransitionMatrix } from "./transition-matrix.ts";
import {
  attemptsOf,
  Dispatched,
  isOverridden,
  nodeOf,
  WorkEdgeType,
  type WorkGraph,
  WorkNodeType,
  WorkStatus,
} from "./work-graph.ts";

export interface MatrixReport {
  /** In words; none for a matrix that can be trusted. */
  problems: string[];
  /** How many different states of a work were looked at. */
  looked: number;
  /** How the work can end: the statuses of CODE, or "none" where it failed before there was any. */
  endings: string[];
}

export function checkMatrix(matrix: TransitionMatrix = TRANSITION_MATRIX): MatrixReport {
  const walk = walkAll(
    matrix,
    EVERY_FACT.filter(({ person }) => person === undefined),
  );
  const withPeople = walkAll(matrix, EVERY_FACT);
  const problems = [
    ...walk.problems,
    ...unreached(matrix, withPeople.standings),
    ...unclear(matrix),
    ...unused(matrix),
  ];
  return { problems: [...new Set(problems)], looked: walk.looked, endings: [...walk.endings].toSorted() };
}

interface Walk {
  problems: string[];
  standings: Set<Standing>;
  endings: Set<string>;
  looked: number;
}

function walkAll(matrix: TransitionMatrix, facts: readonly WorkFacts[]): Walk {
  const walk: Walk = { problems: [], standings: new Set(), endings: new Set(), looked: 0 };
  const done = new Set<string>();
  const visit = (graph: WorkGraph, above: ReadonlySet<string>): void => {
    const key = keyOf(graph);
    if (above.has(key)) walk.problems.push(`it goes in circles: ${standingsOf(graph).join(", ")}`);
    if (done.has(key)) return;
    done.add(key);
    walk.looked += 1;
    for (const standing of standingsOf(graph)) walk.standings.add(standing);
    const next = followers(graph, matrix, facts, walk.problems);
    judgeEnd(graph, matrix, next.length, walk);
    const path = new Set([...above, key]);
    for (const each of next) visit(each, path);
  };
  visit(openedWork(matrix), new Set());
  return walk;
}

function followers(
  graph: WorkGraph,
  matrix: TransitionMatrix,
  facts: readonly WorkFacts[],
  problems: string[],
): WorkGraph[] {
  return graph.nodes.flatMap(({ type, status }) =>
    facts.flatMap((seen) => {
      const open = openRules(graph, type, seen, matrix);
      if (open.length > 1) problems.push(`${type} ${status} could go two ways on ${JSON.stringify(seen)}`);
      if (open.length !== 1) return [];
      const moved = transition(graph, type, seen, matrix);
      return moved.kind === "moved" ? [moved.graph] : [];
    }),
  );
}

/** Where nothing can follow, it must have shipped or wait for a person; where somebody is sent, something must follow. */
function judgeEnd(graph: WorkGraph, matrix: TransitionMatrix, followers: number, walk: Walk): void {
  const dispatch = dispatchOf(graph, matrix);
  const code = nodeOf(graph, "CODE")?.status;
  const hasShipped = nodeOf(graph, "REQ")?.status === "VERIFIED" && code === "VERIFIED";
  const waits = dispatch?.to === "person";
  if (followers > 0) {
    if (dispatch === undefined) walk.problems.push(`nobody is sent to ${standingsOf(graph).join(", ")}`);
    return;
  }
  walk.endings.add(code ?? "none");
  if (hasShipped || waits) return;
  const last = graph.nodes.at(-1);
  walk.problems.push(`${last?.type} ${last?.status} is a dead branch: nothing follows from it`);
}

function unreached(matrix: TransitionMatrix, standings: ReadonlySet<Standing>): string[] {
  const known: ReadonlySet<string> = standings;
  return Object.keys(matrix)
    .filter((standing) => !known.has(standing))
    .map((standing) => `${standing.replace(":", " ")} is never reached`);
}

/** Who is sent must not depend on the way by which it came to stand there. */
function unclear(matrix: TransitionMatrix): string[] {
  return WorkNodeType.options.flatMap((type) =>
    WorkStatus.options.flatMap((status) => {
      const sent = dispatchesInto(`${type}:${status}`, matrix);
      return sent.length < 2 ? [] : [`${type} ${status} is given to ${sent.join(" and ")}`];
    }),
  );
}

function unused(matrix: TransitionMatrix): string[] {
  const rules = Object.values(matrix).flat();
  const used = new Set<string>([
    ...Object.keys(matrix).flatMap((standing) => standing.split(":")),
    ...rules.flatMap(({ to, when, dispatches, edge, creates }) => [
      to,
      ...when,
      dispatches ?? "",
      edge?.type ?? "",
      creates?.type ?? "",
      creates?.dispatches ?? "",
      creates === undefined ? "" : "TRACES_TO",
    ]),
  ]);
  const words = [
    ...WorkNodeType.options,
    ...WorkStatus.options,
    ...WorkEdgeType.options,
    ...Dispatched.options,
    ...CONDITIONS,
  ];
  return words.filter((word) => !used.has(word)).map((word) => `nothing uses ${word}`);
}

function standingsOf({ nodes }: WorkGraph): Standing[] {
  return nodes.map(({ type, status }): Standing => `${type}:${status}`);
}

/** How often it was sent back makes a difference to what can follow; that a person spoke counts once. */
function keyOf(graph: WorkGraph): string {
  const attempts = WorkNodeType.options.map((type) => attemptsOf(graph, type));
  return JSON.stringify([standingsOf(graph), attempts, isOverridden(graph)]);
}
