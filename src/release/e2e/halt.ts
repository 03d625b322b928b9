// Puts before a person that there are no end-to-end tests that count: asked once for each round.
import { z } from "zod";
import { sha256Hex } from "../../domain/canonical.ts";
import type { E2eHalt } from "../../domain/people/e2e-decision.ts";
import { questionTitle } from "../../domain/people/question-title.ts";
import { IsoTime } from "../../domain/refs.ts";
import type { NodeContext } from "../../graph/port.ts";
import type { E2eWork } from "./port.ts";
import type { E2eState, E2eUpdate } from "./state.ts";

export async function halt(
  { round, attempts, findings, stopped, work }: E2eState,
  { ports }: E2eWork,
  context: NodeContext,
): Promise<{ update: E2eUpdate }> {
  const { store, fence, runId, now } = ports;
  const why = stopped ?? "nobody knows why";
  const asked = await context.once("halt", z.strictObject({ at: IsoTime }), async () => ({
    at: now().toISOString(),
  }));
  const id = `e2e-${sha256Hex(context.thread).slice(0, 8)}-${round}`;
  const body: E2eHalt = { why, findings, attempts, work };
  await store.inbox.ask(fence, {
    id,
    kind: "e2e",
    runId,
    title: questionTitle(`The product has no end-to-end tests: ${why}`),
    body,
    answerSchema: "E2eDecision",
    askedAt: asked.at,
  });
  ports.onStep?.("halted");
  return { update: { end: { kind: "halted", why, question: id } } };
}
