import { describe, expect, test } from "vitest";
import type { RuntimeRequest, TranscriptEntry } from "../port.ts";
import { claudeReader, type Heard } from "./claude-code-reader.ts";
import type { ClaudeMessage } from "./claude-code-sdk.ts";

const REQUEST: RuntimeRequest = {
  role: "proposer",
  key: { role: "proposer", task: null, module: null, node: "n", attempt: 1 },
  system: "s",
  prompt: "p",
  outputSchema: {},
  tools: [],
  model: "a:b",
  limits: { silenceMs: 1, timeoutMs: 1, maxInputTokens: 1000, maxOutputTokens: 100, maxTurns: 1 },
  signal: new AbortController().signal,
};
type Fields = Record<string, unknown>;
const message = (type: string, fields: Fields = {}): ClaudeMessage => ({ type, session_id: "s1", ...fields });
const event = (fields: Fields): ClaudeMessage => message("stream_event", { event: fields });
const result = (fields: Fields): ClaudeMessage => message("result", { subtype: "success", ...fields });
const retry = (fields: Fields): ClaudeMessage =>
  message("system", {
    subtype: "api_retry",
    error: "rate_limit",
    error_status: 429,
    retry_delay_ms: 7000,
    ...fields,
  });
const requesting = message("system", { subtype: "status", status: "requesting" });
const asked = (input: number, output: number): ClaudeMessage[] => [
  event({
    type: "message_start",
    message: { usage: { input_tokens: 1, cache_read_input_tokens: input - 1 } },
  }),
  event({ type: "message_delta", usage: { output_tokens: output } }),
  event({ type: "message_stop" }),
];
const used = {
  inputTokens: 10,
  cacheReadInputTokens: 5,
  cacheCreationInputTokens: 1,
  outputTokens: 2,
  costUSD: 0.5,
};

function last(messages: readonly ClaudeMessage[], change: Partial<RuntimeRequest> = {}): Heard | undefined {
  const reader = claudeReader({ ...REQUEST, ...change }, []);
  return messages.map((one) => reader.read(one)).at(-1);
}

describe("the last message", () => {
  test.each<[string, Fields, object]>([
    ["an output", { structured_output: { a: 1 } }, { kind: "answered", output: { a: 1 }, session: "s1" }],
    ["success without one", { result: "done!" }, { kind: "no-output", said: "done!", session: "s1" }],
    ["a refusal", { is_error: true, stop_reason: "refusal", result: "no" }, { kind: "refused", why: "no" }],
    [
      "too much",
      { is_error: true, terminal_reason: "prompt_too_long", result: "long" },
      { kind: "too-long" },
    ],
    [
      "no more turns",
      { subtype: "error_max_turns", errors: ["turns"] },
      { kind: "no-output", said: "turns" },
    ],
    [
      "no output that fits",
      { subtype: "error_max_structured_output_retries", errors: ["bad"] },
      { kind: "no-output", said: "bad" },
    ],
    [
      "an error of the provider",
      { is_error: true, api_error_status: 500, result: "x" },
      { kind: "unavailable" },
    ],
    [
      "another error",
      { subtype: "error_during_execution", errors: ["x", "y"] },
      { kind: "failed", why: "x; y" },
    ],
    ["a kind that is new", { subtype: "whatever" }, { kind: "failed" }],
  ])("with %s", (_, fields, ending) => {
    expect(last([result(fields)])).toMatchObject({ kind: "ended", running: false, ending });
  });

  test("hands over an output that the CLI gave up on", () => {
    const block = { type: "tool_use", name: "StructuredOutput", input: { a: "wrong" } };
    const messages = [
      message("assistant", { message: { content: [block] } }),
      result({ subtype: "error_max_structured_output_retries" }),
    ];
    expect(last(messages)).toMatchObject({ ending: { kind: "answered", output: { a: "wrong" } } });
  });
});

