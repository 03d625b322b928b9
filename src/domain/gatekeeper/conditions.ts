// The conditions of a transition: closed names, each with one evaluator over what stands in the graph or what was just seen.
import { z } from "zod";
import {
  attemptsOf,
  isOverridden,
  MAX_ATTEMPTS,
  nodeOf,
  type WorkGraph,
  type WorkNodeType,
} from "./work-graph.ts";
import { TesterVerdict } from "./tester-verdict.ts";

/** What the harness has just seen; never what an agent said about its own work. */
export const WorkFacts = z.strictObject({
  research: z.enum(["sound", "unsound"]).optional(),
  spec: z.enum(["sound", "unsound"]).optional(),
  code: z.enum(["delivered", "refused"]).optional(),
  /** `refused`: it left its place, or it is too weak to count. */
  suite: z.enum(["delivered", "refused"]).optional(),
  verdict: TesterVerdict.optional(),
  verifier: z.enum(["approved", "refused"]).optional(),
  door: z.enum(["shipped", "refused", "barred"]).optional(),
  /** Whoever was sent could not do the work. */
  role: z.literal("gave_up").optional(),
  person: z.enum(["fixed", "overrode"]).optional(),
});
export type WorkFacts = z.infer<typeof WorkFacts>;

/** One thing seen at a time, every one there is. */
export const EVERY_FACT: readonly WorkFacts[] = [
  { research: "sound" },
  { research: "unsound" },
  { spec: "sound" },
  { spec: "unsound" },
  { code: "delivered" },
  { code: "refused" },
  { suite: "delivered" },
  { suite: "refused" },
  ...TesterVerdict.options.map((verdict) => ({ verdict })),
  { verifier: "approved" },
  { verifier: "refused" },
  { door: "shipped" },
  { door: "refused" },
  { door: "barred" },
  { role: "gave_up" },
  { person: "fixed" },
  { person: "overrode" },
];

interface Standing {
  graph: WorkGraph;
  node: WorkNodeType;
}

/** Of the graph alone: a rule with no other conditions needs nobody to come true. */
const OF_GRAPH = {
  needs_research: ({ graph }: Standing) => nodeOf(graph, "RESEARCH") === undefined,
  needs_spec_generation: ({ graph }: Standing) => nodeOf(graph, "SPEC") === undefined,
  needs_code: ({ graph }: Standing) => nodeOf(graph, "CODE") === undefined,
  needs_suite: ({ graph }: Standing) => nodeOf(graph, "TEST_SUITE") === undefined,
  has_suite: ({ graph }: Standing) => nodeOf(graph, "TEST_SUITE") !== undefined,
  has_spec: ({ graph }: Standing) => nodeOf(graph, "SPEC") !== undefined,
  spec_verified: ({ graph }: Standing) => nodeOf(graph, "SPEC")?.status === "VERIFIED",
  under_max_attempts: ({ graph, node }: Standing) => !isSpent(graph, node),
  max_attempts_exceeded: ({ graph, node }: Standing) => isSpent(graph, node),
  code_testing: ({ graph }: Standing) => nodeOf(graph, "CODE")?.status === "TESTING",
  code_tested: ({ graph }: Standing) => ["TESTED", "VERIFIED"].includes(nodeOf(graph, "CODE")?.status ?? ""),
  code_verified: ({ graph }: Standing) => nodeOf(graph, "CODE")?.status === "VERIFIED",
  not_shipped: ({ graph }: Standing) => nodeOf(graph, "REQ")?.status !== "VERIFIED",
  suite_failed: ({ graph }: Standing) => nodeOf(graph, "TEST_SUITE")?.status === "FAILED",
  something_failed: ({ graph }: Standing) => hasFailed(graph),
  nothing_failed: ({ graph }: Standing) => !hasFailed(graph),
} as const;

const OF_FACTS = {
  research_sound: ({ research }: WorkFacts) => research === "sound",
  research_unsound: ({ research }: WorkFacts) => research === "unsound",
  spec_sound: ({ spec }: WorkFacts) => spec === "sound",
  spec_unsound: ({ spec }: WorkFacts) => spec === "unsound",
  code_delivered: ({ code }: WorkFacts) => code === "delivered",
  code_refused: ({ code }: WorkFacts) => code === "refused",
  suite_delivered: ({ suite }: WorkFacts) => suite === "delivered",
  suite_refused: ({ suite }: WorkFacts) => suite === "refused",
  tests_passed: ({ verdict }: WorkFacts) => verdict === "PASS",
  tests_need_revision: ({ verdict }: WorkFacts) => verdict === "NEEDS_REVISION",
  tests_failed_critical: ({ verdict }: WorkFacts) => verdict === "FAIL",
  verifier_approved: ({ verifier }: WorkFacts) => verifier === "approved",
  verifier_refused: ({ verifier }: WorkFacts) => verifier === "refused",
  door_shipped: ({ door }: WorkFacts) => door === "shipped",
  door_refused: ({ door }: WorkFacts) => door === "refused",
  door_barred: ({ door }: WorkFacts) => door === "barred",
  gave_up: ({ role }: WorkFacts) => role === "gave_up",
  person_fixed: ({ person }: WorkFacts) => person === "fixed",
  person_overrode: ({ person }: WorkFacts) => person === "overrode",
} as const;

type OfGraph = keyof typeof OF_GRAPH;
export type Condition = OfGraph | keyof typeof OF_FACTS;

export const CONDITIONS: readonly string[] = [...Object.keys(OF_GRAPH), ...Object.keys(OF_FACTS)];

export function isOfGraph(condition: Condition): condition is OfGraph {
  return condition in OF_GRAPH;
}

export function holds(condition: Condition, graph: WorkGraph, node: WorkNodeType, facts: WorkFacts): boolean {
  return isOfGraph(condition) ? OF_GRAPH[condition]({ graph, node }) : OF_FACTS[condition](facts);
}

/** After a person has stepped in nobody else mends, however many attempts were left. */
function isSpent(graph: WorkGraph, node: WorkNodeType): boolean {
  return attemptsOf(graph, node) >= MAX_ATTEMPTS || isOverridden(graph);
}

/** A suite that failed fails the code it was to test. */
function hasFailed({ nodes }: WorkGraph): boolean {
  return nodes.some(
    ({ type, status }) => status === "FAILED" && (type === "RESEARCH" || type === "SPEC" || type === "CODE"),
  );
}
