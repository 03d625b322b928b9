// Reads what Claude Code's CLI says during one call: signs of life, what it did, when it would cross a cap, its end.
import type { CallLimits, RuntimeAnswer, RuntimeRequest, Spent, TranscriptEntry } from "../port.ts";
import { endingOf, KEY_HINT, spentOf } from "./claude-code-result.ts";
import type { ClaudeMessage } from "./claude-code-sdk.ts";
import { SERVER } from "./mcp-tools.ts";
import { type Bare, NOTHING_SPENT, UNKNOWN_SPENT } from "./open-calls.ts";
import { failureOf, type ProviderFailure } from "./provider-failure.ts";
import { contentText, countOf, listOf, recordOf, textOf } from "./untyped.ts";

type Json = Readonly<Record<string, unknown>>;

export type Heard =
  /** Nothing that the agent said: a sign of the connection only. */
  | { kind: "nothing" }
  | { kind: "life" }
  /** The CLI asks again by itself after so long. */
  | { kind: "waits"; ms: number }
  /** Enough is known; `running` where the CLI would go on by itself. */
  | { kind: "ended"; running: boolean; ending: Bare<RuntimeAnswer>; spent: Spent };

export interface ClaudeReader {
  read(message: ClaudeMessage): Heard;
  session(): string | undefined;
}

/** The tool by which the CLI takes the structured output. */
const OUTPUT_TOOL = "StructuredOutput";
const LIFE: Heard = { kind: "life" };

export function claudeReader(request: RuntimeRequest, transcript: TranscriptEntry[]): ClaudeReader {
  const seen: Seen = { requests: 0, answers: 0, input: 0, output: 0, lastInput: 0, lastOutput: 0 };
  let session: string | undefined;
  let output: unknown;
  const native = new Map<string, string>();

  /** Our tools are written down where they are used; here only what the CLI's own tools do. */
  function readBlock(block: Json): void {
    if (block["type"] === "text") transcript.push({ kind: "said", text: textOf(block["text"]) });
    if (block["type"] === "thinking") transcript.push({ kind: "thought", text: textOf(block["thinking"]) });
    if (block["type"] !== "tool_use") return;
    const tool = textOf(block["name"]);
    if (tool === OUTPUT_TOOL) output = block["input"];
    else if (!tool.startsWith(`mcp__${SERVER}__`)) {
      native.set(textOf(block["id"]), tool);
      transcript.push({ kind: "tool-call", tool, input: block["input"] });
    }
  }

  function readResult(block: Json): void {
    const tool = native.get(textOf(block["tool_use_id"]));
    if (block["type"] !== "tool_result" || tool === undefined) return;
    const failed = block["is_error"] === true;
    transcript.push({ kind: "tool-result", tool, text: contentText(block["content"]), failed });
  }

  return {
    read(message) {
      if (typeof message.session_id === "string") session = message.session_id;
      const fields: Json = { ...message };
      switch (message.type) {
        case "stream_event":
          return readEvent(recordOf(message.event), seen);
        case "assistant":
          blocksOf(message).forEach(readBlock);
          return LIFE;
        case "user":
          blocksOf(message).forEach(readResult);
          return LIFE;
        case "system":
          return readSystem(fields, seen, request.limits);
        case "result":
          return {
            kind: "ended",
            running: false,
            ending: endingOf(fields, session ?? "", output),
            spent: spentOf(fields, request.forkFrom !== undefined, seen.requests > 0),
          };
        default:
          return LIFE;
      }
    },
    session: () => session,
  };
}

function blocksOf({ message }: ClaudeMessage): Json[] {
  return listOf(recordOf(message)["content"]).map(recordOf);
}

/** What was asked of the model so far, as its stream tells. */
interface Seen {
  requests: number;
  answers: number;
  input: number;
  output: number;
  lastInput: number;
  lastOutput: number;
}

function readEvent(event: Json, seen: Seen): Heard {
  switch (event["type"]) {
    case "ping":
      return { kind: "nothing" };
    case "message_start":
      seen.requests += 1;
      seen.lastInput = inputOf(recordOf(recordOf(event["message"])["usage"]));
      seen.lastOutput = 0;
      seen.input += seen.lastInput;
      return LIFE;
    case "message_delta": {
      const written = countOf(recordOf(event["usage"])["output_tokens"]);
      seen.output += written - seen.lastOutput;
      seen.lastOutput = written;
      return LIFE;
    }
    case "message_stop":
      seen.answers += 1;
      return LIFE;
    default:
      return LIFE;
  }
}

function inputOf(usage: Json): number {
  return (
    countOf(usage["input_tokens"]) +
    countOf(usage["cache_read_input_tokens"]) +
    countOf(usage["cache_creation_input_tokens"])
  );
}

function readSystem(message: Json, seen: Seen, limits: CallLimits): Heard {
  if (message["subtype"] === "status" && message["status"] === "requesting")
    return wouldCross(seen, limits) ?? LIFE;
  if (message["subtype"] !== "api_retry") return LIFE;
  const failure = retryOf(message);
  const ending = failureOf(failure);
  const again = ending.kind === "busy" || ending.kind === "unavailable";
  // Work that was paid for is not thrown away for a provider that is back soon; without any, the caller waits better.
  if (again && seen.answers > 0) return { kind: "waits", ms: delayOf(message) };
  // Only a provider that said no is known to have done nothing.
  const refused = failure.status !== undefined && seen.requests === 0;
  return { kind: "ended", running: true, ending, spent: refused ? NOTHING_SPENT : UNKNOWN_SPENT };
}

/** The next request reads all that the last one read and wrote. */
function wouldCross(seen: Seen, { maxInputTokens, maxOutputTokens }: CallLimits): Heard | undefined {
  if (seen.answers === 0) return undefined;
  const input = seen.input + seen.lastInput + seen.lastOutput;
  if (input <= maxInputTokens && seen.output < maxOutputTokens) return undefined;
  const why = `it was ended before its next turn would cross ${maxInputTokens} tokens read or ${maxOutputTokens} written`;
  // Without what was cached: what was written to the cache cost more than plain input, and nobody tells its price here.
  const usage = { inputTokens: seen.input, outputTokens: seen.output };
  return {
    kind: "ended",
    running: true,
    ending: { kind: "failed", why },
    spent: { usage, costUsd: "unknown" },
  };
}

/** Whole seconds are what the provider asked for; everything else is the CLI's own guess. */
function retryOf(message: Json): ProviderFailure {
  const { error_status: status, error } = message;
  const delay = delayOf(message);
  const known = typeof status === "number";
  return {
    ...(known ? { status } : {}),
    text: known ? `${textOf(error)} (status ${status})` : "connection error: no whole answer came",
    retryAfterMs: delay >= 1000 && delay % 1000 === 0 ? delay : undefined,
    keyHint: KEY_HINT,
  };
}

function delayOf({ retry_delay_ms: delay }: Json): number {
  return typeof delay === "number" && Number.isFinite(delay) ? Math.max(0, Math.round(delay)) : 0;
}
