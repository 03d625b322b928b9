// One agent for one run: LangChain's loop around the model, our tools, deepagents' middleware, and a way to answer.
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, ToolMessage } from "@langchain/core/messages";
import { createPatchToolCallsMiddleware, createSummarizationMiddleware } from "deepagents";
import { type AnyAgentMiddleware, createAgent, createMiddleware, todoListMiddleware } from "langchain";
import type { RuntimeRequest, TranscriptEntry } from "../port.ts";
import type { FileBackend } from "../tools/file-backend.ts";
import { TurnEnded } from "./model-errors.ts";
import { finishOf } from "./model-finish.ts";
import { type LimitReached, limitReached } from "./model-limits.ts";
import type { ModelMeter } from "./model-meter.ts";
import type { MakeModel } from "./model-providers.ts";
import {
  answerToolOf,
  declaredTools,
  filesystemMiddleware,
  type ToolParts,
  useByModel,
} from "./model-tools.ts";
import type { Vigil } from "./vigil.ts";

export interface AgentParts extends ToolParts {
  provider: string;
  makeModel: MakeModel;
  /** Whether the provider always tells how a turn ended. */
  tellsEnd: boolean;
  meter: ModelMeter;
  vigil: Vigil;
  /** Where middleware keeps what would fill the conversation. */
  scratch: FileBackend;
}

/** What is known of a run while it goes on. */
export interface AgentProgress {
  transcript: TranscriptEntry[];
  answer: { given: unknown } | undefined;
  /** Why it was ended before the agent was done. */
  stopped: LimitReached | undefined;
}

export function buildAgent(parts: AgentParts, progress: AgentProgress) {
  const { request, makeModel, files, scratch } = parts;
  const model = makeModel(request.limits.maxOutputTokens);
  const works = request.tools.length > 0;
  const middleware: unknown[] = [
    ...(works ? [todoListMiddleware()] : []),
    ...(files === undefined ? [] : [filesystemMiddleware(request, files)]),
    ...(works ? [createSummarizationMiddleware({ model, backend: scratch })] : []),
    createPatchToolCallsMiddleware(),
    ours(parts, progress, model),
  ];
  return createAgent({
    model,
    tools: declaredTools(parts),
    systemPrompt: `${request.system}\n\n${howToAnswer(request)}`,
    middleware: middleware.filter(isMiddleware),
    checkpointer: false,
  });
}

/** The packages' types do not agree on which zod they mean. */
function isMiddleware(value: unknown): value is AnyAgentMiddleware {
  return typeof value === "object" && value !== null && "name" in value;
}

function howToAnswer(request: RuntimeRequest): string {
  return `You answer by calling the tool ${answerToolOf(request)} once, when all else is done; its input is the JSON object.`;
}

/** Where many turns are likely: what a provider keeps of one costs a tenth when it is sent again with the next. */
const SETTINGS: Readonly<Record<string, Record<string, unknown>>> = {
  anthropic: { cache_control: { type: "ephemeral" } },
};

/** The innermost: what passes here is what the provider hears and says. */
function ours(parts: AgentParts, progress: AgentProgress, model: BaseChatModel) {
  const { request, provider, makeModel, meter, vigil } = parts;
  const settings = request.tools.length > 0 ? SETTINGS[provider] : undefined;
  const answered = (given: unknown): void => {
    progress.answer = { given };
  };
  return createMiddleware({
    name: "Cupel",
    beforeModel: {
      canJumpTo: ["end"],
      hook: ({ messages }) => {
        if (progress.answer === undefined)
          progress.stopped = limitReached(messages, request, meter, model.profile.maxInputTokens);
        return progress.answer === undefined && progress.stopped === undefined
          ? undefined
          : { jumpTo: "end" };
      },
    },
    wrapModelCall: async (call, handler) => {
      const left = request.limits.maxOutputTokens - meter.outputTokens;
      const modelSettings = { ...call.modelSettings, ...settings };
      const message = checked(
        await handler({ ...call, model: makeModel(left), modelSettings }),
        parts,
        progress,
      );
      progress.transcript.push(...saidIn(message));
      return message;
    },
    wrapToolCall: async (call, handler) => {
      const result = await vigil.during(async () =>
        useByModel(call.toolCall, parts, answered, () => handler(call)),
      );
      if (ToolMessage.isInstance(result) && call.toolCall.name !== answerToolOf(request)) {
        const failed = result.status === "error";
        progress.transcript.push({
          kind: "tool-result",
          tool: call.toolCall.name,
          text: result.text,
          failed,
        });
      }
      return result;
    },
  });
}

/** Nothing is done on half a turn: a file that was cut in the middle looks like any other. */
function checked(message: AIMessage, { meter, tellsEnd }: AgentParts, progress: AgentProgress): AIMessage {
  const finish = finishOf(message, meter.lastInfo, tellsEnd);
  switch (finish.kind) {
    case "ended":
      return message;
    case "refused":
    case "too-long":
      throw new TurnEnded({ ...finish, billed: "nothing" });
    case "broken":
      throw new TurnEnded({ kind: "unavailable", why: "the provider's answer broke off", billed: "unknown" });
    case "cut-off":
      progress.stopped = "output";
      return new AIMessage({ content: message.text === "" ? "(cut off)" : message.text });
  }
}

function saidIn(message: AIMessage): TranscriptEntry[] {
  const thoughts = message.contentBlocks.flatMap((block): TranscriptEntry[] =>
    block.type === "reasoning" && typeof block.reasoning === "string" && block.reasoning !== ""
      ? [{ kind: "thought", text: block.reasoning }]
      : [],
  );
  const said: TranscriptEntry[] = message.text === "" ? [] : [{ kind: "said", text: message.text }];
  const calls = (message.tool_calls ?? []).map(({ name, args }): TranscriptEntry => ({
    kind: "tool-call",
    tool: name,
    input: args,
  }));
  return [...thoughts, ...said, ...calls];
}
