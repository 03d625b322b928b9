import { ContextOverflowError } from "@langchain/core/errors";
import { expect, test } from "vitest";
import { CupelError } from "../../domain/error.ts";
import { endingOf, TurnEnded } from "./model-errors.ts";

function http(status: number, message = "said by the provider", more: object = {}): Error {
  return Object.assign(new Error(message), { status, ...more });
}
const wrapped = (cause: unknown): Error => new Error("in a middleware", { cause });

test.each<[string, unknown, object]>([
  [
    "a rate limit in seconds",
    http(429, "slow", { headers: new Headers({ "retry-after": "7" }) }),
    { kind: "busy", retryAfterMs: 7000 },
  ],
  [
    "a rate limit in milliseconds",
    http(429, "slow", { headers: new Headers({ "retry-after-ms": "250", "retry-after": "9" }) }),
    { kind: "busy", retryAfterMs: 250 },
  ],
  ["a rate limit that does not say when", http(429), { kind: "busy", retryAfterMs: undefined }],
  [
    "a rate limit with nonsense",
    http(429, "slow", { headers: { "retry-after": "soon" } }),
    { kind: "busy", retryAfterMs: undefined },
  ],
  [
    "Google's way to say when",
    http(429, "slow", { errorDetails: [{}, { retryDelay: "12.5s" }] }),
    { kind: "busy", retryAfterMs: 12_500 },
  ],
  ["too much for the provider", http(529, "Overloaded"), { kind: "busy" }],
  [
    "an outage that says when",
    http(503, "down", { headers: { "retry-after": "2" } }),
    { kind: "busy", retryAfterMs: 2000 },
  ],
  ["an outage", http(500), { kind: "unavailable", billed: "nothing" }],
  [
    "an error inside a stream",
    Object.assign(new Error("x"), { error: { type: "error", error: { type: "overloaded_error" } } }),
    { kind: "busy" },
  ],
  [
    "no credit",
    http(429, "no money", { code: "insufficient_quota" }),
    { kind: "failed", hint: "look at the plan and the credit of openai" },
  ],
  [
    "no credit, in Anthropic's words",
    http(400, "Your credit balance is too low to access the API."),
    { kind: "failed", hint: "look at the plan and the credit of openai" },
  ],
  [
    "what stands one level deeper",
    http(404, '404 {"type":"error"}', { error: { type: "error", error: { message: "model: claude-x" } } }),
    { kind: "failed", why: "model: claude-x" },
  ],
  ["a bill to be paid", http(402), { kind: "failed", hint: "look at the plan and the credit of openai" }],
  [
    "a wrong key",
    http(401, "Incorrect API key: sk-1234"),
    {
      kind: "failed",
      why: "openai refused the key (status 401)",
      hint: "export OPENAI_API_KEY=… with a key that is valid",
    },
  ],
  [
    "no such model",
    http(404, "no model gpt-9"),
    { kind: "failed", why: "no model gpt-9", hint: expect.stringContaining("models in cupel.config.json") },
  ],
  ["a bad request", http(400, "tools.0: wrong"), { kind: "failed", why: "tools.0: wrong" }],
  [
    "LangChain's word for too long",
    ContextOverflowError.fromError(http(400, "prompt is too long")),
    { kind: "too-long" },
  ],
  ["OpenAI's word for too long", http(400, "no", { code: "context_length_exceeded" }), { kind: "too-long" }],
  [
    "Google's word for too long",
    http(400, "The input token count (9) exceeds the maximum number of tokens allowed (8)."),
    { kind: "too-long" },
  ],
  ["a request that is too large", http(413), { kind: "too-long" }],
  [
    "a prompt that Google blocks",
    Object.assign(new Error("no content"), { blockReason: "SAFETY" }),
    { kind: "refused" },
  ],
  [
    "nobody there",
    new TypeError("fetch failed", { cause: Object.assign(new Error("no"), { code: "ECONNREFUSED" }) }),
    { kind: "unavailable" },
  ],
  ["a broken stream", new TypeError("terminated"), { kind: "unavailable", billed: "unknown" }],
  ["an empty stream", new Error("Received empty response from chat model call."), { kind: "unavailable" }],
  ["a bug", new TypeError("x is not a function"), { kind: "failed", why: "x is not a function" }],
  ["something that is no error", "text", { kind: "failed", why: "an error without a message" }],
  [
    "what we ended ourselves",
    new TurnEnded({ kind: "refused", why: "no", billed: "nothing" }),
    { kind: "refused", why: "no" },
  ],
  [
    "what a person can do something about",
    new CupelError("not_found", "no package", { hint: "npm install it" }),
    { kind: "failed", why: "no package", hint: "npm install it" },
  ],
])("%s", (_, error, expected) => {
  expect(endingOf(error, "openai")).toMatchObject(expected);
  expect(endingOf(wrapped(wrapped(error)), "openai").kind).toBe(endingOf(error, "openai").kind);
});

test("a date says when to come back", () => {
  const headers = { "retry-after": new Date(Date.now() + 30_000).toUTCString() };
  const ending = endingOf(http(429, "slow", { headers }), "openai");
  expect(ending.kind === "busy" && ending.retryAfterMs).toBeGreaterThan(25_000);
});

test("errors that lead to each other and messages without end are survived", () => {
  const ring = new Error("x".repeat(100_000));
  ring.cause = ring;
  const { kind, why } = endingOf(ring, "openai");
  expect([kind, why.length]).toEqual(["failed", 2000]);
});

test("what LangChain adds for its own readers is left out", () => {
  expect(endingOf(http(400, "wrong\n\nTroubleshooting URL: https://x.example/"), "openai").why).toBe("wrong");
});
