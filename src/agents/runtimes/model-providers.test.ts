import { fakeModel } from "@langchain/core/testing";
import { expect, test } from "vitest";
import { modelMaker, type ProviderOptions } from "./model-providers.ts";

const never = new AbortController().signal;
const options: ProviderOptions = { key: () => "a-key", baseUrl: () => "http://127.0.0.1:1" };

/** As Node says it. */
function missing(name: string): Promise<never> {
  const error = new Error(`Cannot find package '${name}' imported from here`);
  return Promise.reject(Object.assign(error, { code: "ERR_MODULE_NOT_FOUND" }));
}

test.each([
  ["anthropic:claude-x", "npm install @langchain/anthropic@"],
  ["openai:gpt-x", "npm install @langchain/openai@"],
  ["openai-compatible:x", "npm install @langchain/openai@"],
  ["google-genai:gemini-x", "npm install @langchain/google-genai@"],
  ["ollama:x", "npm install @langchain/ollama@"],
])("%s without its package says what to type", async (model, hint) => {
  await expect(modelMaker(model, { ...options, load: missing }, never)).rejects.toMatchObject({
    code: "not_found",
    hint: expect.stringContaining(hint),
  });
});

test.each<[string, Partial<ProviderOptions>, object]>([
  [
    "bedrock:x",
    {},
    {
      message: 'there is no provider "bedrock" for the model bedrock:x',
      hint: expect.stringContaining("cupel.config.json"),
    },
  ],
  ["gpt-4o", {}, { code: "not_found" }],
  ["constructor:x", {}, { code: "not_found" }],
  [
    "anthropic:claude-x",
    { key: () => "  " },
    { message: "there is no key for anthropic", hint: "export ANTHROPIC_API_KEY=…" },
  ],
  [
    "openai-compatible:x",
    { baseUrl: () => undefined },
    { hint: expect.stringContaining("OPENAI_COMPATIBLE_BASE_URL") },
  ],
  [
    "anthropic:claude-x",
    { load: async () => ({}) },
    { message: "@langchain/anthropic holds no chat model ChatAnthropic" },
  ],
])("%s with %j is refused", async (model, change, expected) => {
  await expect(
    modelMaker(model, { ...options, ...change }, never).then((make) => make(100)),
  ).rejects.toMatchObject(expected);
});

test("a model is made with the key, without retries, and with no more output than it can write", async () => {
  const made: Record<string, unknown>[] = [];
  function ChatAnthropic(settings: Record<string, unknown>) {
    made.push(settings);
    return Object.defineProperty(fakeModel(), "profile", { value: { maxOutputTokens: 500 } });
  }
  const make = await modelMaker(
    "anthropic:a:b",
    { ...options, load: async () => ({ ChatAnthropic }) },
    never,
  );
  make(100);
  make(9000);
  expect(made).toMatchObject([
    { model: "a:b", apiKey: "a-key", maxRetries: 0, maxTokens: 100, clientOptions: { maxRetries: 0 } },
    { maxTokens: 9000 },
    { maxTokens: 500 },
  ]);
});
