// The model runtime through every provider's own package, against a mock of the provider on loopback.
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { ask } from "../../role-calls.ts";
import { temporaryDirectory } from "../../temporary.ts";
import { searchCodeIndexTool } from "../../../src/agents/tools/code-index-tool.ts";
import { fileTools } from "../../../src/agents/tools/file-tools.ts";
import { buildTool } from "../../../src/agents/tools/workshop-tools.ts";
import { FilesystemBackend } from "../../../src/store/backends/filesystem.ts";
import type { AgentTool, RuntimeRequest } from "../../../src/agents/port.ts";
import {
  closedPort,
  COST_USD,
  played,
  type Played,
  type PlayedProvider,
  PROVIDERS,
  runtimeAt,
  USAGE,
} from "./providers.ts";
import type { Rewrite } from "../front.ts";

const OUTPUT = { answer: { claim: "It does.", acceptance_checks: ["`a`: shown"], applied_amendments: [] } };
const SCHEMA = {
  title: "proposer_answer",
  type: "object",
  properties: { answer: { type: "object", properties: { claim: { type: "string" } }, required: ["claim"] } },
  required: ["answer"],
  additionalProperties: false,
};
const ALWAYS = { predicate: () => true };

const undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0)) await step();
});

type Fixture = Parameters<Played["mock"]["addFixture"]>[0];

