// How a span ends: what it cost, and, where it failed, which kind of failure it was.
import { SpanStatusCode } from "@opentelemetry/api";
import type { Span } from "@opentelemetry/api";
import { CupelError } from "../domain/error.ts";
import type { Spent } from "../domain/run/run-event.ts";
import { CACHED_TOKENS, COST, ERROR, INPUT_TOKENS, OUTPUT_TOKENS } from "./spans-names.ts";

export function setSpent(span: Span, { usage, costUsd }: Spent): void {
  if (usage !== "unknown") {
    span.setAttribute(INPUT_TOKENS, usage.inputTokens);
    span.setAttribute(OUTPUT_TOKENS, usage.outputTokens);
    if (usage.cachedInputTokens !== undefined) span.setAttribute(CACHED_TOKENS, usage.cachedInputTokens);
  }
  if (costUsd !== "unknown") span.setAttribute(COST, costUsd);
}

export function setFailed(span: Span, kind: string): void {
  span.setAttribute(ERROR, kind);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Messages may quote what an agent said, so the kind must do. */
export function kindOfError(cause: unknown): string {
  if (cause instanceof CupelError) return cause.code;
  return cause instanceof Error ? cause.name.slice(0, 100) : "unknown";
}
