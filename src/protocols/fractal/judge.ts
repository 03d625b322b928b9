// What becomes of a node that was in the merge queue of its parent: its siblings are told what it changed, and the parent's
// reviewer judges whether it is what was asked for. Who could not be merged is told why.
import { z } from "zod";
import { judgeChild } from "../../agents/roles/judge-child.ts";
import type { MicroModuleContract } from "../../domain/contract/contract.ts";
import type { EvidenceReport } from "../../domain/debate/debate-records.ts";
import { type CriteriaCoverage, Critique } from "../../domain/fractal/exits.ts";
import type { ChildSpec, NodeSpec } from "../../domain/fractal/node-spec.ts";
import { Text } from "../../domain/refs.ts";
import { defineGraph, stateKey } from "../../graph/define-graph.ts";
import type { NodeContext, StateOf, UpdateOf } from "../../graph/port.ts";
import { stoppedBy } from "../halt-reasons.ts";
import { Halt } from "../outcome.ts";
import type { ProtocolPorts } from "../port.ts";

export interface JudgePorts extends Pick<ProtocolPorts, "ask"> {
  /** How often the child was merged, this time included. */
  readonly times: number;
  /** Null where a person has decided about it already. */
  readonly merged: ToJudge | null;
  /** Tells everybody whom the merge reaches what it changed; the same again changes nothing. */
  broadcast(context: NodeContext): Promise<void>;
}

export interface ToJudge {
  /** Of the parent. */
  spec: NodeSpec;
  child: ChildSpec;
  contract: MicroModuleContract;
  files: { path: string; text: string }[];
  evidence: EvidenceReport;
  coverage: CriteriaCoverage;
}

const verdictState = {
  /** Why the queue did not take it; empty where it did. */
  refusals: stateKey({ schema: z.array(Text), initial: (): string[] => [] }),
  findings: stateKey({ schema: z.array(Text), initial: (): string[] => [] }),
  critiques: stateKey({ schema: z.array(Critique), initial: (): Critique[] => [] }),
  /** Nobody could judge it. */
  halt: stateKey({ schema: Halt.nullable(), initial: () => null }),
};
export type VerdictState = StateOf<typeof verdictState>;

const NO_TRAIL: Halt["trail"] = { proposals: [], challenges: [], adjudications: [] };

async function judge(
  { refusals }: VerdictState,
  ports: JudgePorts,
  context: NodeContext,
): Promise<{ update: UpdateOf<typeof verdictState> }> {
  await ports.broadcast(context);
  if (refusals.length > 0) return { update: { findings: refusals } };
  if (ports.merged === null) return { update: {} };
  const answer = await ports.ask(context, {
    role: judgeChild,
    attempt: ports.times,
    input: ports.merged,
    situation: { protocol: "fractal" },
  });
  if (answer.kind === "stopped") return { update: { halt: { trail: NO_TRAIL, ...stoppedBy(answer.stop) } } };
  const { exit } = answer.output;
  if (exit.kind === "Satisfied") return { update: {} };
  const findings = exit.missingCriteria.map((id) => `the parent finds that ${id} is not satisfied`);
  return { update: { findings, critiques: exit.critiques } };
}

export const verdictGraph = defineGraph({
  name: "fractal-verdict",
  version: 1,
  state: verdictState,
  nodes: {
    judge: {
      run: judge,
      to: ["end"],
      timeoutMs: 90 * 60_000,
      lane: "reviewer",
      does: "tells siblings what was merged, and judges it for the parent",
    },
  },
  entries: { start: "judge" },
});
