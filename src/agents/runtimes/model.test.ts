// What only this runtime does, with a model that says what a test wants; the suite of all runtimes is in model-contract.test.ts.
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import { Annotation, MemorySaver, START, StateGraph } from "@langchain/langgraph";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { FilesystemBackend } from "../../store/backends/filesystem.ts";
import type { AgentTool, RuntimeRequest } from "../port.ts";
import { fileTools } from "../tools/file-tools.ts";
import { modelRuntime } from "./model.ts";
import type { ModelOptions } from "./model-run.ts";

const SCHEMA = { title: "proposer_answer", type: "object", properties: { answer: { type: "object" } } };
const OUTPUT = { answer: { claim: "It does." } };
const LIMITS = {
  silenceMs: 5000,
  timeoutMs: 20_000,
  maxInputTokens: 100_000,
  maxOutputTokens: 10_000,
  maxTurns: 20,
};

function asked(change: Partial<RuntimeRequest> = {}): RuntimeRequest {
  return {
    role: "proposer",
    key: { role: "proposer", task: null, module: null, node: "make", attempt: 1 },
    system: "You are the Proposer.",
    prompt: "Do the work.",
    outputSchema: SCHEMA,
    tools: [],
    model: "anthropic:claude-haiku-4-5-20251001",
    limits: LIMITS,
    signal: new AbortController().signal,
    ...change,
  };
}

type Reply = Parameters<typeof turn>[0];

/** A model that says one thing after the other, and what it was told each time. */
function saying(replies: readonly Reply[], change: Partial<ModelOptions> = {}, profile: object = {}) {
  const told: { messages: BaseMessage[]; tools: string[] }[] = [];
  const runtime = modelRuntime({
    key: () => "a-key",
    env: {},
    makeModel: () => (maxOutputTokens) => {
      const model = new SayingModel(replies, told);
      return Object.defineProperty(model, "profile", { value: { ...profile, maxOutputTokens } });
    },
    ...change,
  });
  onTestFinished(() => runtime.close());
  return { runtime, told };
}

class SayingModel extends BaseChatModel {
  readonly replies: readonly Reply[];
  readonly told: { messages: BaseMessage[]; tools: string[] }[];
  tools: string[] = [];

  _llmType(): string {
    return "saying";
  }

  constructor(replies: readonly Reply[], told: { messages: BaseMessage[]; tools: string[] }[]) {
    super({});
    this.replies = replies;
    this.told = told;
  }

  override bindTools(tools: { name?: unknown }[]) {
    this.tools = tools.map(({ name }) => String(name));
    return this.withConfig({});
  }

  async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const summary =
      messages.length === 1 && messages[0]?.text.startsWith("You are a conversation summarizer");
    if (summary === true) return { generations: [{ text: "", message: turn({ text: "A summary." }) }] };
    this.told.push({ messages, tools: this.tools });
    const reply = this.replies[Math.min(this.told.length, this.replies.length) - 1] ?? { text: "" };
    return { generations: [{ text: "", message: turn(reply) }] };
  }
}

const ANSWER: Reply = { call: ["proposer_answer", OUTPUT] };

describe("limits of a call", () => {
  const reads: Reply = { call: ["read", { path: "/a" }] };
  const tools = [reader(() => "text")];

  test("an agent that does not come to an end is stopped after its turns, and can be asked for its answer", async () => {
    const { runtime, told } = saying([reads, reads, reads, ANSWER]);
    const stopped = await runtime.run(asked({ tools, limits: { ...LIMITS, maxTurns: 3 } }));
    expect(stopped).toMatchObject({ kind: "no-output", said: expect.stringContaining("turns") });
    expect(told).toHaveLength(3);
    const forkFrom = stopped.kind === "no-output" ? stopped.session : "";
    expect(await runtime.run(asked({ tools, forkFrom, prompt: "Answer." }))).toMatchObject({
      kind: "answered",
    });
  });

  test.each<[string, Partial<typeof LIMITS>, number]>([
    ["reading more than it may", { maxInputTokens: 350 }, 3],
    ["writing more than it may", { maxOutputTokens: 120 }, 2],
  ])("is ended before %s", async (_, limits, turns) => {
    const { runtime, told } = saying([{ ...reads, output: 40 }]);
    const result = await runtime.run(asked({ tools, limits: { ...LIMITS, ...limits } }));
    expect(result).toMatchObject({ kind: "no-output", said: expect.stringContaining("stopped") });
    expect(told).toHaveLength(turns);
  });

  test.each([0, Number.NaN, -5])(
    "reading more than it may, also where the provider tells %s tokens",
    async (told) => {
      const { runtime, told: asks } = saying([{ ...reads, input: told, output: told }]);
      const long = [reader(() => "word ".repeat(1000))];
      const result = await runtime.run(asked({ tools: long, limits: { ...LIMITS, maxInputTokens: 20_000 } }));
      expect(result).toMatchObject({
        kind: "no-output",
        said: expect.stringContaining("read more tokens"),
        usage: "unknown",
      });
      expect(asks.length).toBeLessThan(8);
    },
  );

  test("a prompt that is longer than the call may read is not sent", async () => {
    const { runtime, told } = saying([ANSWER]);
    const result = await runtime.run(
      asked({ prompt: "word ".repeat(10_000), limits: { ...LIMITS, maxInputTokens: 1000 } }),
    );
    expect(result).toMatchObject({
      kind: "too-long",
      usage: { inputTokens: 0, outputTokens: 0 },
      costUsd: 0,
    });
    expect(told).toEqual([]);
  });
});

