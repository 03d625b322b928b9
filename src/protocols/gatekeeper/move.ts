// The only way from one node to the next: what was seen moves the work, and the work says who is sent.
import type { WorkFacts } from "../../domain/gatekeeper/conditions.ts";
import { dispatchOf, transition } from "../../domain/gatekeeper/transition.ts";
import type { Dispatched, WorkGraph, WorkNodeType } from "../../domain/gatekeeper/work-graph.ts";
import { type Reason, stoppedBy } from "../halt-reasons.ts";
import type { Stop } from "../outcome.ts";
import type { GatekeeperState, GatekeeperUpdate } from "./state.ts";

export interface Move<Goto extends string> {
  node: WorkNodeType;
  facts: WorkFacts;
  /** Which node of the graph each of those is who can be sent from here. */
  to: Partial<Record<Dispatched, Goto>>;
  /** For the person, where nobody else can go on. */
  reason: () => Reason;
}

/** A change that the matrix does not allow is a mistake of ours, and so is somebody who cannot be reached from here. */
export function move<Goto extends string>(
  state: Pick<GatekeeperState, "work" | "trail">,
  { node, facts, to, reason }: Move<Goto>,
  more: GatekeeperUpdate = {},
): { update: GatekeeperUpdate; goto: Goto | "halt" } {
  const work = moved(state.work, node, facts);
  const sent = dispatchOf(work)?.to;
  if (sent === "person") {
    const trail = more.trail ?? state.trail;
    return {
      update: { ...more, work, outcome: { kind: "halted", halt: { trail, ...reason() } } },
      goto: "halt",
    };
  }
  const goto = sent === undefined ? undefined : to[sent];
  if (goto === undefined) throw new Error(`the ${sent ?? "nobody"} cannot be sent from ${node} here`);
  return { update: { ...more, work }, goto };
}

/** Whoever was asked gave nothing that the work could go on with. */
export function gaveUp<Goto extends string>(
  state: Pick<GatekeeperState, "work" | "trail">,
  { node, to, stop }: Pick<Move<Goto>, "node" | "to"> & { stop: Stop },
  more: GatekeeperUpdate,
): { update: GatekeeperUpdate; goto: Goto | "halt" } {
  return move(state, { node, facts: { role: "gave_up" }, to, reason: () => stoppedBy(stop) }, more);
}

export function moved(work: WorkGraph, node: WorkNodeType, facts: WorkFacts): WorkGraph {
  const result = transition(work, node, facts);
  if (result.kind === "refused") throw new Error(`the work cannot go on: ${result.why}`);
  return result.graph;
}
