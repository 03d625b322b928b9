// The last word of a thread, whichever way it ended: everything that came of it, kept where people and the next run find it.
import type { HybridResult } from "../../domain/blind/hybrid-result.ts";
import { resultText } from "../../domain/blind/result-text.ts";
import type { MutationResult } from "../../domain/blind/suite-verdict.ts";
import { deriveTypeVerdict } from "../../domain/blind/type-hole.ts";
import { isCallEnd, type RunEvent } from "../../domain/run/run-event.ts";
import type { NodeContext } from "../../graph/port.ts";
import type { ProtocolPorts } from "../port.ts";
import { adviceOn } from "./advice.ts";
import { heardSoFar } from "./blind-input.ts";
import { told } from "./mutation.ts";
import type { BlindState, BlindUpdate } from "./state.ts";
import { witnessed } from "./witness.ts";

/** Also where it halted: what was found until then is not lost. */
export async function exit(
  state: BlindState,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<{ update: BlindUpdate }> {
  const history = await ports.history(context);
  const witness = state.witness ?? (await witnessed(ports, context));
  const mutation = await finalMutation(state, context);
  const certificate = state.certificate ?? (await ports.certify(context));
  const result = resultOf({ ...state, witness, certificate, mutation }, ports, history);
  await ports.records.keep(context, "WITNESS_REPORT", {
    "witness.json": json(witness),
    "result.json": json(result),
    "result.md": resultText(result),
    "blindness.json": json(certificate),
  });
  return { update: { witness, certificate, mutation } };
}

/** An adversary that worked beside the graph has reported by now, failed, or run out of time. */
async function finalMutation(state: BlindState, context: NodeContext): Promise<MutationResult | null> {
  const { mutation, merged, advised } = state;
  if (mutation === null || merged === null || !advised) return mutation;
  const advice = await adviceOn(context, merged);
  return advice === undefined ? mutation : told(mutation, advice);
}

function resultOf(
  state: BlindState,
  { assignment }: ProtocolPorts,
  history: readonly RunEvent[],
): HybridResult {
  const { outcome, adversary, witness } = state;
  const holes = adversary?.output.holes ?? [];
  return {
    task: assignment.task.task_id,
    module: assignment.module.module_id,
    shipped: outcome?.kind === "shipped" ? outcome.shipped.module : null,
    halted: outcome?.kind === "halted" ? outcome.halt.decision : null,
    spec: [...state.functions],
    coverage: state.coverage,
    understanding: state.understanding,
    typeAdversary:
      adversary === null ? null : { verdict: deriveTypeVerdict(holes), holes, fixed: [...state.fixedHoles] },
    mutationAdversary: state.mutation,
    matrix: [...state.matrix],
    witness: witness ?? {
      observations: [],
      narrative: [],
      concerns: [],
      suggestions: [],
      wordedBy: "harness",
    },
    blindness:
      state.certificate === null
        ? null
        : { result: state.certificate.result, barrier: state.certificate.barrier },
    echoesDropped: heardSoFar(state).dropped,
    totalCost: costOf(history),
  };
}

/** What is unknown of one call is unknown of all of them. */
function costOf(history: readonly RunEvent[]): HybridResult["totalCost"] {
  let sum = 0;
  for (const event of history) {
    if (!isCallEnd(event)) continue;
    if (event.costUsd === "unknown") return "unknown";
    sum += event.costUsd;
  }
  return sum;
}

function json(record: unknown): string {
  return `${JSON.stringify(record, null, 2)}\n`;
}
