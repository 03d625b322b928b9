// What a provider's refusal means for a call: by its status where there is one, else by its words.
import type { RuntimeAnswer } from "../port.ts";
import type { Bare } from "./open-calls.ts";

export interface ProviderFailure {
  /** Of HTTP; undefined when there was no answer, or when the agent does not tell. */
  status?: number | undefined;
  text: string;
  retryAfterMs?: number | undefined;
  /** What to do about a key that is not taken. */
  keyHint?: string;
}

type Ended = Extract<RuntimeAnswer, { kind: "refused" | "busy" | "unavailable" | "too-long" | "failed" }>;

const TOO_LONG =
  /context[ _-]?(length|window)|prompt is too long|too many (input )?tokens|input (is too long|exceeds)|maximum context/i;
const REFUSED =
  /invalid_prompt|content[ _-]?(policy|filter)|usage polic|safety (classifier|system|reasons)|\brefus(al|ed to)\b|cyber_policy/i;
const BUSY = /rate[ _-]?limit|too many requests|overloaded|usage limit/i;
const AWAY =
  /stream (disconnected|closed|error)|connection (error|refused|reset|closed)|ECONN|ETIMEDOUT|ENOTFOUND|error sending request|socket hang up|fetch failed|timed? ?out|high demand|server error|bad gateway|service unavailable/i;

export function failureOf(failure: ProviderFailure): Bare<Ended> {
  const { status, text, retryAfterMs, keyHint } = failure;
  const why = text === "" ? `the provider answered with status ${status ?? "none"}` : text;
  const kind = kindOf(status, text);
  if (kind === "busy") return { kind, why, retryAfterMs };
  if (kind !== "failed") return { kind, why };
  const keyRefused = status === 401 || status === 403;
  return { kind, why, ...(keyRefused && keyHint !== undefined ? { hint: keyHint } : {}) };
}

function kindOf(status: number | undefined, text: string): Ended["kind"] {
  if (status === 413 || (blamesInput(status) && TOO_LONG.test(text))) return "too-long";
  if (blamesInput(status) && REFUSED.test(text)) return "refused";
  if (status === undefined) {
    if (BUSY.test(text)) return "busy";
    return AWAY.test(text) ? "unavailable" : "failed";
  }
  if (status === 429 || status === 529) return "busy";
  return status >= 500 || status === 408 ? "unavailable" : "failed";
}

/** The status that an agent put into its words. */
export function statusIn(text: string): number | undefined {
  const found = /\b(?:status(?: code)?:?|API Error:?|HTTP(?:\/\d(?:\.\d)?)?)\s*\(?([45]\d\d)\b/i.exec(
    text,
  )?.[1];
  return found === undefined ? undefined : Number(found);
}

function blamesInput(status: number | undefined): boolean {
  return status === undefined || (status >= 400 && status < 500 && status !== 429 && status !== 401);
}
