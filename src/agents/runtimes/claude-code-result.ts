// What the last message of Claude Code's CLI means for a call: how it ended and what it cost.
import type { RuntimeAnswer, Spent } from "../port.ts";
import { type Bare, NOTHING_SPENT, UNKNOWN_SPENT } from "./open-calls.ts";
import { failureOf, statusIn } from "./provider-failure.ts";
import { countOf, isRecord, listOf, recordOf, textOf } from "./untyped.ts";

type Json = Readonly<Record<string, unknown>>;

export const KEY_HINT = "check the key that the claude-code runtime is given";

/** Also a success may come without an output, and an output that the CLI gave up on is judged by the caller. */
export function endingOf(result: Json, session: string, lastOutput: unknown): Bare<RuntimeAnswer> {
  const said = textOf(result["result"]) || listOf(result["errors"]).map(textOf).join("; ");
  if (result["stop_reason"] === "refusal") return { kind: "refused", why: said || "the model refused" };
  if (result["terminal_reason"] === "prompt_too_long") return { kind: "too-long", why: said };
  switch (result["subtype"]) {
    case "error_max_structured_output_retries":
      return lastOutput === undefined
        ? { kind: "no-output", said, session }
        : { kind: "answered", output: lastOutput, session };
    case "error_max_turns":
      return { kind: "no-output", said, session };
    case "success":
      if (result["is_error"] === true) return failed(result, said);
      return result["structured_output"] === undefined
        ? { kind: "no-output", said, session }
        : { kind: "answered", output: result["structured_output"], session };
    default:
      return failed(result, said);
  }
}

function failed(result: Json, said: string): Bare<RuntimeAnswer> {
  const status = result["api_error_status"];
  return failureOf({
    status: typeof status === "number" ? status : statusIn(said),
    text: said,
    keyHint: KEY_HINT,
  });
}

/** A fork's totals hold its parent's; what came since the last result is this call. */
export function spentOf(result: Json, forked: boolean, anythingAsked: boolean): Spent {
  const since = result["model_usage_since_last_result"];
  const byModel = isRecord(since) || forked ? since : result["modelUsage"];
  if (!isRecord(byModel)) return UNKNOWN_SPENT;
  const models = Object.values(byModel).map(recordOf);
  if (models.length === 0) return anythingAsked ? UNKNOWN_SPENT : NOTHING_SPENT;
  const sum = (...names: string[]): number =>
    models.reduce((all, model) => all + names.reduce((part, name) => part + countOf(model[name]), 0), 0);
  const costs = models.map((model) => (model["costBasis"] === "unknown" ? undefined : model["costUSD"]));
  return {
    usage: {
      inputTokens: sum("inputTokens", "cacheReadInputTokens", "cacheCreationInputTokens"),
      outputTokens: sum("outputTokens"),
      cachedInputTokens: sum("cacheReadInputTokens"),
    },
    costUsd: costs.every((cost) => typeof cost === "number")
      ? costs.reduce((all, cost) => all + cost, 0)
      : "unknown",
  };
}
