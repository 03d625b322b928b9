// What models cost. A line stands here only when somebody read it on the provider's own pages; every other model has no
// known price, and that is said instead of counted as nothing.
import type { ModelPrice } from "../domain/agent/model-price.ts";
import type { Spent } from "../domain/run/run-event.ts";

const CHECKED = "2026-11-15";
const PAGES = "https://platform.claude.com/docs/en/models";

/** Models whose price depends on the length of the prompt are left out until a line can say so. */
export const PRICES: readonly ModelPrice[] = [
  claude("claude-opus-5-5", { input: 4, output: 20, cachedInput: 0.2, cacheWrite: 8 }, "opus-5-5"),
  claude("claude-opus-5", { input: 5, output: 25, cachedInput: 0.5, cacheWrite: 10 }, "opus-5"),
  claude("claude-sonnet-5", { input: 2, output: 10, cachedInput: 0.2, cacheWrite: 4 }, "sonnet-5"),
  claude("claude-haiku-4-5-20251001", { input: 1, output: 5, cachedInput: 0.1, cacheWrite: 2 }, "haiku-4-5"),
];

export function priceOf(model: string, prices: readonly ModelPrice[] = PRICES): ModelPrice | undefined {
  return prices.find((price) => price.model === model);
}

/** Tokens as a provider bills them; where it does not tell them apart, all of the input is plain input. */
export interface BilledTokens {
  input: number;
  output: number;
  cachedInput?: number;
  cacheWrite?: number;
}

export function costOf(price: ModelPrice, tokens: BilledTokens): number {
  const { input, output, cachedInput = 0, cacheWrite = 0 } = tokens;
  const millionths =
    input * price.input +
    output * price.output +
    cachedInput * price.cachedInput +
    cacheWrite * price.cacheWrite;
  return millionths / 1_000_000;
}

/** The most that so many tokens can cost: all of the input at its dearest rate. */
export function worstCostOf(price: ModelPrice, tokens: { input: number; output: number }): number {
  const dearest = Math.max(price.input, price.cacheWrite, price.cachedInput);
  return (tokens.input * dearest + tokens.output * price.output) / 1_000_000;
}

/** What the runtime said, or what the table makes of the tokens it told; what it did not call cached costs in full. */
export function costUsd(spent: Spent, price: ModelPrice | undefined): number | "unknown" {
  if (spent.costUsd !== "unknown" || spent.usage === "unknown" || price === undefined) return spent.costUsd;
  const { inputTokens, outputTokens, cachedInputTokens: cachedInput = 0 } = spent.usage;
  return costOf(price, { input: inputTokens - cachedInput, output: outputTokens, cachedInput });
}

function claude(
  name: string,
  price: Pick<ModelPrice, "input" | "output" | "cachedInput" | "cacheWrite">,
  page: string,
): ModelPrice {
  return { model: `anthropic:${name}`, ...price, checked: CHECKED, source: `${PAGES}/${page}/overview` };
}
