import { describe, expect, test } from "vitest";
import { ModelPrice } from "../domain/agent/model-price.ts";
import { parse } from "../domain/parse.ts";
import { costOf, costUsd, priceOf, PRICES, worstCostOf } from "./prices.ts";

const price: ModelPrice = {
  model: "a:b",
  input: 2,
  output: 10,
  cachedInput: 0.2,
  cacheWrite: 4,
  checked: "2026-01-01",
  source: "https://example.org/prices",
};
const usage = { inputTokens: 1_000_000, outputTokens: 100_000 };

test.each(PRICES)("$model has a date and a source", (line) => {
  expect(parse(ModelPrice, line).kind).toBe("ok");
  expect(PRICES.filter(({ model }) => model === line.model)).toHaveLength(1);
  expect(line.cachedInput).toBeLessThan(line.input);
  expect(line.cacheWrite).toBeGreaterThanOrEqual(line.input);
});

test("a model that is not in the table has no price", () => {
  expect(priceOf("nobody:knows")).toBeUndefined();
  expect(priceOf("anthropic:claude-opus-5")?.output).toBe(25);
});

describe("cost", () => {
  test("is counted by kind of token", () => {
    expect(costOf(price, { input: 1_000_000, output: 100_000 })).toBe(3);
    expect(costOf(price, { input: 0, output: 0, cachedInput: 1_000_000, cacheWrite: 500_000 })).toBe(2.2);
  });

  test("is at worst that of input which is all kept for later", () => {
    expect(worstCostOf(price, { input: 1_000_000, output: 100_000 })).toBe(5);
  });

  test.each([
    ["what the runtime said", { usage, costUsd: 0.5 }, price, 0.5],
    ["nothing, where the runtime said nothing", { usage, costUsd: 0 }, undefined, 0],
    ["by the table", { usage, costUsd: "unknown" }, price, 3],
    [
      "less for what was cached",
      { usage: { ...usage, cachedInputTokens: 500_000 }, costUsd: "unknown" },
      price,
      2.1,
    ],
    ["unknown without a price", { usage, costUsd: "unknown" }, undefined, "unknown"],
    ["unknown without tokens", { usage: "unknown", costUsd: "unknown" }, price, "unknown"],
  ] as const)("is %s", (_, spent, line, cost) => {
    expect(costUsd(spent, line)).toBe(cost);
  });
});
