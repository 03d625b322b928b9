// The suite of all runtimes, with a model that plays lines instead of a provider.
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import { keyText } from "../../domain/agent/call-key.ts";
import type { ScriptLine } from "../../domain/agent/script-line.ts";
import { sleep } from "../patience.ts";
import { modelRuntime } from "./model.ts";
import { runtimeSuite } from "./runtime.suite.ts";

const heard = new Map<string, BaseMessage[]>();

class LineModel extends BaseChatModel {
  readonly line: ScriptLine;
  readonly signal: AbortSignal;

  constructor(line: ScriptLine, signal: AbortSignal) {
    super({});
    this.line = line;
    this.signal = signal;
  }

  _llmType(): string {
    return "lines";
  }

  override bindTools() {
    return this.withConfig({});
  }

  /** One tool call a turn, and the end of the line after the last. */
  async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const { line } = this;
    heard.set(keyText(line.key), messages);
    const begun = messages.findLastIndex((message) => message.getType() === "human");
    const turn = messages.slice(begun).filter((message) => message.getType() === "ai").length;
    const call = line.toolCalls[turn];
    if (call !== undefined) return this.#said("", [{ name: call.tool, args: call.input }], turn);
    await sleep(line.ending === "silent" ? 120_000 : line.latencyMs, this.signal);
    switch (line.ending) {
      case "ok":
        if (line.output === null) return this.#said(line.said ?? "", [], turn);
        return this.#said("", [{ name: "proposer_answer", args: line.output }], turn);
      case "refused":
        return this.#said(line.said ?? "", [], turn, { stop_reason: "refusal" });
      case "too-long":
        throw Object.assign(new Error("prompt is too long: 9 tokens"), { status: 400 });
      case "silent":
      case "crash":
        throw new Error(line.said ?? "crashed");
    }
  }

  #said(
    text: string,
    calls: { name: string; args: unknown }[],
    turn: number,
    response_metadata: Record<string, unknown> = {},
  ): ChatResult {
    const message = new AIMessage({
      content: text,
      tool_calls: calls.map(({ name, args }, index) => ({
        name,
        args: Object(args),
        id: `call-${turn}-${index}`,
        type: "tool_call",
      })),
      response_metadata,
    });
    const usage_metadata = { input_tokens: 100, output_tokens: 20, total_tokens: 120 };
    return { generations: [{ text, message: Object.assign(message, { usage_metadata }) }] };
  }
}

runtimeSuite("model", async (lines) => ({
  runtime: modelRuntime({
    key: () => undefined,
    env: {},
    makeModel: ({ key }, signal) => {
      const line = lines.find((candidate) => keyText(candidate.key) === keyText(key));
      if (line === undefined) throw new Error(`no line for ${keyText(key)}`);
      return () => new LineModel(line, signal);
    },
  }),
  heard: (key) => (heard.get(keyText(key)) ?? []).map((message) => message.text).join("\n"),
}));