describe("what is spent", () => {
  test("is priced by what the provider had kept and what it keeps", async () => {
    const { runtime } = saying([
      { ...ANSWER, input: 1000, output: 10, details: { cache_read: 600, cache_creation: 300 } },
    ]);
    const result = await runtime.run(asked());
    expect(result.usage).toEqual({ inputTokens: 1000, outputTokens: 10, cachedInputTokens: 600 });
    expect(result.costUsd).toBeCloseTo((100 * 1 + 600 * 0.1 + 300 * 2 + 10 * 5) / 1_000_000, 12);
  });

  test("says nothing of what was kept as soon as one turn does not", async () => {
    const { runtime } = saying([
      { call: ["read", { path: "/a" }], details: { cache_read: 50 } },
      { ...ANSWER, details: {} },
    ]);
    const result = await runtime.run(asked({ tools: [reader(() => "text")] }));
    expect(result.usage).toEqual({ inputTokens: 200, outputTokens: 40 });
  });

  test("is unknown where the provider does not say it, and the money where nobody knows the price", async () => {
    for (const untold of [
      { input: 0, output: 0 },
      { input: 100, output: Number.NaN },
    ]) {
      const { runtime } = saying([{ ...ANSWER, ...untold }]);
      expect(await runtime.run(asked())).toMatchObject({
        kind: "answered",
        usage: "unknown",
        costUsd: "unknown",
      });
    }
    const { runtime: unpriced } = saying([ANSWER], { prices: [] });
    expect(await unpriced.run(asked())).toMatchObject({ usage: { inputTokens: 100 }, costUsd: "unknown" });
  });

  test("of the turns before a failure it is told all the same", async () => {
    const { runtime } = saying([
      { call: ["read", { path: "/a" }] },
      { error: Object.assign(new Error("no"), { status: 500 }) },
    ]);
    const result = await runtime.run(asked({ tools: [reader(() => "text")] }));
    expect(result).toMatchObject({ kind: "unavailable", usage: { inputTokens: 100, outputTokens: 20 } });
  });
});

describe("files", () => {
  const tools = fileTools(new FilesystemBackend("/nowhere-is-read"));

  test("with a backend the agent has deepagents' tools on it, and only those its role has", async () => {
    const backend = new FilesystemBackend(temporaryDirectory());
    await backend.write("/a.txt", "the text");
    const write: Reply = { call: ["write_file", { file_path: "/b.txt", content: "new" }] };
    const { runtime, told } = saying([{ call: ["read_file", { file_path: "/a.txt" }] }, write, ANSWER], {
      files: () => backend,
    });
    const result = await runtime.run(asked({ tools: tools.filter(({ name }) => name !== "edit") }));
    expect(result.kind).toBe("answered");
    expect(told[0]?.tools.toSorted()).toEqual(
      ["glob", "grep", "ls", "proposer_answer", "read_file", "write_file", "write_todos"].toSorted(),
    );
    expect(told[1]?.messages.at(-1)?.text).toContain("the text");
    expect((await backend.readRaw("/b.txt")).data?.content).toBe("new");
  });

  test("a refusal of the backend is a result like any other", async () => {
    const backend = new FilesystemBackend(temporaryDirectory());
    const { runtime } = saying([{ call: ["read_file", { file_path: "/../etc/passwd" }] }, ANSWER], {
      files: () => backend,
    });
    const { kind, transcript } = await runtime.run(asked({ tools }));
    expect(kind).toBe("answered");
    expect(JSON.stringify(transcript)).not.toContain("root:");
  });

  test("a result that is too large is put aside, not among the files, and can be read in a fork", async () => {
    const directory = temporaryDirectory();
    const backend = new FilesystemBackend(directory);
    const call: Reply = { call: ["build", {}], id: "big" };
    const build: AgentTool = {
      name: "build",
      description: "Builds.",
      input: z.strictObject({}),
      run: async () => "error ".repeat(20_000),
    };
    const again: Reply = { call: ["read_file", { file_path: "/large_tool_results/big.txt", limit: 1 }] };
    const { runtime, told } = saying([call, ANSWER, again, ANSWER], { files: () => backend });
    const first = await runtime.run(asked({ tools: [...tools, build] }));
    expect(told[1]?.messages.at(-1)?.text.length).toBeLessThan(20_000);
    const forkFrom = first.kind === "answered" ? first.session : "";
    await runtime.run(asked({ tools: [...tools, build], forkFrom, prompt: "Look again." }));
    expect(told[3]?.messages.at(-1)?.text).toContain("error error");
    expect((await backend.ls("/")).files).toEqual([]);
  });

  test("a role without file tools gets none, whatever was handed in", async () => {
    const { runtime, told } = saying([ANSWER], { files: () => expect.unreachable() });
    await runtime.run(asked());
    expect(told[0]?.tools).toEqual(["proposer_answer"]);
  });
});

