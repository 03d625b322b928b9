// Whether one more turn of a model would cross what its call may read, write and take.
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { countTokensApproximately } from "langchain";
import { z } from "zod";
import type { RuntimeRequest } from "../port.ts";
import type { ModelMeter } from "./model-meter.ts";

export type LimitReached = "turns" | "input" | "output";

/** With less left to write a turn would only be cut off. */
const LEAST_OUTPUT = 64;
const CHARACTERS_A_TOKEN = 4;
/** Where a conversation is summarized; the summary reads all of it once more. */
const NEARLY_FULL = 0.8;

/** `window` is what the model can take in, where that is known. */
export function limitReached(
  messages: readonly BaseMessage[],
  request: RuntimeRequest,
  meter: ModelMeter,
  window = Number.POSITIVE_INFINITY,
): LimitReached | undefined {
  const { maxTurns, maxInputTokens, maxOutputTokens } = request.limits;
  if (meter.turns >= maxTurns) return "turns";
  if (maxOutputTokens - meter.outputTokens < Math.min(LEAST_OUTPUT, maxOutputTokens)) return "output";
  const next = nextInput(messages, request, meter.lastInput);
  const reads = next > window * NEARLY_FULL ? 2 * next : next;
  return meter.inputTokens + reads > maxInputTokens ? "input" : undefined;
}

/** What was counted the last time is better than any estimate. */
function nextInput(messages: readonly BaseMessage[], request: RuntimeRequest, lastInput: number): number {
  if (lastInput > 0) {
    const since = messages.findLastIndex((message) => AIMessage.isInstance(message));
    return lastInput + countTokensApproximately(messages.slice(Math.max(0, since)));
  }
  const told = [
    request.system,
    JSON.stringify(request.outputSchema),
    ...request.tools.map(
      ({ description, input }) => description + JSON.stringify(z.toJSONSchema(input, { io: "input" })),
    ),
  ];
  const characters = told.reduce((sum, text) => sum + text.length, 0);
  return countTokensApproximately([...messages]) + Math.ceil(characters / CHARACTERS_A_TOKEN);
}
