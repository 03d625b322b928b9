// What goes wrong between an agent and its provider, and what each runtime makes of it.
import { afterEach, describe, expect, test } from "vitest";
import type { ModelPrice } from "../../../src/domain/agent/model-price.ts";
import type { Runtime } from "../../../src/agents/port.ts";
import { ask, LIMITS, WORK } from "../../role-calls.ts";
import { request } from "./requests.ts";
import { type Manners, openProvider, problem, type Provider, USAGE } from "./scripted-provider.ts";

type Fixture = Parameters<typeof openProvider>[0][number];

export interface Troubled {
  make: (url: string) => Runtime;
  manners: Manners;
  model: string;
  /** Whether it hands on when to come back. */
  tellsWhen: boolean;
}

const patient = {
  ...LIMITS,
  silenceMs: 1500,
  timeoutMs: 30_000,
  maxInputTokens: 100_000,
  maxOutputTokens: 10_000,
};
const price: Omit<ModelPrice, "model"> = {
  input: 2,
  output: 10,
  cachedInput: 0.2,
  cacheWrite: 4,
  checked: "2026-11-15",
  source: "https://example.org/prices",
};

export function troublesSuite(name: string, { make, manners, model, tellsWhen }: Troubled): void {
  const opened: Provider[] = [];
  const runtimes: Runtime[] = [];
  afterEach(async () => {
    for (const runtime of runtimes.splice(0)) await runtime.close();
    for (const provider of opened.splice(0)) await provider.close();
  });

  async function facing(...fixtures: Fixture[]): Promise<{ runtime: Runtime; provider: Provider }> {
    const provider = await openProvider(fixtures, manners.rewrite);
    opened.push(provider);
    const runtime = make(provider.url);
    runtimes.push(runtime);
    return { runtime, provider };
  }
  const works = manners.output({ answer: WORK });

  describe(`${name} and its provider`, () => {
    test.each<[string, number, string]>([
      ["a rate limit", 429, "rate_limit_error"],
      ["an overload", 529, "overloaded_error"],
    ])("%s is busy, with the time to come back where it is told", async (_, status, type) => {
      const { runtime, provider } = await facing(always(problem(status, "later", type, 7)));
      provider.front.errorHeaders["retry-after"] = "7";
      const begun = performance.now();
      const answer = await runtime.run(request({ model, limits: patient }));
      expect(answer).toMatchObject({ kind: "busy", why: expect.stringContaining(String(status)) });
      expect(answer.kind === "busy" && answer.retryAfterMs).toBe(tellsWhen ? 7000 : undefined);
      expect(answer).toMatchObject({ usage: { inputTokens: 0, outputTokens: 0 }, costUsd: 0 });
      expect(performance.now() - begun).toBeLessThan(6000);
      expect(provider.front.requests).toHaveLength(1);
    });

    test.each<[string, Fixture, object]>([
      ["an outage", always(problem(503, "no capacity", "api_error")), { kind: "unavailable" }],
      [
        "a stream that is cut",
        always(
          { content: "a long answer that does not come to its end", usage: USAGE },
          { truncateAfterChunks: 3, chunkSize: 4 },
        ),
        { kind: "unavailable", usage: "unknown", costUsd: "unknown" },
      ],
      [
        "more than the model takes",
        always(problem(400, "prompt is too long: 250000 tokens > 200000 maximum", "invalid_request_error")),
        { kind: "too-long" },
      ],
      [
        "a key that is not taken",
        always(problem(401, "invalid key", "authentication_error")),
        { kind: "failed" },
      ],
      [
        "a slow loris",
        always(
          { content: "a".repeat(500), usage: USAGE },
          { chunkSize: 1, streamingProfile: { ttft: 10, tps: 0.1 } },
        ),
        { kind: "silent" },
      ],
    ])("%s is told as what it is", async (_, fixture, expected) => {
      const { runtime } = await facing(fixture);
      expect(await runtime.run(request({ model, limits: patient }))).toMatchObject(expected);
    });

    test("a provider that is not there is unavailable", async () => {
      const { runtime, provider } = await facing();
      await provider.front.close();
      expect(await runtime.run(request({ model, limits: patient }))).toMatchObject({ kind: "unavailable" });
    });

    test("a wrong answer is repaired, both are paid", async () => {
      let times = 0;
      const { runtime } = await facing(
        always((asked) => {
          const repaired = JSON.stringify(asked.messages).includes("does not match the schema");
          times += 1;
          return { ...Object(manners.output({ answer: { ...WORK, claim: repaired ? "done" : 5 } })) };
        }),
      );
      const { outcome, state } = await ask(
        runtime,
        { model, limits: patient },
        { prices: [{ model, ...price }] },
      );
      expect(outcome).toMatchObject({ kind: "done", output: WORK, asked: 2 });
      expect(outcome.usage).toMatchObject({ inputTokens: 100 * times, outputTokens: 20 * times });
      expect(outcome.costUsd).toBeCloseTo((100 * times * 2 + 20 * times * 10) / 1_000_000, 9);
      expect(state.run.tokens).toBe(120 * times);
    });

    test("a provider that is busy twice is asked a third time", async () => {
      let times = 0;
      const { runtime } = await facing(
        always(() => {
          times += 1;
          return times < 3 ? problem(429, "later", "rate_limit_error", 1) : { ...Object(works) };
        }),
      );
      const { outcome } = await ask(runtime, { model, limits: patient }, { prices: [{ model, ...price }] });
      expect(outcome).toMatchObject({ kind: "done", asked: 3 });
    });
  });
}

function always(response: Fixture["response"], change: Partial<Fixture> = {}): Fixture {
  return { match: {}, response, ...change };
}