describe("what a call cost", () => {
  const usage = { inputTokens: 16, outputTokens: 2 };

  test.each<[string, Fields, Partial<RuntimeRequest>, object]>([
    ["all of it", { modelUsage: { m: used } }, {}, { usage, costUsd: 0.5 }],
    [
      "of a fork, without its parent",
      { modelUsage: { m: { ...used, inputTokens: 999 } }, model_usage_since_last_result: { m: used } },
      { forkFrom: "s0" },
      { usage, costUsd: 0.5 },
    ],
    [
      "of a fork that tells only totals",
      { modelUsage: { m: used } },
      { forkFrom: "s0" },
      { usage: "unknown" },
    ],
    [
      "with two models",
      { modelUsage: { m: used, n: used } },
      {},
      { usage: { inputTokens: 32, outputTokens: 4, cachedInputTokens: 10 }, costUsd: 1 },
    ],
    [
      "at a price that is a guess",
      { modelUsage: { m: used, n: { ...used, costBasis: "unknown" } } },
      {},
      { costUsd: "unknown" },
    ],
    ["when nothing was asked", { modelUsage: {} }, {}, { costUsd: 0 }],
    ["when nothing is told", {}, {}, { usage: "unknown", costUsd: "unknown" }],
  ])("%s", (_, fields, change, spent) => {
    expect(last([result(fields)], change)).toMatchObject({ spent });
  });

  test("is unknown when something was asked and nothing is told of it", () => {
    expect(last([...asked(5, 1), result({ modelUsage: {} })])).toMatchObject({
      spent: { costUsd: "unknown" },
    });
  });
});

describe("while it runs", () => {
  test.each<[string, ClaudeMessage[], object]>([
    ["a ping is no sign of life", [event({ type: "ping" })], { kind: "nothing" }],
    ["a word is one", [event({ type: "content_block_delta" })], { kind: "life" }],
    [
      "a busy provider ends it, with the time to come back",
      [retry({})],
      { kind: "ended", running: true, ending: { kind: "busy", retryAfterMs: 7000 }, spent: { costUsd: 0 } },
    ],
    [
      "a guess of the CLI is no time",
      [retry({ retry_delay_ms: 549 })],
      { ending: { retryAfterMs: undefined } },
    ],
    [
      "a cut stream ends it, at a price that nobody knows",
      [retry({ error_status: null })],
      { ending: { kind: "unavailable" }, spent: { costUsd: "unknown" } },
    ],
    ["after paid work the CLI may wait", [...asked(5, 1), retry({})], { kind: "waits", ms: 7000 }],
    [
      "but not for a key that is not taken",
      [...asked(5, 1), retry({ error_status: 401 })],
      { ending: { kind: "failed", hint: expect.stringContaining("key") } },
    ],
    ["it goes on below the caps", [...asked(400, 90), requesting], { kind: "life" }],
    [
      "it ends before it would read too much",
      [...asked(500, 10), requesting],
      {
        kind: "ended",
        running: true,
        ending: { kind: "failed" },
        spent: { usage: { inputTokens: 500, outputTokens: 10 } },
      },
    ],
    ["or write too much", [...asked(10, 100), requesting], { kind: "ended", ending: { kind: "failed" } }],
  ])("%s", (_, messages, expected) => {
    expect(last(messages)).toMatchObject(expected);
  });

  test("its words and its own tools are written down, ours elsewhere", () => {
    const transcript: TranscriptEntry[] = [];
    const reader = claudeReader(REQUEST, transcript);
    const content = [
      { type: "thinking", thinking: "hm" },
      { type: "text", text: "hello" },
      { type: "tool_use", id: "1", name: "Read", input: { file_path: "a" } },
      { type: "tool_use", id: "2", name: "mcp__cupel__build", input: {} },
    ];
    reader.read(message("assistant", { message: { content } }));
    const results = ["1", "2"].map((id) => ({
      type: "tool_result",
      tool_use_id: id,
      content: "text",
      is_error: true,
    }));
    reader.read(message("user", { message: { content: results } }));
    expect(transcript).toEqual([
      { kind: "thought", text: "hm" },
      { kind: "said", text: "hello" },
      { kind: "tool-call", tool: "Read", input: { file_path: "a" } },
      { kind: "tool-result", tool: "Read", text: "text", failed: true },
    ]);
  });

  test.each([{}, { message: null }, { message: { content: [null, 5, {}] } }, { event: "x" }])(
    "it survives what no CLI says: %j",
    (fields) => {
      for (const type of ["assistant", "user", "system", "stream_event", "result", "x"])
        expect(last([message(type, fields)])).toHaveProperty("kind");
    },
  );
});
