// Calls as a runtime gets them, for tests that look at one thing only.
import { z } from "zod";
import type { AgentTool, RuntimeRequest, ToolName } from "../../../src/agents/port.ts";

export const LIMITS = {
  silenceMs: 10_000,
  timeoutMs: 60_000,
  maxInputTokens: 100_000,
  maxOutputTokens: 10_000,
  maxTurns: 9,
};

export function request(change: Partial<RuntimeRequest> = {}): RuntimeRequest {
  return {
    role: "proposer",
    key: { role: "proposer", task: null, module: null, node: "n", attempt: 1 },
    system: "You are the Proposer.",
    prompt: "Do the work.",
    outputSchema: { type: "object", properties: { answer: { type: "object" } }, required: ["answer"] },
    tools: [],
    model: "anthropic:claude-sonnet-5",
    limits: LIMITS,
    signal: new AbortController().signal,
    ...change,
  };
}

export function tool(name: ToolName): AgentTool {
  return { name, description: `Does ${name}.`, input: z.looseObject({}), run: async () => "done" };
}
