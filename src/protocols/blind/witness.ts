// Tells from the journal what happened. An agent may word it; whatever it says beyond the journal is not told.
import { witness as witnessRole } from "../../agents/roles/witness.ts";
import { witnessReportOf } from "../../domain/blind/witness-events.ts";
import { worded, type WitnessReport } from "../../domain/blind/witness.ts";
import type { NodeContext } from "../../graph/port.ts";
import type { ProtocolPorts } from "../port.ts";
import type { BlindState, BlindUpdate } from "./state.ts";

/** More would be read by nobody. */
const MOST_SENTENCES = 200;

export async function witness(
  _state: BlindState,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<{ update: BlindUpdate }> {
  const derived = await witnessed(ports, context);
  const told = [...derived.narrative, ...derived.concerns].slice(0, MOST_SENTENCES);
  if (told.length === 0) return { update: { witness: derived } };
  const answer = await ports.ask(context, {
    role: witnessRole,
    attempt: 1,
    input: { events: told.map(({ text, events }) => ({ seq: events[0] ?? 0, text })) },
  });
  // A witness that cannot speak changes nothing about what was seen.
  if (answer.kind === "stopped") return { update: { witness: derived } };
  const known = new Set(told.flatMap(({ events }) => events));
  return { update: { witness: worded(derived, answer.output, known) } };
}

export async function witnessed(ports: ProtocolPorts, context: NodeContext): Promise<WitnessReport> {
  return witnessReportOf(await ports.history(context));
}
