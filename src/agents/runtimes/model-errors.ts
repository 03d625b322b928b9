// What a provider's error means to whoever asked: come back later, not there, too long, or nothing that waiting changes.
import { ContextOverflowError } from "@langchain/core/errors";
import { CupelError } from "../../domain/error.ts";
import type { RuntimeAnswer } from "../port.ts";
import { keyVariableOf } from "./model-providers.ts";

type Ended<Answer> = Answer extends unknown ? Omit<Answer, "usage" | "costUsd" | "transcript"> : never;
export type ErrorEnding = Ended<
  Extract<RuntimeAnswer, { kind: "refused" | "busy" | "unavailable" | "too-long" | "failed" }>
> & {
  /** Whether the provider may have billed the turn that failed. */
  billed: "nothing" | "unknown";
};

/** Thrown inside an agent to end it in a way that is known already. */
export class TurnEnded extends Error {
  override readonly name = "TurnEnded";
  readonly ending: ErrorEnding;

  constructor(ending: ErrorEnding) {
    super(ending.why);
    this.ending = ending;
  }
}

export function endingOf(error: unknown, provider: string): ErrorEnding {
  const chain = causesOf(error);
  for (const cause of chain) {
    if (cause instanceof TurnEnded) return cause.ending;
    if (cause instanceof CupelError) return failed(cause.message, cause.hint);
  }
  const why = messageOf(chain);
  const known = chain.find((cause) => statusOf(cause) !== undefined || typeOf(cause) !== undefined);
  if (isOverflow(chain, why)) return { kind: "too-long", why, billed: "nothing" };
  if (known !== undefined) {
    const ending = endingByStatus(known, why, provider);
    if (ending !== undefined) return ending;
  }
  const blocked = chain.map(blockedBy).find((reason) => reason !== undefined);
  if (blocked !== undefined)
    return { kind: "refused", why: `the provider blocked it: ${blocked}`, billed: "unknown" };
  if (chain.some(isNetwork)) return { kind: "unavailable", why, billed: "unknown" };
  return { ...failed(why), billed: "unknown" };
}

function endingByStatus(error: object, why: string, provider: string): ErrorEnding | undefined {
  const status = statusOf(error) ?? 0;
  const type = (status === 0 ? typeOf(error) : undefined) ?? "";
  if (lacksCredit(error, why)) return failed(why, `look at the plan and the credit of ${provider}`);
  const retryAfterMs = retryAfterOf(error);
  const fails = status >= 500 || status === 408 || FAILS.has(type);
  if (status === 429 || status === 529 || BUSY.has(type) || (fails && retryAfterMs !== undefined))
    return { kind: "busy", why, retryAfterMs, billed: "nothing" };
  if (fails) return { kind: "unavailable", why, billed: "nothing" };
  return status >= 400 ? refusedRequest(status, why, provider) : undefined;
}

function lacksCredit(error: object, why: string): boolean {
  const named = `${text(error, "code")} ${typeOf(error)}`;
  return statusOf(error) === 402 || NO_CREDIT.test(named) || LOW_CREDIT.test(why);
}

const NO_CREDIT = /insufficient_quota|billing_error/;
/** Anthropic says it with the status of a bad request. */
const LOW_CREDIT = /credit balance is too low/i;

const BUSY = new Set(["overloaded_error", "rate_limit_error", "rate_limit_exceeded"]);
const FAILS = new Set(["api_error", "timeout_error", "server_error"]);

function refusedRequest(status: number, why: string, provider: string): ErrorEnding {
  // What a provider says about a wrong key can hold a part of it.
  if (status === 401 || status === 403)
    return failed(`${provider} refused the key (status ${status})`, keyHint(provider));
  if (status === 404) return failed(why, "look at the name of the model under models in cupel.config.json");
  return failed(why);
}

function failed(why: string, hint?: string): ErrorEnding {
  return { kind: "failed", why, billed: "nothing", ...(hint === undefined ? {} : { hint }) };
}

function keyHint(provider: string): string {
  const variable = keyVariableOf(provider);
  return variable === undefined
    ? "look at the server's own settings"
    : `export ${variable}=… with a key that is valid`;
}

/** An error with all that led to it, the outermost first. */
function causesOf(error: unknown): object[] {
  const chain: object[] = [];
  let at: unknown = error;
  while (typeof at === "object" && at !== null && chain.length < 12 && !chain.includes(at)) {
    chain.push(at);
    at = "cause" in at ? at.cause : undefined;
  }
  return chain;
}

const MAX_MESSAGE = 2000;

