import { describe, expect, test } from "vitest";
import type { TranscriptEntry } from "../port.ts";
import { acpFailure, acpReader } from "./acp-reader.ts";

type Update = Record<string, unknown>;
const said = (text: string): Update => ({
  sessionUpdate: "agent_message_chunk",
  content: { type: "text", text },
});
const call = (id: string, title: string): Update => ({ sessionUpdate: "tool_call", toolCallId: id, title });

function heard(...updates: Update[]) {
  const transcript: TranscriptEntry[] = [];
  const reader = acpReader(transcript);
  for (const update of updates) reader.read({ sessionId: "s", update });
  return { reader, transcript };
}

describe("what an agent tells", () => {
  test("becomes one speech out of its pieces", () => {
    const thought = { sessionUpdate: "agent_thought_chunk", content: { text: "hm" } };
    const { transcript, reader } = heard(said("one, "), said("two"), thought, said("three"));
    expect(transcript.map((entry) => "text" in entry && entry.text)).toEqual(["one, two", "hm", "three"]);
    expect(reader.said()).toBe("one, two\nthree");
  });

  test("counts every tool, and writes down its own", () => {
    const { transcript, reader } = heard(
      call("1", "shell"),
      call("2", "mcp__cupel__read"),
      call("1", "shell"),
    );
    expect(reader.toolsUsed()).toBe(2);
    expect(transcript.map((entry) => entry.kind === "tool-call" && entry.tool)).toEqual(["shell", "shell"]);
  });

  test.each<[string, unknown, number | "unknown"]>([
    ["dollars", { amount: 0.5, currency: "USD" }, 0.5],
    ["another currency", { amount: 0.5, currency: "EUR" }, "unknown"],
    ["less than nothing", { amount: -1, currency: "USD" }, "unknown"],
    ["nothing told", null, "unknown"],
  ])("costs %s", (_, cost, costUsd) => {
    expect(heard({ sessionUpdate: "usage_update", cost }).reader.spent()).toEqual({
      usage: "unknown",
      costUsd,
    });
  });

  test("fills no memory without end", () => {
    const { transcript } = heard(...Array.from({ length: 100 }, () => said("x".repeat(100_000))));
    expect(JSON.stringify(transcript).length).toBeLessThan(4_200_000);
  });

  test.each([
    null,
    "x",
    {},
    { update: 5 },
    { update: { sessionUpdate: "tool_call_update", toolCallId: {} } },
  ])("is nothing when it is %j", (params) => {
    const transcript: TranscriptEntry[] = [];
    acpReader(transcript).read(params);
    expect(transcript).toEqual([]);
  });
});

test.each<[string, unknown, object | undefined]>([
  [
    "an error of the agent",
    Object.assign(new Error("broken"), { code: -32_603 }),
    { kind: "failed", why: "broken" },
  ],
  [
    "a rate limit in its words",
    Object.assign(new Error("Internal"), { code: 1, data: "status 429" }),
    { kind: "busy" },
  ],
  [
    "a login",
    Object.assign(new Error("x"), { code: -32_000 }),
    { kind: "failed", hint: expect.stringMatching(/log in/) },
  ],
  ["a closed pipe, which no agent told", new Error("connection closed"), undefined],
])("%s", (_, error, expected) => {
  if (expected === undefined) expect(acpFailure(error)).toBeUndefined();
  else expect(acpFailure(error)).toMatchObject(expected);
});
