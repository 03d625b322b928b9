import { describe, expect, test } from "vitest";
import { BudgetCaps } from "../domain/agent/budget-state.ts";
import { type Config, resolveConfig } from "../domain/config.ts";
import { parse } from "../domain/parse.ts";
import { capsOf, castRole } from "./cast-role.ts";
import { priceOf, worstCostOf } from "./prices.ts";
import { challenger } from "./roles/challenger.ts";
import { proposer } from "./roles/proposer.ts";

const MODELS = { standard: "a:standard", strong: "a:strong" };

describe("who plays a role", () => {
  test.each<[string, Config, object, object]>([
    [
      "the model of its tier",
      { models: MODELS },
      { runtime: "model", model: "a:standard" },
      { model: "a:strong" },
    ],
    [
      "what is named for the role itself",
      { models: MODELS, roles: { challenger: { runtime: "codex", model: "b:other" } } },
      { runtime: "model", model: "a:standard" },
      { runtime: "codex", model: "b:other" },
    ],
    [
      "an agent with a model of its own",
      { runtime: "claude-code" },
      { model: "claude-code:default" },
      { runtime: "claude-code" },
    ],
  ])("%s", (_, config, forProposer, forChallenger) => {
    const resolved = resolveConfig(config);
    expect(castRole(resolved, proposer)).toMatchObject(forProposer);
    expect(castRole(resolved, challenger)).toMatchObject(forChallenger);
  });

  test("nobody, while no model is named", () => {
    expect(() => castRole(resolveConfig({}), proposer)).toThrow("no model is named for the proposer");
    expect(() => castRole(resolveConfig({ models: { standard: "a:b" } }), challenger)).toThrow("challenger");
  });

  test("several calls of ordinary models fit into the budget that holds without any settings", () => {
    const resolved = resolveConfig({
      models: { standard: "anthropic:claude-sonnet-5", strong: "anthropic:claude-opus-5-5" },
    });
    for (const role of [proposer, challenger]) {
      const { model, limits } = castRole(resolved, role);
      const price = priceOf(model);
      const worst =
        price && worstCostOf(price, { input: limits.maxInputTokens, output: limits.maxOutputTokens });
      expect(worst).toBeGreaterThan(0);
      expect(worst).toBeLessThan(resolved.budget.usd / 8);
    }
  });
});

test("caps of run, task and roles come from the configuration", () => {
  const caps = capsOf(
    resolveConfig({
      budget: { tokens: 9, task: { usd: 1 }, unknownPrices: "allow" },
      roles: { arbiter: { budget: { minutes: 3 } }, proposer: { runtime: "acp" } },
    }),
  );
  expect(caps).toEqual({
    run: { usd: 10, tokens: 9 },
    task: { usd: 1 },
    roles: { arbiter: { minutes: 3 } },
    unknownPrices: "allow",
  });
  expect(parse(BudgetCaps, caps).kind).toBe("ok");
});