test("a conversation that grows too long is summarized, and the summary is paid for", async () => {
  const reads: Reply = { call: ["read", { path: "/a" }] };
  const { runtime, told } = saying([reads, reads, reads, ANSWER], {}, { maxInputTokens: 3000 });
  const result = await runtime.run(asked({ tools: [reader(() => "word ".repeat(800))] }));
  expect(result.kind).toBe("answered");
  expect(told.some(({ messages }) => messages.some(({ text }) => text.includes("A summary.")))).toBe(true);
  expect(result.usage).toMatchObject({ inputTokens: expect.any(Number) });
  expect(result.usage !== "unknown" && result.usage.inputTokens).toBeGreaterThan(400);
});

test("an answer that was cut off in the middle of a tool's input is not acted on", async () => {
  const inputs: unknown[] = [];
  const { runtime } = saying([{ call: ["read", { path: "/a" }], metadata: { stop_reason: "max_tokens" } }]);
  const result = await runtime.run(asked({ tools: [reader((input) => (inputs.push(input), "text"))] }));
  expect(result).toMatchObject({ kind: "no-output", said: expect.stringContaining("cut off") });
  expect(inputs).toEqual([]);
});

test("an unknown tool is told, with those that there are", async () => {
  const { runtime, told } = saying([{ call: ["shell", { command: "rm -rf /" }] }, ANSWER]);
  const { transcript } = await runtime.run(asked({ tools: [reader(() => "text")] }));
  expect(told[1]?.messages.at(-1)?.text).toBe("There is no tool shell. You have: read.");
  expect(transcript).toContainEqual(
    expect.objectContaining({ kind: "tool-result", tool: "shell", failed: true }),
  );
});

test.each(["LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2"])(
  "with %s set nothing is sent anywhere",
  async (name) => {
    const { runtime, told } = saying([ANSWER], { env: { [name]: "true" } });
    expect(await runtime.run(asked())).toMatchObject({ kind: "failed", hint: `unset ${name}` });
    expect(told).toEqual([]);
  },
);

test("a conversation of another process is not known", async () => {
  const { runtime } = saying([ANSWER]);
  expect(await runtime.run(asked({ forkFrom: "model:gone" }))).toMatchObject({
    kind: "failed",
    why: "the conversation model:gone is not known to this process",
  });
});

test("a provider whose package is not installed is named with the command that installs it", async () => {
  const runtime = modelRuntime({ key: () => "a-key", env: {} });
  expect(await runtime.run(asked({ model: "ollama:qwen3" }))).toMatchObject({
    kind: "failed",
    hint: "npm install @langchain/ollama@1.3.0",
    usage: { inputTokens: 0, outputTokens: 0 },
  });
});

test("inside a node of a graph it is no part of the graph: neither of its checkpoints nor of its stream", async () => {
  const { runtime } = saying([{ call: ["read", { path: "/a" }] }, ANSWER]);
  const State = Annotation.Root({ kind: Annotation<string> });
  const saver = new MemorySaver();
  const graph = new StateGraph(State)
    .addNode("ask", async () => ({
      kind: (await runtime.run(asked({ tools: [reader(() => "text")] }))).kind,
    }))
    .addEdge(START, "ask")
    .compile({ checkpointer: saver });
  const streamed: unknown[] = [];
  const options = { configurable: { thread_id: "t" }, streamMode: "updates", subgraphs: true } as const;
  for await (const update of await graph.stream({}, options)) streamed.push(update);
  expect(streamed).toEqual([[[], { ask: { kind: "answered" } }]]);
  expect(Object.keys(saver.storage["t"] ?? {})).toEqual([""]);
});

function reader(run: (input: unknown) => string): AgentTool {
  return {
    name: "read",
    description: "Reads a file.",
    input: z.strictObject({ path: z.string() }),
    run: async (input) => run(input),
  };
}

let calls = 0;

function turn(reply: {
  text?: string;
  call?: [string, object];
  id?: string;
  input?: number;
  output?: number;
  details?: object;
  metadata?: Record<string, unknown>;
  error?: Error;
}): AIMessage {
  if (reply.error !== undefined) throw reply.error;
  const {
    text = "",
    call,
    id = `call-${calls++}`,
    input = 100,
    output = 20,
    details = {},
    metadata = {},
  } = reply;
  const message = new AIMessage({
    content: text,
    tool_calls: call === undefined ? [] : [{ name: call[0], args: { ...call[1] }, id, type: "tool_call" }],
    response_metadata: metadata,
  });
  const usage = {
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
    input_token_details: details,
  };
  return Object.assign(message, { usage_metadata: usage });
}
