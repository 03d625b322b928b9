// Reads what Codex's CLI says during one call: what it did, what it used, how it ended.
import type { RuntimeAnswer, RuntimeRequest, Spent, TranscriptEntry } from "../port.ts";
import type { CodexEvent } from "./codex-sdk.ts";
import { SERVER } from "./mcp-tools.ts";
import { type Bare, NOTHING_SPENT, UNKNOWN_SPENT } from "./open-calls.ts";
import { failureOf, statusIn } from "./provider-failure.ts";
import { countOf, isRecord, jsonIn, recordOf, textOf } from "./untyped.ts";

export interface CodexEnding {
  ending: Bare<RuntimeAnswer>;
  spent: Spent;
}

export interface CodexReader {
  /** Undefined while it goes on. */
  read(event: CodexEvent): CodexEnding | undefined;
  session(): string | undefined;
  /** The CLI's last complaint. */
  complaint(): string;
}

export function codexReader({ limits }: RuntimeRequest, transcript: TranscriptEntry[]): CodexReader {
  let session: string | undefined;
  let said = "";
  let complaint = "";
  let worked = false;
  let toolsUsed = 0;

  function readItem(item: Readonly<Record<string, unknown>>): void {
    const text = textOf(item["text"]);
    switch (item["type"]) {
      case "agent_message":
        worked = true;
        said = text;
        transcript.push({ kind: "said", text });
        return;
      case "reasoning":
        worked = true;
        transcript.push({ kind: "thought", text });
        return;
      case "error":
        complaint = textOf(item["message"]);
        return;
      case "mcp_tool_call":
        worked = true;
        toolsUsed += 1;
        // Ours are written down where they are used.
        if (item["server"] === SERVER) return;
        transcript.push({ kind: "tool-call", tool: textOf(item["tool"]), input: item["arguments"] });
        return;
      default:
        worked = true;
        transcript.push({ kind: "tool-call", tool: textOf(item["type"]), input: item });
    }
  }

  function failed(text: string): CodexEnding {
    const spent = worked ? UNKNOWN_SPENT : NOTHING_SPENT;
    if (/idle timeout/i.test(text))
      return { ending: { kind: "silent", afterMs: limits.silenceMs, session }, spent: UNKNOWN_SPENT };
    const detail = recordOf(recordOf(jsonIn(text))["error"]);
    const words = [textOf(detail["code"]), textOf(detail["message"])]
      .filter((part) => part !== "")
      .join(": ");
    const ending = failureOf({
      status: statusIn(text),
      text: words === "" ? text : words,
      keyHint: "check the key that the codex runtime is given",
    });
    // A stream that was cut has cost what came of it.
    return { ending, spent: ending.kind === "unavailable" ? UNKNOWN_SPENT : spent };
  }

  return {
    read(event) {
      if (event.type === "thread.started") session = textOf(event.thread_id);
      if (event.type === "item.completed") readItem(recordOf(event.item));
      if (event.type === "error") complaint = textOf(event.message);
      // Without a network the CLI would wait for one for ever.
      if (event.type === "error" && complaint.startsWith("Reconnecting")) return failed(complaint);
      // The CLI counts no turns for us; each use of a tool is one.
      if (toolsUsed > limits.maxTurns) {
        const told = `${said}\nit used more than ${limits.maxTurns} tools`.trim();
        return { ending: { kind: "no-output", said: told, session: session ?? "" }, spent: UNKNOWN_SPENT };
      }
      if (event.type === "turn.failed") return failed(textOf(recordOf(event.error)["message"]));
      if (event.type !== "turn.completed") return undefined;
      return { ending: endingOf(said, session ?? ""), spent: spentOf(event.usage) };
    },
    session: () => session,
    complaint: () => complaint,
  };
}

/** What it says last is the output, when it is one. */
function endingOf(said: string, session: string): Bare<RuntimeAnswer> {
  const output = jsonIn(said);
  return isRecord(output) ? { kind: "answered", output, session } : { kind: "no-output", said, session };
}

function spentOf(usage: unknown): Spent {
  if (!isRecord(usage)) return UNKNOWN_SPENT;
  const inputTokens = countOf(usage["input_tokens"]);
  const outputTokens = countOf(usage["output_tokens"]);
  // A provider that tells no tokens is read as zeros by the CLI; nothing costs nothing.
  if (inputTokens + outputTokens === 0) return UNKNOWN_SPENT;
  const cached = usage["cached_input_tokens"];
  const kept = cached === undefined ? {} : { cachedInputTokens: Math.min(countOf(cached), inputTokens) };
  return { usage: { inputTokens, outputTokens, ...kept }, costUsd: "unknown" };
}
