// Speculation: tests and code begin before the type adversary has answered. A critical hole stops them, or is mailed to
// them, as the project says.
import { hasCritical } from "../../domain/blind/type-hole.ts";
import type { NodeContext } from "../../graph/port.ts";
import { stoppedBy } from "../halt-reasons.ts";
import type { ProtocolPorts } from "../port.ts";
import { gate, lock } from "./gate.ts";
import { halted } from "./halt.ts";
import { settingsOf } from "./settings.ts";
import { checkSkeleton, scaffold } from "./skeleton.ts";
import type { BlindState, BlindUpdate, Ending } from "./state.ts";
import { attackTypes } from "./type-adversary.ts";
import { stopOfWriters } from "./verify-tdd.ts";
import { firstCode, writeCode } from "./write-code.ts";
import { firstTests, writeTests } from "./write-tests.ts";

const WRITERS = ["early_tests", "early_impl"] as const;

/** What stops the writers of one round in this process; a process that goes on after a crash comes to the same end. */
const rounds = new Map<string, AbortController>();

function roundOf({ thread }: NodeContext, { typeFixes }: Pick<BlindState, "typeFixes">): AbortController {
  const key = roundKey(thread, typeFixes);
  const known = rounds.get(key) ?? new AbortController();
  rounds.set(key, known);
  return known;
}

function roundKey(thread: string, typeFixes: number): string {
  return `${thread} ${typeFixes}`;
}

export async function headStart(
  state: BlindState,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<{ update: BlindUpdate }> {
  const { update } = await scaffold(state, ports, context);
  const checked = await checkSkeleton({ ...state, ...update }, ports, context);
  return { update: { ...update, ...checked.update, letterRead: [] } };
}

export async function earlyAdversary(
  state: BlindState,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<{ update: BlindUpdate }> {
  if (state.skeletonFindings.length > 0) return { update: {} };
  const { update } = await attackTypes(state, ports, context);
  const holes = update.adversary?.output.holes ?? [];
  if (!hasCritical(holes)) return { update };
  if (settingsOf(ports).speculation === "abort") roundOf(context, state).abort();
  else {
    const text = holes.map(({ description, suggestedFix }) => `${description}: ${suggestedFix}`).join("\n");
    for (const writer of WRITERS) await ports.letters.send(context, writer, text);
  }
  return { update };
}

export function earlyTests(state: BlindState, ports: ProtocolPorts, context: NodeContext) {
  return early(state, ports, context, {
    ended: (testsEnding) => ({ testsEnding }),
    first: (stoppable) => firstTests(state, ports, stoppable),
    again: (written, letters) => writeTests({ ...state, ...written }, ports, context, () => true, letters),
  });
}

export function earlyImpl(state: BlindState, ports: ProtocolPorts, context: NodeContext) {
  return early(state, ports, context, {
    ended: (implEnding) => ({ implEnding }),
    first: (stoppable) => firstCode(state, ports, stoppable),
    again: (written, letters) => writeCode({ ...state, ...written }, ports, context, () => true, letters),
  });
}

interface Writer {
  ended: (ending: Ending) => BlindUpdate;
  first: (stoppable: NodeContext) => Promise<BlindUpdate>;
  again: (written: BlindUpdate, letters: readonly string[]) => Promise<BlindUpdate>;
}

/** Whoever finds a letter when its work is done is asked once more with it. */
async function early(
  state: BlindState,
  ports: ProtocolPorts,
  context: NodeContext,
  { ended, first, again }: Writer,
): Promise<{ update: BlindUpdate }> {
  if (state.skeletonFindings.length > 0) return { update: ended({ kind: "aborted" }) };
  const { signal: stop } = roundOf(context, state);
  const stoppable = { ...context, signal: AbortSignal.any([context.signal, stop]) };
  try {
    stop.throwIfAborted();
    const written = await first(stoppable);
    const letters = await ports.letters.read(context);
    if (letters.length === 0) return { update: written };
    return { update: { ...written, ...(await again(written, letters)), letterRead: [context.node] } };
  } catch (error) {
    if (stop.aborted && !context.signal.aborted) return { update: ended({ kind: "aborted" }) };
    throw error;
  }
}

export async function earlyGate(
  state: BlindState,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<{ update: BlindUpdate; goto: "verify_tdd" | "types_fix" | "halt" }> {
  rounds.delete(roundKey(context.thread, state.typeFixes));
  const { update, goto } = await gate(state, ports, context);
  if (goto !== "pass") return { update, goto };
  const stop = stopOfWriters(state);
  if (stop !== undefined) return halted({ ...state, ...update }, stoppedBy(stop), update);
  return { update: { ...update, ...(await lock(state, ports, context)) }, goto: "verify_tdd" };
}
