// Which providers the wire tests play, how each is reached on the mock, and what each can say.
import { createServer } from "node:http";
import { LLMock } from "@copilotkit/aimock";
import type { ModelPrice } from "../../../src/domain/agent/model-price.ts";
import { modelRuntime } from "../../../src/agents/runtimes/model.ts";
import type { ModelOptions } from "../../../src/agents/runtimes/model-run.ts";
import type { ProviderName } from "../../../src/agents/runtimes/model-providers.ts";
import type { Runtime } from "../../../src/agents/port.ts";
import { type Front, openFront, type Rewrite } from "../front.ts";

export interface PlayedProvider {
  name: ProviderName;
  model: string;
  /** Of the mock's address. */
  path: string;
  /** How the provider calls what it counted, each in its own words. */
  usage: Record<string, number>;
  /** The end of a turn that says no; undefined where the provider cannot say it. */
  refusal: string | undefined;
  overflow: string;
  /** Whether its package hands on when to come back. */
  tellsWhen: boolean;
  /** Whether the input of a tool comes in pieces. */
  piecewise: boolean;
  /** What the mock leaves out. */
  rewrite?: Rewrite;
}

const INPUT = 1000;
const OUTPUT = 50;
export const USAGE = { inputTokens: INPUT, outputTokens: OUTPUT };

export const PROVIDERS: readonly [PlayedProvider, ...PlayedProvider[]] = [
  {
    name: "anthropic",
    model: "anthropic:claude-haiku-4-5-20251001",
    path: "",
    usage: { input_tokens: INPUT, output_tokens: OUTPUT },
    refusal: "refusal",
    overflow: "prompt is too long: 250000 tokens > 200000 maximum",
    tellsWhen: true,
    piecewise: true,
  },
  {
    name: "openai",
    model: "openai:gpt-4o",
    path: "/v1",
    usage: { prompt_tokens: INPUT, completion_tokens: OUTPUT },
    refusal: "content_filter",
    overflow:
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
    tellsWhen: true,
    piecewise: true,
  },
  {
    name: "openai",
    model: "openai:gpt-5-codex",
    path: "/v1",
    usage: { input_tokens: INPUT, output_tokens: OUTPUT },
    refusal: undefined,
    overflow: "Your input exceeds the context window of this model.",
    tellsWhen: true,
    piecewise: true,
  },
  {
    name: "openai-compatible",
    model: "openai-compatible:qwen3-coder",
    path: "/v1",
    usage: { prompt_tokens: INPUT, completion_tokens: OUTPUT },
    refusal: "content_filter",
    overflow: "the request exceeds the context length of this server",
    tellsWhen: true,
    piecewise: true,
  },
  {
    name: "google-genai",
    model: "google-genai:gemini-2.5-pro",
    path: "",
    usage: { promptTokenCount: INPUT, candidatesTokenCount: OUTPUT },
    refusal: "content_filter",
    overflow: "The input token count (2000000) exceeds the maximum number of tokens allowed (1048576).",
    tellsWhen: false,
    piecewise: false,
  },
  {
    name: "ollama",
    model: "ollama:qwen3",
    path: "",
    usage: { prompt_tokens: INPUT, completion_tokens: OUTPUT },
    refusal: undefined,
    overflow: "the prompt is longer than the context length",
    tellsWhen: true,
    piecewise: false,
    rewrite: (line) =>
      line
        .replace('"prompt_eval_count":0', `"prompt_eval_count":${INPUT}`)
        .replace('"eval_count":0', `"eval_count":${OUTPUT}`),
  },
];

/** Round figures, so that a test can say what a turn must cost. */
export const PRICES: readonly ModelPrice[] = PROVIDERS.map(({ model }) => ({
  model,
  input: 10,
  output: 100,
  cachedInput: 1,
  cacheWrite: 20,
  checked: "2026-11-15",
  source: "https://example.org/prices",
}));
export const COST_USD = (INPUT * 10 + OUTPUT * 100) / 1_000_000;

type Fixture = Parameters<LLMock["addFixture"]>[0];

export interface Played {
  runtime: Runtime;
  mock: LLMock;
  front: Front;
  close(): Promise<void>;
}

export async function played(
  provider: PlayedProvider,
  fixtures: readonly Fixture[],
  rewriteOf?: () => Rewrite,
): Promise<Played> {
  const mock = new LLMock({ port: 0, host: "127.0.0.1", strict: true });
  mock.addFixtures([...fixtures]);
  await mock.start();
  const front = await openFront(mock.url, rewriteOf ?? (() => provider.rewrite));
  const runtime = runtimeAt(`${front.url}${provider.path}`);
  return {
    runtime,
    mock,
    front,
    close: async () => {
      await runtime.close();
      await front.close();
      await mock.stop();
    },
  };
}

export function runtimeAt(url: string, more: Partial<ModelOptions> = {}): Runtime {
  return modelRuntime({
    key: () => "dummy-key-of-the-test",
    baseUrl: () => url,
    load: (name) => import(name),
    prices: PRICES,
    env: {},
    ...more,
  });
}

/** A port where nobody listens. */
export async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 9;
}
