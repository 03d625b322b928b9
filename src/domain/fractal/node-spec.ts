// What one node of a tree is to make, how its work is divided among children, and how far a tree may unfold.
import { z } from "zod";
import { squeeze } from "../contract/fingerprint.ts";
import { findCycles, renderCycle } from "../cycles.ts";
import { refuse } from "../parse.ts";
import { form, Text } from "../refs.ts";

/** Also the folder of the module that comes of the node. */
export const NodeId = form(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, "a name such as parse-duration").max(64);
export type NodeId = z.infer<typeof NodeId>;

export const Criterion = z.strictObject({
  id: form(/^[A-Z]{1,8}-\d{1,4}(\.\d{1,4})*$/, "an id such as AC-1 or AC-1.2"),
  text: Text,
});
export type Criterion = z.infer<typeof Criterion>;

export const ComplexityConstraints = z.strictObject({
  time: Text.nullable().describe("Such as O(n log n)."),
  space: Text.nullable().describe("Such as O(1)."),
});

const Criteria = z
  .array(Criterion)
  .min(1)
  .superRefine((criteria, context) => {
    const seen = new Set<string>();
    criteria.forEach(({ id }, index) => {
      if (seen.has(id)) refuse(context, [index, "id"], "each criterion once", `"${id}" again`);
      seen.add(id);
    });
  });

export const NodeSpec = z.strictObject({
  id: NodeId,
  description: Text,
  acceptanceCriteria: Criteria,
  complexityConstraints: ComplexityConstraints.nullable(),
});
export type NodeSpec = z.infer<typeof NodeSpec>;

/** What a child must offer, so that its parent and its siblings can rely on it before it exists. */
export const AnnouncedExport = z.strictObject({
  name: form(/^[A-Za-z_$][\w$]*$/, "a name in the target language"),
  signature: Text.describe("In the target language, such as (text: string) => number."),
});
export type AnnouncedExport = z.infer<typeof AnnouncedExport>;

export const ChildSpec = NodeSpec.extend({
  exports: z.array(AnnouncedExport).min(1),
  /** Siblings whose exports it will call; it may begin before they are there. */
  uses: z.array(NodeId),
});
export type ChildSpec = z.infer<typeof ChildSpec>;

export const PlannedTest = z.strictObject({
  criterionId: Criterion.shape.id,
  plannedTestName: Text,
  approach: Text,
});
export type PlannedTest = z.infer<typeof PlannedTest>;

export const TreeLimits = z.strictObject({
  depth: z.int().min(1).max(16).describe("Levels of a tree, the root included."),
  breadth: z.int().min(1).max(200).describe("Children of one node."),
  nodes: z.int().min(1).max(2000).describe("Nodes of a whole tree."),
});
export type TreeLimits = z.infer<typeof TreeLimits>;

export const DEFAULT_LIMITS: TreeLimits = { depth: 4, breadth: 12, nodes: 60 };

export interface Unfolding {
  parent: NodeSpec;
  children: readonly ChildSpec[];
  /** Of the parent; the root is at 1. */
  depth: number;
  /** Ids of every node of the tree so far. */
  taken: ReadonlySet<string>;
  limits: TreeLimits;
}

/** Why a node cannot unfold like this, in words for whoever planned it; nothing where it can. */
export function unfoldingProblems({ parent, children, depth, taken, limits }: Unfolding): string[] {
  const problems: string[] = [];
  if (children.length === 0) return problems;
  if (depth >= limits.depth)
    problems.push(
      `${parent.id} is at level ${depth} of at most ${limits.depth} and may have no children; make it itself`,
    );
  if (children.length > limits.breadth)
    problems.push(
      `${parent.id} has ${children.length} children, at most ${limits.breadth} are allowed; group them`,
    );
  if (taken.size + children.length > limits.nodes)
    problems.push(
      `the tree would have ${taken.size + children.length} nodes, at most ${limits.nodes} are allowed`,
    );
  return [
    ...problems,
    ...nameProblems(children, taken),
    ...circleProblems(children),
    ...criteriaProblems(parent, children),
  ];
}

function nameProblems(children: readonly ChildSpec[], taken: ReadonlySet<string>): string[] {
  const names = children.map(({ id }) => id);
  return children.flatMap(({ id, uses }, index) => [
    ...(taken.has(id) || names.indexOf(id) !== index
      ? [`there is a node ${id} already; name each once`]
      : []),
    ...uses
      .filter((used) => used === id || !names.includes(used))
      .map((used) => `${id} uses ${used}, which is none of its siblings`),
  ]);
}

function circleProblems(children: readonly ChildSpec[]): string[] {
  // That one uses itself is told already.
  const graph = new Map(children.map(({ id, uses }) => [id, uses.filter((used) => used !== id)]));
  return findCycles(graph).map(
    (cycle) => `these use each other: ${renderCycle(cycle)}; move what they share into a child of its own`,
  );
}

/**
 * What a child answers for, its parent answers for: no criterion is invented below, each has one child at most, and under its
 * own name it asks for what it asked of the parent.
 */
function criteriaProblems({ acceptanceCriteria }: NodeSpec, children: readonly ChildSpec[]): string[] {
  const known = acceptanceCriteria.map(({ id }) => id);
  const texts = new Map(acceptanceCriteria.map(({ id, text }) => [id, text]));
  const owners = new Map<string, string>();
  const problems: string[] = [];
  for (const child of children)
    for (const { id, text } of child.acceptanceCriteria) {
      const owner = owners.get(id);
      const given = texts.get(id);
      if (given !== undefined && squeeze(given) !== squeeze(text))
        problems.push(
          `${id} of ${child.id} says ${JSON.stringify(text)}, and here it is ${JSON.stringify(given)}: give it as it is, or refine it as ${id}.1`,
        );
      if (!known.some((each) => id === each || id.startsWith(`${each}.`)))
        problems.push(`${id} of ${child.id} is no criterion of its parent and refines none`);
      if (owner !== undefined) problems.push(`${id} is given to ${owner} and to ${child.id}`);
      owners.set(id, child.id);
    }
  return problems;
}
