import { describe, expect, test } from "vitest";
import { failureOf, statusIn } from "./provider-failure.ts";

describe("what a provider's refusal means", () => {
  test.each<[number | undefined, string, string]>([
    [429, "slow down", "busy"],
    [529, "overloaded", "busy"],
    [undefined, "API Error: rate limit reached", "busy"],
    [500, "oops", "unavailable"],
    [503, "no capacity", "unavailable"],
    [408, "", "unavailable"],
    [undefined, "stream disconnected before completion", "unavailable"],
    [undefined, "connect ECONNREFUSED 127.0.0.1:1", "unavailable"],
    [400, "prompt is too long: 9 tokens > 8 maximum", "too-long"],
    [413, "", "too-long"],
    [undefined, "context_length_exceeded", "too-long"],
    [400, "invalid_prompt: flagged", "refused"],
    [undefined, "stopped by a safety classifier", "refused"],
    [401, "invalid key", "failed"],
    [404, "no such model", "failed"],
    [undefined, "something else", "failed"],
    // The words of a provider that fails by itself blame nobody.
    [500, "content_policy service is down", "unavailable"],
    [429, "too many tokens in a minute: too many input tokens", "busy"],
  ])("%s %j is %s", (status, text, kind) => {
    const failure = failureOf({ status, text });
    expect(failure.kind).toBe(kind);
    expect(failure.why).toMatch(/./);
  });

  test("hands on when to come back, and what to do about a key", () => {
    expect(failureOf({ status: 429, text: "x", retryAfterMs: 7000 })).toMatchObject({ retryAfterMs: 7000 });
    expect(failureOf({ status: 401, text: "x", keyHint: "check the key" })).toMatchObject({
      hint: "check the key",
    });
    expect(failureOf({ status: 404, text: "x", keyHint: "check the key" })).not.toHaveProperty("hint");
  });

  test.each<[string, number | undefined]>([
    ["exceeded retry limit, last status: 429 Too Many Requests", 429],
    ["unexpected status 529 <unknown status code>: overloaded", 529],
    ["API Error: 500 oops", 500],
    ["HTTP 404", 404],
    ["wrote 429 lines", undefined],
    ["status 200", undefined],
  ])("reads the status in %j", (text, status) => {
    expect(statusIn(text)).toBe(status);
  });
});
