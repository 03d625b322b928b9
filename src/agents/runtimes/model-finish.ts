// How one turn of a model ended. A stream that was cut looks like a short answer unless its end is looked for.
import type { AIMessage } from "@langchain/core/messages";

export type Finish =
  | { kind: "ended" }
  /** As long as it was allowed to be; whatever it was about to do is incomplete. */
  | { kind: "cut-off" }
  | { kind: "refused"; why: string }
  | { kind: "too-long"; why: string }
  /** The end never came. */
  | { kind: "broken" };

const REASONS = ["stop_reason", "finish_reason", "finishReason", "done_reason", "status"];
const LENGTH = new Set(["max_tokens", "length", "max_output_tokens", "incomplete"]);
const REFUSALS = new Set([
  "refusal",
  "content_filter",
  "safety",
  "prohibited_content",
  "blocklist",
  "recitation",
  "spii",
]);

/** `info` is what a provider told about the turn besides the message; `told` whether it always tells an end. */
export function finishOf(message: AIMessage, info: Readonly<Record<string, unknown>>, told: boolean): Finish {
  const places = [message.response_metadata, message.additional_kwargs, info];
  const refusal = places
    .map((place) => place["refusal"])
    .find((text) => typeof text === "string" && text !== "");
  if (typeof refusal === "string") return { kind: "refused", why: refusal };
  const reason = reasonIn([...places, ...places.map((place) => place["incomplete_details"])]);
  if (reason === undefined) return told ? { kind: "broken" } : { kind: "ended" };
  if (REFUSALS.has(reason))
    return { kind: "refused", why: saidOr(message, `the model stopped with ${reason}`) };
  if (reason === "model_context_window_exceeded")
    return { kind: "too-long", why: "the conversation filled the model's context window" };
  return LENGTH.has(reason) ? { kind: "cut-off" } : { kind: "ended" };
}

/** Details first: OpenAI says `incomplete`, and only inside why. */
function reasonIn(places: readonly unknown[]): string | undefined {
  for (const place of places.toReversed()) {
    if (typeof place !== "object" || place === null) continue;
    for (const name of [...REASONS, "reason"]) {
      const value: unknown = Reflect.get(place, name);
      if (typeof value === "string" && value !== "") return value.toLowerCase();
    }
  }
  return undefined;
}

function saidOr(message: AIMessage, otherwise: string): string {
  return message.text.trim() === "" ? otherwise : message.text.trim();
}