describe.each(PROVIDERS)("$model", (provider) => {
  const start = async (fixtures: readonly Fixture[], rewriteOf?: () => Rewrite): Promise<Played> => {
    const playing = await played(provider, fixtures, rewriteOf);
    undo.push(() => playing.close());
    return playing;
  };
  const answer = (given: unknown = OUTPUT) => ({
    toolCalls: [{ name: "proposer_answer", arguments: JSON.stringify(given) }],
    usage: provider.usage,
  });

  test("structured output comes as the input of a tool that was told its schema; tokens and money are told", async () => {
    const { runtime, mock } = await start([{ match: ALWAYS, response: answer() }]);
    const result = await runtime.run(request(provider));
    expect(result).toMatchObject({ kind: "answered", output: OUTPUT, usage: USAGE });
    expect(result.costUsd).toBeCloseTo(COST_USD, 10);
    const sent = JSON.stringify(mock.getLastRequest()?.body);
    expect(sent).toContain("proposer_answer");
    expect(sent).toContain("claim");
  });

  test("tools are used, their results heard", async () => {
    const inputs: unknown[] = [];
    const { runtime, mock } = await start([
      {
        match: { predicate: ({ messages }) => messages.every(({ role }) => role !== "tool") },
        response: {
          toolCalls: [{ name: "read", arguments: JSON.stringify({ path: "/a.txt" }) }],
          usage: provider.usage,
        },
      },
      { match: ALWAYS, response: answer() },
    ]);
    const result = await runtime.run(request(provider, { tools: [reader(inputs)] }));
    expect(result).toMatchObject({ kind: "answered", output: OUTPUT });
    expect(result.usage).toMatchObject({
      inputTokens: 2 * USAGE.inputTokens,
      outputTokens: 2 * USAGE.outputTokens,
    });
    expect(inputs).toEqual([{ path: "/a.txt" }]);
    expect(JSON.stringify(mock.getLastRequest()?.body)).toContain("the text of /a.txt");
  });

  test("a wrong output is repaired in the same conversation, and both turns are booked", async () => {
    const { runtime, mock } = await start([
      { match: { ...ALWAYS, sequenceIndex: 0 }, response: answer({ answer: { claim: 1 } }) },
      { match: ALWAYS, response: answer() },
    ]);
    const { outcome, state } = await ask(runtime, { model: provider.model, limits: LIMITS });
    expect(outcome).toMatchObject({ kind: "done", asked: 2 });
    expect(outcome.costUsd).toBeCloseTo(2 * COST_USD, 10);
    expect(state.run).toMatchObject({ microUsd: 2 * COST_USD * 1_000_000, tokens: 2 * 1050 });
    const last = JSON.stringify(mock.getLastRequest()?.body);
    expect(last).toContain("does not match the schema");
    expect(last).toContain("$.answer.claim");
  });

  test("text without an output is told, and text that is the output is taken", async () => {
    const { runtime } = await start([
      { match: { ...ALWAYS, sequenceIndex: 0 }, response: { content: "I am done.", usage: provider.usage } },
      {
        match: ALWAYS,
        response: { content: "```json\n" + JSON.stringify(OUTPUT) + "\n```", usage: provider.usage },
      },
    ]);
    expect(await runtime.run(request(provider))).toMatchObject({ kind: "no-output", said: "I am done." });
    expect(await runtime.run(request(provider))).toMatchObject({ kind: "answered", output: OUTPUT });
  });

  test.skipIf(provider.refusal === undefined)("a refusal", async () => {
    const { refusal = "" } = provider;
    const { runtime } = await start([
      { match: ALWAYS, response: { content: "I will not.", finishReason: refusal, usage: provider.usage } },
    ]);
    expect(await runtime.run(request(provider))).toMatchObject({
      kind: "refused",
      why: expect.stringMatching(/./),
    });
  });

  test.each([429, 529])("status %i asks to come back later, and says when", async (status) => {
    const { runtime, front } = await start([
      {
        match: ALWAYS,
        response: { status, retryAfter: 7, error: { message: "Too much.", type: "rate_limit_error" } },
      },
    ]);
    front.errorHeaders["retry-after"] = "7";
    const result = await runtime.run(request(provider));
    expect(result).toMatchObject({ kind: "busy", usage: { inputTokens: 0, outputTokens: 0 }, costUsd: 0 });
    expect(result.kind === "busy" && result.retryAfterMs).toBe(provider.tellsWhen ? 7000 : undefined);
    expect(front.requests).toHaveLength(1);
  });

  test("status 500 is an outage and is not asked again by the package", async () => {
    const { runtime, front } = await start([
      { match: ALWAYS, response: { status: 500, error: { message: "Oops." } } },
    ]);
    expect(await runtime.run(request(provider))).toMatchObject({ kind: "unavailable" });
    expect(front.requests).toHaveLength(1);
  });

  test("a wrong key fails with what to do, and the key is nowhere in it", async () => {
    const message = "Incorrect API key provided: dummy-key-of-the-test.";
    const { runtime } = await start([{ match: ALWAYS, response: { status: 401, error: { message } } }]);
    const result = await runtime.run(request(provider));
    expect(result).toMatchObject({ kind: "failed", hint: expect.stringMatching(/export|settings/) });
    expect(JSON.stringify(result)).not.toContain("dummy-key");
  });

  test("more than the model can take in", async () => {
    const error = {
      message: provider.overflow,
      type: "invalid_request_error",
      code: "context_length_exceeded",
    };
    const { runtime } = await start([{ match: ALWAYS, response: { status: 400, error } }]);
    expect(await runtime.run(request(provider))).toMatchObject({ kind: "too-long" });
  });

  test("a connection that breaks in the middle is no answer", async () => {
    const used: unknown[] = [];
    const long = JSON.stringify({ path: `/${"a".repeat(2000)}` });
    const { runtime } = await start([
      {
        match: ALWAYS,
        response: provider.piecewise
          ? { toolCalls: [{ name: "read", arguments: long }], usage: provider.usage }
          : { content: long, usage: provider.usage },
        chunkSize: 20,
        truncateAfterChunks: 8,
      },
    ]);
    const result = await runtime.run(request(provider, { tools: [reader(used)] }));
    expect(result.kind).toBe("unavailable");
    expect(used).toEqual([]);
  });

  test("a stream that ends politely but too early is no answer either", async () => {
    const { runtime } = await start(
      [{ match: ALWAYS, response: { content: "word ".repeat(200), usage: provider.usage }, chunkSize: 20 }],
      () => {
        let lines = 0;
        return (line) => (++lines > 40 ? undefined : line);
      },
    );
    const result = await runtime.run(request(provider));
    expect(result).toMatchObject({ kind: "unavailable", usage: "unknown", costUsd: "unknown" });
  });

  test("an answer that was cut off is not acted on", async () => {
    const used: unknown[] = [];
    const { runtime } = await start([
      {
        match: ALWAYS,
        response: {
          toolCalls: [{ name: "read", arguments: '{"path": "/a' }],
          finishReason: "length",
          usage: provider.usage,
        },
      },
    ]);
    const result = await runtime.run(request(provider, { tools: [reader(used)] }));
    expect(used).toEqual([]);
    expect(result.kind).toBe("no-output");
  });

  test.each<[string, Partial<Fixture>]>([
    ["never begins", { latency: 30_000 }],
    ["stops in the middle", { chunkSize: 5, streamingProfile: { ttft: 10, tps: 0.1 } }],
  ])("a provider that %s is silent, and the conversation can go on", async (_, slow) => {
    const { runtime } = await start([
      { match: { ...ALWAYS, sequenceIndex: 0 }, response: { content: "word ".repeat(100) }, ...slow },
      { match: ALWAYS, response: answer() },
    ]);
    const limits = { ...LIMITS, silenceMs: 700 };
    const result = await runtime.run(request(provider, { limits }));
    expect(result).toMatchObject({ kind: "silent", afterMs: 700, session: expect.any(String) });
    const session = result.kind === "silent" ? (result.session ?? "") : "";
    const next = await runtime.run(request(provider, { forkFrom: session, prompt: "Finish now." }));
    expect(next).toMatchObject({ kind: "answered", output: OUTPUT });
  });

  test("ends within a second when it is aborted", async () => {
    const { runtime } = await start([{ match: ALWAYS, response: answer(), latency: 30_000 }]);
    const controller = new AbortController();
    const asked = runtime.run(request(provider, { signal: controller.signal }));
    setTimeout(() => controller.abort(), 500);
    const begun = performance.now();
    expect((await asked).kind).toBe("aborted");
    expect(performance.now() - begun).toBeLessThan(1500);
  });

  test("a server that is not there is an outage", async () => {
    const runtime = runtimeAt(`http://127.0.0.1:${await closedPort()}${provider.path}`);
    undo.push(() => runtime.close());
    expect(await runtime.run(request(provider))).toMatchObject({ kind: "unavailable" });
  });
});