/** The innermost says it best, unless it says nothing. */
function messageOf(chain: readonly object[]): string {
  const messages = chain.flatMap((cause) => {
    return cause instanceof Error && cause.message !== "" ? [saidIn(cause) ?? cause.message] : [];
  });
  const best =
    messages.findLast((message) => message.length > 12) ?? messages[0] ?? "an error without a message";
  return best
    .replace(/\s*Troubleshooting URL:[\s\S]*$/, "")
    .trim()
    .slice(0, MAX_MESSAGE);
}

/** What the provider wrote into the body; Anthropic writes it one level deeper than others. */
function saidIn(error: object): string | undefined {
  const body: unknown = Reflect.get(error, "error");
  if (typeof body !== "object" || body === null) return undefined;
  const inner: unknown = Reflect.get(body, "error");
  return text(typeof inner === "object" && inner !== null ? inner : body, "message");
}

const OVERFLOW =
  /prompt is too long|context.?length|maximum context|context window|too many (input )?tokens|exceeds? the (maximum )?(number of tokens|context)|input token count/i;

function isOverflow(chain: readonly object[], why: string): boolean {
  return chain.some((cause) => {
    if (ContextOverflowError.isInstance(cause) || text(cause, "code") === "context_length_exceeded")
      return true;
    const status = statusOf(cause);
    return status === 413 || (status === 400 && OVERFLOW.test(why));
  });
}

function statusOf(error: object): number | undefined {
  for (const name of ["status", "status_code", "statusCode"]) {
    const value: unknown = Reflect.get(error, name);
    if (typeof value === "number" && value >= 100 && value < 1000) return value;
  }
  return undefined;
}

/** Errors that come inside a stream have no status any more, only their name. */
function typeOf(error: object): string | undefined {
  const body: unknown = Reflect.get(error, "error");
  if (typeof body !== "object" || body === null) return named(text(error, "type"));
  const inner: unknown = Reflect.get(body, "error");
  return named(typeof inner === "object" && inner !== null ? text(inner, "type") : text(body, "type"));
}

function named(type: string | undefined): string | undefined {
  return type === undefined || type === "error" ? undefined : type;
}

function text(error: object, name: string): string | undefined {
  const value: unknown = Reflect.get(error, name);
  return typeof value === "string" ? value : undefined;
}

function retryAfterOf(error: object): number | undefined {
  const headers: unknown = Reflect.get(error, "headers");
  const header = (name: string): string | undefined => {
    if (headers instanceof Headers) return headers.get(name) ?? undefined;
    return typeof headers === "object" && headers !== null ? text(headers, name) : undefined;
  };
  const exact = Number.parseFloat(header("retry-after-ms") ?? "");
  if (Number.isFinite(exact) && exact >= 0) return exact;
  return waitOf(header("retry-after")) ?? waitOf(retryDelayOf(error));
}

/** Seconds, or the time of day when to come back. */
function waitOf(wait: string | undefined): number | undefined {
  if (wait === undefined) return undefined;
  if (/^\s*\d+(\.\d+)?\s*s?\s*$/.test(wait)) return Math.round(Number.parseFloat(wait) * 1000);
  const until = Date.parse(wait) - Date.now();
  return Number.isFinite(until) ? Math.max(0, until) : undefined;
}

/** Google writes it into the body. */
function retryDelayOf(error: object): string | undefined {
  const details: unknown = Reflect.get(error, "errorDetails");
  if (!Array.isArray(details)) return undefined;
  const delays = details.map((detail: unknown) =>
    typeof detail === "object" && detail !== null ? text(detail, "retryDelay") : undefined,
  );
  return delays.find((delay) => delay !== undefined);
}

function blockedBy(error: object): string | undefined {
  const finish = text(error, "finishReason");
  const refused = finish !== undefined && /safety|prohibited|blocklist|recitation|spii/i.test(finish);
  return text(error, "blockReason") ?? (refused ? finish : undefined);
}

const NETWORK_CODES =
  /^(E(CONN|PIPE|TIMEDOUT|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH|PROTO)|UND_ERR|CERT_|ERR_(SSL|TLS|STREAM|HTTP))/;
const NETWORK_WORDS =
  /fetch failed|terminated|premature close|socket hang up|connection error|network error|empty response|stream ended|unexpected end|error reading from the stream|failed to parse stream|unterminated string|did not receive done/i;

function isNetwork(error: object): boolean {
  if (NETWORK_CODES.test(text(error, "code") ?? "")) return true;
  return (
    error instanceof Error && (error.name.startsWith("APIConnection") || NETWORK_WORDS.test(error.message))
  );
}
