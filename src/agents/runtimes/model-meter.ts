// Listens to every turn of a model: what it cost, how it ended, and whether anything is heard at all.
import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import { AIMessage, type UsageMetadata } from "@langchain/core/messages";
import type { LLMResult } from "@langchain/core/outputs";
import type { ModelPrice } from "../../domain/agent/model-price.ts";
import type { Spent } from "../../domain/run/run-event.ts";
import { countTokensApproximately } from "langchain";
import { costOf } from "../prices.ts";
import { countOf } from "./untyped.ts";

const CHARACTERS_A_TOKEN = 4;

type Handles = Required<BaseCallbackHandler>;

export class ModelMeter extends BaseCallbackHandler {
  readonly name = "cupel-meter";
  override awaitHandlers = true;
  /** Turns come in pieces, so that a model that writes for minutes is heard all the time. */
  readonly lc_prefer_streaming = true;
  turns = 0;
  inputTokens = 0;
  outputTokens = 0;
  /** Of the last turn, which the next one will read again. */
  lastInput = 0;
  /** What the provider told about the last turn besides its message. */
  lastInfo: Readonly<Record<string, unknown>> = {};
  /** Undefined as soon as one turn does not tell. */
  #cachedTokens: number | undefined = 0;
  #known = true;
  #costUsd = 0;
  /** About how much the turn at hand read, for providers that do not tell. */
  #read = 0;
  #open = 0;
  #failed = 0;
  /** What the pieces of the turn at hand said that was written; some providers count on from piece to piece. */
  #written: number[] = [];
  readonly #cumulative: boolean;
  readonly #price: ModelPrice | undefined;
  readonly #heard: () => void;

  constructor(price: ModelPrice | undefined, cumulative: boolean, heard: () => void) {
    super();
    this.#cumulative = cumulative;
    this.#price = price;
    this.#heard = heard;
  }

  override handleChatModelStart(...[, messages]: Parameters<Handles["handleChatModelStart"]>): void {
    this.turns += 1;
    this.#read = countTokensApproximately(messages.flat());
    this.#open += 1;
    this.lastInfo = {};
    this.#written = [];
    this.#heard();
  }

  override handleLLMNewToken(...[, , , , , fields]: Parameters<Handles["handleLLMNewToken"]>): void {
    const chunk = fields?.chunk;
    const usage = usageIn(chunk !== undefined && "message" in chunk ? chunk.message : undefined);
    if (usage !== undefined) this.#written.push(usage.output_tokens);
    this.#heard();
  }

  override handleLLMEnd({ generations }: LLMResult): void {
    this.#open -= 1;
    this.#heard();
    const generation = generations[0]?.[0];
    this.lastInfo = { ...generation?.generationInfo };
    const usage = usageIn(
      generation !== undefined && "message" in generation ? generation.message : undefined,
    );
    const told = (this.#cumulative ? this.#written.at(-1) : undefined) ?? usage?.output_tokens;
    // Nobody reads nothing: a count of zero was not counted.
    if (usage === undefined || countOf(usage.input_tokens) === 0 || countOf(told) !== told)
      this.#estimate(generation?.text ?? "");
    else this.#count(usage, told);
  }

  /** What a call may use is watched also where the provider does not tell. */
  #estimate(written: string): void {
    this.#known = false;
    this.lastInput = this.#read;
    this.inputTokens += this.#read;
    this.outputTokens += Math.ceil(written.length / CHARACTERS_A_TOKEN);
  }

  #count({ input_tokens: input, input_token_details: details }: UsageMetadata, output: number): void {
    const cachedInput = Math.min(countOf(details?.cache_read), input);
    const cacheWrite = Math.min(countOf(details?.cache_creation), input - cachedInput);
    if (details?.cache_read === undefined) this.#cachedTokens = undefined;
    else if (this.#cachedTokens !== undefined) this.#cachedTokens += cachedInput;
    this.lastInput = input;
    this.inputTokens += input;
    this.outputTokens += output;
    if (this.#price === undefined) return;
    const plain = input - cachedInput - cacheWrite;
    this.#costUsd += costOf(this.#price, { input: plain, output, cachedInput, cacheWrite });
  }

  override handleLLMError(): void {
    this.#open -= 1;
    this.#failed += 1;
    this.#heard();
  }

  /** `billed` is about a turn that failed; one that is still open may cost anything. */
  spent(billed: "nothing" | "unknown" = "nothing"): Spent {
    if (!this.#known || this.#open > 0 || billed === "unknown")
      return { usage: "unknown", costUsd: "unknown" };
    const cachedInputTokens = this.inputTokens === 0 ? undefined : this.#cachedTokens;
    return {
      usage: {
        inputTokens: this.inputTokens,
        outputTokens: this.outputTokens,
        ...(cachedInputTokens === undefined ? {} : { cachedInputTokens }),
      },
      costUsd: this.#price === undefined && this.inputTokens > 0 ? "unknown" : this.#costUsd,
    };
  }

  /** Of a run that was stopped: whatever did not end by itself was stopped, too. */
  spentWhenStopped(): Spent {
    return this.spent(this.#failed > 0 ? "unknown" : "nothing");
  }
}

function usageIn(message: unknown): UsageMetadata | undefined {
  return AIMessage.isInstance(message) ? message.usage_metadata : undefined;
}
