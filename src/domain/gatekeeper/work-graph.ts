// The words of the gatekeeper protocol: what a piece of work consists of, where each part can stand, and who is sent to it.
import { z } from "zod";
import { refuse } from "../parse.ts";

/** In the order in which they come into being; there is one of each in a piece of work. */
export const WorkNodeType = z.enum(["REQ", "RESEARCH", "SPEC", "CODE", "TEST_SUITE"]);
export type WorkNodeType = z.infer<typeof WorkNodeType>;

export const WorkStatus = z.enum(["PENDING", "TESTING", "TESTED", "VERIFIED", "FAILED"]);
export type WorkStatus = z.infer<typeof WorkStatus>;

/** `FEEDBACK` is one attempt that was sent back; `OVERRIDES` is a person's word, after which nobody else mends. */
export const WorkEdgeType = z.enum(["TRACES_TO", "TESTS", "FEEDBACK", "OVERRIDES"]);
export type WorkEdgeType = z.infer<typeof WorkEdgeType>;

/** Who is sent where something stands: a role, the harness with its gates, the door, or a person. */
export const Dispatched = z.enum([
  "researcher",
  "architect",
  "builder",
  "tester",
  "verifier",
  "harness",
  "door",
  "person",
]);
export type Dispatched = z.infer<typeof Dispatched>;

const WorkNode = z.strictObject({ type: WorkNodeType, status: WorkStatus });
type WorkNode = z.infer<typeof WorkNode>;

const WorkEdge = z.strictObject({ type: WorkEdgeType, from: WorkNodeType, to: WorkNodeType });
export type WorkEdge = z.infer<typeof WorkEdge>;

export const WorkGraph = z
  .strictObject({ nodes: z.array(WorkNode).min(1), edges: z.array(WorkEdge) })
  .superRefine(({ nodes, edges }, context) => {
    const types = nodes.map(({ type }) => type);
    types.forEach((type, index) => {
      if (types.indexOf(type) !== index) refuse(context, ["nodes", index], "each type once", `${type} again`);
    });
    edges.forEach(({ from, to }, index) => {
      for (const end of [from, to])
        if (!types.includes(end)) refuse(context, ["edges", index], "edges between nodes", `one to ${end}`);
    });
  });
export type WorkGraph = z.infer<typeof WorkGraph>;

/** The requirement alone, as a plan gives it. */
export const REQUIREMENT: WorkGraph = { nodes: [{ type: "REQ", status: "PENDING" }], edges: [] };

export function nodeOf({ nodes }: WorkGraph, type: WorkNodeType): WorkNode | undefined {
  return nodes.find((node) => node.type === type);
}

/** How often its maker may be asked, the first time included. */
export const MAX_ATTEMPTS = 3;

export function attemptsOf({ edges }: Pick<WorkGraph, "edges">, type: WorkNodeType): number {
  return 1 + edges.filter((edge) => edge.type === "FEEDBACK" && edge.to === type).length;
}

export function isOverridden({ edges }: Pick<WorkGraph, "edges">): boolean {
  return edges.some(({ type }) => type === "OVERRIDES");
}
