// Stands in for @langchain/anthropic, which Cupel does not bring: speaks Anthropic's Messages over HTTP, without streams.
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage } from "@langchain/core/messages";

export class ChatAnthropic extends BaseChatModel {
  constructor(settings) {
    super(settings);
    this.settings = settings;
  }

  _llmType() {
    return "stand-in";
  }

  bindTools(tools) {
    this.tools = tools;
    return this;
  }

  async _generate(messages, options) {
    const { anthropicApiUrl, apiKey, model, maxTokens } = this.settings;
    const response = await fetch(`${anthropicApiUrl}/v1/messages`, {
      method: "POST",
      headers: { "x-api-key": apiKey, "content-type": "application/json" },
      body: JSON.stringify({
        model,
        max_tokens: maxTokens,
        tools: this.tools,
        messages: messages.map(({ text }) => text),
      }),
      signal: options.signal,
    });
    const body = await response.json();
    if (!response.ok) {
      const { status, headers } = response;
      throw Object.assign(new Error(`${status} ${JSON.stringify(body)}`), { status, headers, error: body });
    }
    const { content, stop_reason, usage } = body;
    const calls = content.filter(({ type }) => type === "tool_use");
    const message = new AIMessage({
      content: content.flatMap(({ text }) => text ?? []).join(""),
      tool_calls: calls.map(({ id, name, input }) => ({ id, name, args: input, type: "tool_call" })),
      usage_metadata: { ...usage, total_tokens: usage.input_tokens + usage.output_tokens },
      response_metadata: { stop_reason },
    });
    return { generations: [{ text: message.text, message }] };
  }
}
