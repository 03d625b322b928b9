import { AIMessage } from "@langchain/core/messages";
import { expect, test } from "vitest";
import { finishOf } from "./model-finish.ts";

test.each<[object, object, boolean, object]>([
  [{ response_metadata: { stop_reason: "end_turn" } }, {}, true, { kind: "ended" }],
  [{ response_metadata: { stop_reason: "tool_use" } }, {}, true, { kind: "ended" }],
  [{}, { finish_reason: "stop" }, true, { kind: "ended" }],
  [{}, { finishReason: "STOP" }, true, { kind: "ended" }],
  [{ response_metadata: { done_reason: "stop" } }, {}, true, { kind: "ended" }],
  [{ response_metadata: { status: "completed" } }, {}, true, { kind: "ended" }],
  [{ additional_kwargs: { stop_reason: "max_tokens" } }, {}, true, { kind: "cut-off" }],
  [{}, { finish_reason: "length" }, true, { kind: "cut-off" }],
  [{}, { finishReason: "MAX_TOKENS" }, true, { kind: "cut-off" }],
  [
    { response_metadata: { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } } },
    {},
    true,
    { kind: "cut-off" },
  ],
  [
    { response_metadata: { status: "incomplete", incomplete_details: { reason: "content_filter" } } },
    {},
    true,
    { kind: "refused" },
  ],
  [{ response_metadata: { stop_reason: "refusal" } }, {}, true, { kind: "refused", why: "No." }],
  [
    { additional_kwargs: { refusal: "I will not." } },
    { finish_reason: "stop" },
    true,
    { kind: "refused", why: "I will not." },
  ],
  [{}, { finishReason: "SAFETY" }, true, { kind: "refused" }],
  [{ response_metadata: { stop_reason: "model_context_window_exceeded" } }, {}, true, { kind: "too-long" }],
  [{}, {}, true, { kind: "broken" }],
  [{ response_metadata: { stop_reason: null } }, { finish_reason: "" }, true, { kind: "broken" }],
  [{}, {}, false, { kind: "ended" }],
])("%j with %j (an end is always told: %j)", (message, info, told, expected) => {
  expect(finishOf(new AIMessage({ content: "No.", ...message }), { ...info }, told)).toMatchObject(expected);
});
