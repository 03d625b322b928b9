// What becomes of an exception: who is asked next, and what evidence it must carry before anybody is.
import { z } from "zod";
import { Text } from "../refs.ts";

export const ExceptionType = z.enum(["SkillIssue", "MissingDependency", "Ambiguity", "Contradiction"]);
export type ExceptionType = z.infer<typeof ExceptionType>;

export const NodeException = z.strictObject({
  type: ExceptionType,
  /** The exact sentence of the specification that it is about. */
  provenance: Text,
  /** A test or an error that shows it. */
  evidence: Text,
  attemptHistory: z.array(z.strictObject({ approach: Text, outcome: Text })),
});
export type NodeException = z.infer<typeof NodeException>;

export interface ExceptionRoute {
  action: "retry" | "look_at_siblings" | "clarify" | "stop";
  escalateTo: "nobody" | "sibling_or_parent" | "parent" | "root";
}

export const EXCEPTION_ROUTES: Readonly<Record<ExceptionType, ExceptionRoute>> = {
  SkillIssue: { action: "retry", escalateTo: "nobody" },
  MissingDependency: { action: "look_at_siblings", escalateTo: "sibling_or_parent" },
  Ambiguity: { action: "clarify", escalateTo: "parent" },
  Contradiction: { action: "stop", escalateTo: "root" },
};

export type ClarifiedBy = { kind: "node"; node: string } | { kind: "person" };

/** A question climbs: the parent answers for its children, and only at the root is there nobody but a person. */
export function clarifiedBy(parent: string | null): ClarifiedBy {
  return parent === null ? { kind: "person" } : { kind: "node", node: parent };
}

export interface Exporting {
  node: string;
  /** Names that it offers: announced by its parent, or there already. */
  exports: readonly string[];
  merged: boolean;
}

/** Who has what somebody is missing: it is there already, it will come, or the planner must think again. */
export type Supplier =
  | { kind: "there"; node: string }
  | { kind: "coming"; node: string }
  | { kind: "nobody" };

export function supplierOf(symbol: string, siblings: readonly Exporting[]): Supplier {
  const offering = siblings.filter(({ exports }) => exports.includes(symbol));
  const there = offering.find(({ merged }) => merged);
  if (there !== undefined) return { kind: "there", node: there.node };
  const [coming] = offering;
  return coming === undefined ? { kind: "nobody" } : { kind: "coming", node: coming.node };
}
