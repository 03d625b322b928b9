// From what a person wants to a specification that they approved: goes as far as it can without them, and says what it
// waits for. Called again it goes on from there, in whichever process and run.
import { CupelError } from "../domain/error.ts";
import type { SpecDecision } from "../domain/people/spec-decision.ts";
import { whyStopped } from "../graph/go-on.ts";
import type { Graphs } from "../graph/graphs-port.ts";
import type { GraphOutcome } from "../graph/port.ts";
import { productGraph } from "./graph.ts";
import type { ProductOutcome, ProductPorts } from "./port.ts";
import { specIn } from "./records.ts";
import { ProductEnd, type ProductState } from "./state.ts";

/** There is one product in a project, and one thread that makes its specification. */
const THREAD = "product";

/** `approveAs`: the person who said beforehand that whatever is complete is approved. */
export async function refineProduct(
  ports: ProductPorts,
  { approveAs }: { approveAs?: string } = {},
): Promise<ProductOutcome> {
  const { graphs } = ports;
  const found = graphs.find(THREAD);
  let outcome: GraphOutcome<ProductState> =
    found === undefined
      ? await graphs.run(productGraph, { thread: THREAD, runId: ports.runId, ports })
      : await graphs.resume(productGraph, { thread: THREAD, ports });
  let isOld = found?.status === "finished";
  for (;;) {
    if (outcome.kind !== "finished") return interrupted(outcome);
    const { state } = outcome;
    const entry = await entryAfter(ports, state, isOld, approveAs);
    if (entry === undefined) return told(ports, state);
    outcome = await graphs.enter(productGraph, { thread: THREAD, ports, at: entry });
    isOld = false;
  }
}

/** Whether a person has approved a specification here, and all that follows from it is done. */
export function isApproved(graphs: Graphs): boolean {
  const end = ProductEnd.nullish().safeParse(graphs.find(THREAD)?.endedWith?.["end"]).data;
  return end?.kind === "approved";
}

/** Where there is something to go on with now; undefined where a person is next. */
async function entryAfter(
  ports: ProductPorts,
  state: ProductState,
  isOld: boolean,
  approveAs: string | undefined,
): Promise<"start" | "decide" | undefined> {
  const { inbox } = ports.store;
  const end = endOf(state);
  if (end.kind === "approved") return undefined;
  // Whoever asks again after a stop wants another try.
  if (end.kind === "stopped") return isOld ? "start" : undefined;
  if ((await inbox.find(end.artifact))?.answer) return "decide";
  // Nobody approves beforehand what was made from other words than they see now.
  if (approveAs === undefined || isChanged(ports, state)) return undefined;
  await inbox.answer(end.artifact, { action: "APPROVE" } satisfies SpecDecision, approveAs);
  return "decide";
}

async function told(ports: ProductPorts, state: ProductState): Promise<ProductOutcome> {
  const end = endOf(state);
  if (end.kind === "stopped") return end;
  const sourceChanged = isChanged(ports, state);
  const { store, fence } = ports;
  const asked = await store.inbox.find(end.artifact);
  if (asked === undefined) throw new Error(`nobody was asked about ${end.artifact}`);
  if (end.kind === "waiting") return { kind: "waiting", question: asked.question, sourceChanged };
  const row = await store.artifacts.get(end.artifact);
  await store.product.show(fence, row, (ref) => store.payloads.get(ref));
  return {
    kind: "approved",
    spec: await specIn(ports, row.body["spec.json"] ?? ""),
    artifact: `${end.artifact}@${row.envelope.version}`,
    by: asked.answer?.by ?? "",
    sourceChanged,
  };
}

function endOf({ end }: ProductState): ProductEnd {
  if (end === null) throw new Error("the product loop ended without an outcome");
  return end;
}

function isChanged({ source }: ProductPorts, state: ProductState): boolean {
  return state.source !== source.hash;
}

function interrupted(outcome: Exclude<GraphOutcome<unknown>, { kind: "finished" }>): ProductOutcome {
  const again = "run the same command again; it goes on from the last draft";
  const cause = outcome.kind === "failed" ? outcome.cause : undefined;
  if (!(cause instanceof CupelError)) return { kind: "stopped", why: whyStopped(outcome), next: again };
  // What is wrong with the machine is no matter of the product.
  if (cause.code !== "call_interrupted") throw cause;
  return { kind: "stopped", why: cause.message, next: cause.hint ?? again };
}