describe("only anthropic", () => {
  const [anthropic] = PROVIDERS;
  const start = async (rewrite: Rewrite): Promise<Played> => {
    const toolCalls = [{ name: "proposer_answer", arguments: JSON.stringify(OUTPUT) }];
    const playing = await played(
      anthropic,
      [{ match: ALWAYS, response: { toolCalls, usage: anthropic.usage } }],
      () => rewrite,
    );
    undo.push(() => playing.close());
    return playing;
  };

  test("what was read from the cache and written to it is priced as such", async () => {
    const { runtime, front } = await start((line) =>
      line.replace(
        '"input_tokens":1000',
        '"cache_read_input_tokens":4000,"cache_creation_input_tokens":2000,"input_tokens":1000',
      ),
    );
    const result = await runtime.run(request(anthropic, { tools: [reader([])] }));
    expect(result).toMatchObject({ kind: "answered", usage: { inputTokens: 7000, outputTokens: 50 } });
    expect(result.costUsd).toBeCloseTo((1000 * 10 + 4000 * 1 + 2000 * 20 + 50 * 100) / 1_000_000, 10);
    expect(front.bodies[0]).toContain('"cache_control":{"type":"ephemeral"}');
    await runtime.run(request(anthropic));
    expect(front.bodies[1]).not.toContain("cache_control");
  });

  test.each([
    ["overloaded_error", "busy"],
    ["api_error", "unavailable"],
  ])("an error in the middle of the stream, %s, is %s", async (type, kind) => {
    let lines = 0;
    const { runtime } = await start((line) => {
      lines += 1;
      if (lines < 6) return line;
      const error = JSON.stringify({ type: "error", error: { type, message: "Not now." } });
      return lines === 6 ? `\n\nevent: error\ndata: ${error}\n` : undefined;
    });
    expect(await runtime.run(request(anthropic))).toMatchObject({ kind });
  });
});

test("google hears no word of a schema that it would refuse, whoever made the tool", async () => {
  const google = PROVIDERS.find(({ name }) => name === "google-genai");
  if (google === undefined) return expect.unreachable();
  const playing = await played(google, [{ match: ALWAYS, response: { content: "done" } }]);
  undo.push(() => playing.close());
  const { front } = playing;
  const backend = new FilesystemBackend(temporaryDirectory());
  const runtime = runtimeAt(front.url, { files: () => backend });
  const tools = [
    ...fileTools(backend),
    searchCodeIndexTool(async () => []),
    buildTool({ build: async () => "" }),
  ];
  await runtime.run(request(google, { tools }));
  const declared = JSON.stringify(JSON.parse(front.bodies[0] ?? "")["tools"]);
  expect(declared).toContain("read_file");
  expect(declared).toContain("search_code_index");
  expect(declared).not.toMatch(
    /"(const|\$ref|\$defs|\$schema|additionalProperties|propertyNames|patternProperties|exclusiveMinimum|exclusiveMaximum|oneOf|allOf|not)":/,
  );
  expect(declared).not.toMatch(/"type":\[/);
});

const LIMITS = {
  silenceMs: 20_000,
  timeoutMs: 60_000,
  maxInputTokens: 100_000,
  maxOutputTokens: 4000,
  maxTurns: 10,
};

function request({ model }: PlayedProvider, change: Partial<RuntimeRequest> = {}): RuntimeRequest {
  return {
    role: "proposer",
    key: { role: "proposer", task: "T-a-001", module: "MM-a", node: "make", attempt: 1 },
    system: "You are the Proposer.",
    prompt: "Do the work.",
    outputSchema: SCHEMA,
    tools: [],
    model,
    limits: LIMITS,
    signal: new AbortController().signal,
    ...change,
  };
}

function reader(inputs: unknown[]): AgentTool {
  const Input = z.strictObject({ path: z.string() });
  return {
    name: "read",
    description: "Reads a file.",
    input: Input,
    run: async (input) => {
      inputs.push(input);
      return `the text of ${Input.parse(input).path}`;
    },
  };
}
