// Reads what an agent of the Agent Client Protocol tells during one call.
import type { RuntimeAnswer, Spent, TranscriptEntry } from "../port.ts";
import { SERVER } from "./mcp-tools.ts";
import { type Bare, UNKNOWN_SPENT } from "./open-calls.ts";
import { failureOf, statusIn } from "./provider-failure.ts";
import { contentText, recordOf, textOf } from "./untyped.ts";

type Json = Readonly<Record<string, unknown>>;

export interface AcpReader {
  /** Takes one `session/update`. */
  read(params: unknown): void;
  said(): string;
  /** How many tools it used, its own included. */
  toolsUsed(): number;
  spent(): Spent;
}

/** An agent that talks without end fills no memory. */
const MOST_CHARACTERS = 4_000_000;

export function acpReader(transcript: TranscriptEntry[]): AcpReader {
  let cost: number | undefined;
  let left = MOST_CHARACTERS;
  const used = new Set<string>();
  const own = new Map<string, string>();

  /** Words come in pieces; one speech is one entry. */
  function speak(kind: "said" | "thought", text: string): void {
    if (text === "" || left <= 0) return;
    left -= text.length;
    const last = transcript.at(-1);
    if (last?.kind === kind) transcript[transcript.length - 1] = { kind, text: last.text + text };
    else transcript.push({ kind, text });
  }

  /** Ours are written down where they are used. */
  function beginTool(update: Json): void {
    if (left <= 0) return;
    const id = textOf(update["toolCallId"]);
    const tool = textOf(update["name"]) || textOf(update["title"]);
    left -= JSON.stringify(update).length;
    used.add(id);
    if (tool.includes(SERVER)) return;
    own.set(id, tool);
    transcript.push({ kind: "tool-call", tool, input: update["rawInput"] });
  }

  function endTool(update: Json): void {
    const tool = own.get(textOf(update["toolCallId"]));
    const failed = update["status"] === "failed";
    if (tool === undefined || left <= 0 || (!failed && update["status"] !== "completed")) return;
    const text = contentText(update["content"]);
    left -= text.length;
    transcript.push({ kind: "tool-result", tool, text, failed });
  }

  return {
    read(params) {
      const update = recordOf(recordOf(params)["update"]);
      const text = textOf(recordOf(update["content"])["text"]);
      switch (update["sessionUpdate"]) {
        case "agent_message_chunk":
          speak("said", text);
          return;
        case "agent_thought_chunk":
          speak("thought", text);
          return;
        case "tool_call":
          beginTool(update);
          return;
        case "tool_call_update":
          endTool(update);
          return;
        case "usage_update": {
          const { amount, currency } = recordOf(update["cost"]);
          if (typeof amount === "number" && amount >= 0 && currency === "USD") cost = amount;
        }
      }
    },
    said: () => transcript.flatMap((entry) => (entry.kind === "said" ? [entry.text] : [])).join("\n"),
    toolsUsed: () => used.size,
    spent: () => (cost === undefined ? UNKNOWN_SPENT : { usage: "unknown", costUsd: cost }),
  };
}

/** The protocol knows no statuses; an agent that tells one does it in words. Undefined where no agent has spoken. */
export function acpFailure(error: unknown): Bare<RuntimeAnswer> | undefined {
  const { code, data } = recordOf(error);
  if (typeof code !== "number") return undefined;
  const message = error instanceof Error ? error.message : String(error);
  const detail = data === undefined || data === null ? "" : `: ${JSON.stringify(data).slice(0, 1000)}`;
  if (code === AUTH_REQUIRED)
    return {
      kind: "failed",
      why: `the agent wants to be logged in${detail}`,
      hint: "log in with the agent itself, in its home",
    };
  const text = `${message}${detail}`;
  return failureOf({ status: statusIn(text), text });
}

const AUTH_REQUIRED = -32_000;
