// Our tools as a server of the Model Context Protocol, message by message; what carries the messages is not its concern.
import { z } from "zod";
import type { AgentTool, TranscriptEntry } from "../port.ts";
import { type ToolResult, useTool } from "../use-tool.ts";
import { isRecord } from "./untyped.ts";
import type { Vigil } from "./vigil.ts";

/** The name of our server, as agents see it before the names of tools. */
export const SERVER = "cupel";

/** Of one call: an agent that uses tools without end fills no memory. */
const MOST_CHARACTERS = 4_000_000;
const LEFT_OUT = "(left out: it is too much)";

export interface McpTool {
  name: string;
  description: string;
  inputSchema: Readonly<Record<string, unknown>>;
  run(input: unknown): Promise<ToolResult>;
}

/** Undefined for what needs no reply. */
export type AnswerMcp = (message: unknown) => Promise<object | undefined>;

/** Every use is written down as the agent's harness saw it, whatever the agent tells about it. */
export function offered(
  tools: readonly AgentTool[],
  transcript: TranscriptEntry[],
  signal: AbortSignal,
  vigil: Vigil,
): McpTool[] {
  let left = MOST_CHARACTERS;
  /** What is too much for the transcript is only named there. */
  const noted = <T>(value: T): T | string => {
    const size = sizeOf(value);
    if (size > left) return LEFT_OUT;
    left -= size;
    return value;
  };
  return tools.map((tool) => ({
    name: tool.name,
    description: tool.description,
    inputSchema: inputSchemaOf(tool),
    async run(input) {
      transcript.push({ kind: "tool-call", tool: tool.name, input: noted(input) });
      const result = await vigil.during(() => useTool(tools, tool.name, input, signal));
      transcript.push({ kind: "tool-result", tool: tool.name, ...result, text: noted(result.text) });
      return result;
    },
  }));
}

function sizeOf(value: unknown): number {
  try {
    return JSON.stringify(value)?.length ?? 0;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

export function mcpServer(tools: readonly McpTool[]): AnswerMcp {
  return async (message) => {
    if (!isRecord(message) || typeof message["method"] !== "string") return undefined;
    const { id, method, params } = message;
    // Without an id it is a notification.
    if (typeof id !== "string" && typeof id !== "number") return undefined;
    const result = await resultOf(method, isRecord(params) ? params : {}, tools);
    if (result !== undefined) return { jsonrpc: "2.0", id, result };
    return { jsonrpc: "2.0", id, error: { code: -32_601, message: `there is no ${method} here` } };
  };
}

async function resultOf(
  method: string,
  params: Readonly<Record<string, unknown>>,
  tools: readonly McpTool[],
): Promise<object | undefined> {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: params["protocolVersion"] ?? "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: SERVER, version: "1" },
      };
    case "ping":
      return {};
    case "tools/list":
      return {
        tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
      };
    case "tools/call":
      return callResult(await call(params, tools));
    default:
      return undefined;
  }
}

async function call(
  params: Readonly<Record<string, unknown>>,
  tools: readonly McpTool[],
): Promise<ToolResult> {
  const tool = tools.find(({ name }) => name === params["name"]);
  if (tool !== undefined) return tool.run(params["arguments"] ?? {});
  const names = tools.map(({ name }) => name).join(", ");
  return { text: `There is no such tool. You have: ${names === "" ? "none" : names}.`, failed: true };
}

function callResult({ text, failed }: ToolResult): object {
  return { content: [{ type: "text", text }], isError: failed };
}

/** Agents check schemas with older drafts, some of which stop at a draft they do not know. */
function inputSchemaOf(tool: AgentTool): Readonly<Record<string, unknown>> {
  return withoutDraft(z.toJSONSchema(tool.input, { io: "input", unrepresentable: "any" }));
}

export function withoutDraft(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { $schema: _, ...rest } = schema;
  return rest;
}
