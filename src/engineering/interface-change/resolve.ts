// Resolves an interface change that a person approved: a debate about the new contract, and the task that makes it.
import { defineGraph } from "../../graph/define-graph.ts";
import type { Graphs } from "../../graph/graphs-port.ts";
import type { TaskRequest } from "../../domain/people/interface-change.ts";
import type { Halt } from "../../protocols/outcome.ts";
import { goOn } from "../../graph/go-on.ts";
import {
  applyAmendments,
  assessImpact,
  type ChangePorts,
  checkResolved,
  debateRound,
  finalize,
  proposeChange,
  validateIce,
} from "./nodes.ts";
import { changeState, type ChangeUpdate } from "./state.ts";

const MINUTE = 60_000;
const HARNESS = { timeoutMs: 10 * MINUTE, lane: "harness" };
const PROPOSER = { timeoutMs: 90 * MINUTE, lane: "proposer" };

export const interfaceChangeGraph = defineGraph({
  name: "interface-change",
  version: 1,
  state: changeState,
  nodes: {
    validate_ice: {
      ...HARNESS,
      does: "checks that the change can be made to what shipped",
      run: validateIce,
      routes: ["assess_impact", "halt"],
    },
    assess_impact: {
      ...HARNESS,
      does: "finds who uses it and what would break",
      run: assessImpact,
      to: ["propose_change"],
    },
    propose_change: {
      ...PROPOSER,
      does: "writes the new contract",
      run: proposeChange,
      routes: ["debate_round", "propose_change", "halt"],
    },
    debate_round: {
      timeoutMs: 90 * MINUTE,
      lane: "challenger",
      does: "tries to show that the new contract is wrong",
      run: debateRound,
      routes: ["debate_round", "propose_change", "check_resolved", "halt"],
    },
    check_resolved: {
      timeoutMs: 90 * MINUTE,
      lane: "arbiter",
      does: "decides about the new contract",
      run: checkResolved,
      routes: ["finalize", "apply_amendments", "propose_change", "halt"],
    },
    apply_amendments: {
      ...PROPOSER,
      does: "applies the Arbiter's amendments",
      run: applyAmendments,
      routes: ["finalize", "propose_change", "halt"],
    },
    finalize: { ...HARNESS, does: "locks the contract and asks for its task", run: finalize, to: ["end"] },
    halt: {
      ...HARNESS,
      does: "stops with everything a person needs in order to decide",
      run: async (): Promise<{ update: ChangeUpdate }> => ({ update: {} }),
      to: ["end"],
    },
  },
  entries: { start: "validate_ice" },
});

export type ChangeOutcome =
  | { kind: "resolved"; request: TaskRequest }
  /** The debate did not agree on it; the task that asked stays halted. */
  | { kind: "unresolved"; halt: Halt }
  | { kind: "stopped"; why: string };

/** Begins, or goes on where it stopped. */
export async function resolveInterfaceChange(
  graphs: Graphs,
  going: { thread: string; runId: string; ports: ChangePorts },
): Promise<ChangeOutcome> {
  const { thread, runId, ports } = going;
  const went = await goOn(graphs, interfaceChangeGraph, { thread, runId, ports });
  if (went.kind === "stopped") return went;
  const { request, outcome } = went.state;
  if (request !== null) return { kind: "resolved", request };
  if (outcome?.kind === "halted") return { kind: "unresolved", halt: outcome.halt };
  throw new Error(`${thread} came to its end without an outcome`);
}
