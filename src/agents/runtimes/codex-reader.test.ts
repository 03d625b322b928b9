import { describe, expect, test } from "vitest";
import type { RuntimeRequest, TranscriptEntry } from "../port.ts";
import { codexReader } from "./codex-reader.ts";
import type { CodexEvent } from "./codex-sdk.ts";

const REQUEST: RuntimeRequest = {
  role: "proposer",
  key: { role: "proposer", task: null, module: null, node: "n", attempt: 1 },
  system: "s",
  prompt: "p",
  outputSchema: {},
  tools: [],
  model: "a:b",
  limits: { silenceMs: 7, timeoutMs: 1, maxInputTokens: 1000, maxOutputTokens: 100, maxTurns: 2 },
  signal: new AbortController().signal,
};
const item = (fields: object): CodexEvent => ({ type: "item.completed", item: fields });
const said = (text: string): CodexEvent => item({ type: "agent_message", text });
const done = (usage: unknown = { input_tokens: 100, output_tokens: 20 }): CodexEvent => ({
  type: "turn.completed",
  usage,
});
const failed = (message: string): CodexEvent => ({ type: "turn.failed", error: { message } });

function last(...events: CodexEvent[]) {
  const reader = codexReader(REQUEST, []);
  return [{ type: "thread.started", thread_id: "t1" }, ...events].map((event) => reader.read(event)).at(-1);
}

describe("Codex", () => {
  test.each<[string, CodexEvent[], object]>([
    [
      "its last words are the output",
      [said("wait"), said('{"a":1}'), done()],
      { kind: "answered", output: { a: 1 }, session: "t1" },
    ],
    [
      "words that are no JSON are none",
      [said("done!"), done()],
      { kind: "no-output", said: "done!", session: "t1" },
    ],
    ["nor is a list", [said("[1]"), done()], { kind: "no-output" }],
    ["nor is nothing", [done()], { kind: "no-output", said: "" }],
    ["a rate limit", [failed("exceeded retry limit, last status: 429 Too Many Requests")], { kind: "busy" }],
    ["an overload", [failed("unexpected status 529 <unknown status code>: overloaded")], { kind: "busy" }],
    ["a cut stream", [failed("stream disconnected before completion: closed")], { kind: "unavailable" }],
    [
      "a stream that stands still",
      [failed("stream disconnected: idle timeout waiting for SSE")],
      { kind: "silent", afterMs: 7, session: "t1" },
    ],
    [
      "no network",
      [{ type: "error", message: "Reconnecting... waiting for network (Connection failed)" }],
      { kind: "unavailable" },
    ],
    [
      "too much",
      [failed('{"error":{"message":"Your input","code":"context_length_exceeded"}}')],
      { kind: "too-long" },
    ],
    [
      "a prompt that was flagged",
      [failed('{"error":{"message":"No.","code":"invalid_prompt"}}')],
      { kind: "refused", why: "invalid_prompt: No." },
    ],
    [
      "a wrong key",
      [failed("unexpected status 401 Unauthorized: no")],
      { kind: "failed", hint: expect.stringContaining("key") },
    ],
  ])("%s", (_, events, ending) => {
    expect(last(...events)?.ending).toMatchObject(ending);
  });

  test("ends when it uses more tools than it has turns", () => {
    const use = item({ type: "mcp_tool_call", server: "cupel", tool: "ls" });
    expect(last(use, use)).toBeUndefined();
    expect(last(use, use, use)).toMatchObject({
      ending: { kind: "no-output", said: expect.stringContaining("more than 2 tools") },
      spent: { usage: "unknown" },
    });
  });

  test.each<[string, CodexEvent[], object]>([
    [
      "tokens, never a price",
      [said("x"), done()],
      { usage: { inputTokens: 100, outputTokens: 20 }, costUsd: "unknown" },
    ],
    [
      "what was kept of them",
      [done({ input_tokens: 100, output_tokens: 20, cached_input_tokens: 70 })],
      { usage: { inputTokens: 100, outputTokens: 20, cachedInputTokens: 70 } },
    ],
    [
      "not more kept than there were",
      [done({ input_tokens: 100, output_tokens: 20, cached_input_tokens: 700 })],
      { usage: { inputTokens: 100, cachedInputTokens: 100 } },
    ],
    ["zeros mean that nothing was told", [done({ input_tokens: 0, output_tokens: 0 })], { usage: "unknown" }],
    ["nothing told", [done(null)], { usage: "unknown", costUsd: "unknown" }],
    ["turned away at the door", [failed("unexpected status 529")], { costUsd: 0 }],
    ["turned away after some work", [said("x"), failed("unexpected status 529")], { costUsd: "unknown" }],
    ["cut in the middle", [failed("stream disconnected")], { costUsd: "unknown" }],
  ])("what it cost: %s", (_, events, spent) => {
    expect(last(...events)?.spent).toMatchObject(spent);
  });

  test("what it does is written down, our tools elsewhere, its complaints kept apart", () => {
    const transcript: TranscriptEntry[] = [];
    const reader = codexReader(REQUEST, transcript);
    const calls = ["cupel", "other"].map((server) =>
      item({ type: "mcp_tool_call", server, tool: "t", arguments: {} }),
    );
    for (const event of [
      item({ type: "reasoning", text: "hm" }),
      ...calls,
      item({ type: "error", message: "odd" }),
    ])
      expect(reader.read(event)).toBeUndefined();
    expect(transcript).toEqual([
      { kind: "thought", text: "hm" },
      { kind: "tool-call", tool: "t", input: {} },
    ]);
    expect(reader.complaint()).toBe("odd");
  });
});
