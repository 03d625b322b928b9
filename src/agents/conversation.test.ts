import { describe, expect, test } from "vitest";
import { answering, ask, DONE, playing, WRONG } from "../../test/role-calls.ts";
import { openBudget } from "./budget.ts";
import { type BudgetKeeper, budgetKeeper } from "./budget-keeper.ts";
import type { RuntimeAnswer } from "./port.ts";

describe("the budget of a call", () => {
  const price = {
    model: "test:model",
    input: 100,
    output: 1000,
    cachedInput: 1,
    cacheWrite: 200,
    checked: "2026-01-01",
    source: "https://example.org",
  };

  test("stops a call before it starts, and nothing is in the journal but the cap", async () => {
    const { runtime, asked } = answering([DONE]);
    const { outcome, events } = await ask(runtime, {}, { budget: capped(0.29), prices: [price] });
    expect(outcome).toMatchObject({
      kind: "over-budget",
      asked: 0,
      cap: { scope: "run", unit: "usd", cap: 0.29, asked: 0.3 },
    });
    expect(events.map(({ kind }) => kind)).toEqual(["budget_exhausted"]);
    expect(asked).toEqual([]);
  });

  test("stops a repair that it could not pay, and what was paid stays paid", async () => {
    const budget = capped(0.305);
    const { outcome, events } = await ask(answering([WRONG, DONE]).runtime, {}, { budget, prices: [price] });
    expect(outcome).toMatchObject({ kind: "over-budget", asked: 1, costUsd: 0.01 });
    expect(events.map(({ kind }) => kind)).toEqual([
      "role_call_started",
      "budget_exhausted",
      "role_call_failed",
    ]);
  });

  test("refuses a model without a price, unless that was allowed, or nothing is asked of a model", async () => {
    const { runtime } = answering([DONE]);
    expect((await ask(runtime, {}, { budget: capped(100) })).outcome).toMatchObject({
      kind: "over-budget",
      cap: { asked: "unknown" },
    });
    expect((await ask(runtime, {}, { budget: capped(100, "allow") })).outcome.kind).toBe("done");
    expect((await ask(playing({}), {}, { budget: capped(0.01) })).outcome.kind).toBe("done");
  });

  test("takes the price of the table where the runtime tells tokens alone, and warns", async () => {
    const unpriced: RuntimeAnswer = { ...DONE, costUsd: "unknown" };
    const { outcome, events } = await ask(
      answering([unpriced]).runtime,
      {},
      { budget: capped(0.3), prices: [{ ...price, output: 1000, input: 2000 / 10, cacheWrite: 0 }] },
    );
    expect(outcome).toMatchObject({ kind: "done", costUsd: 0.03 });
    expect(events.map(({ kind }) => kind)).toEqual(["role_call_started", "role_call_finished"]);
  });

  test("is settled for a call whose price nobody knows, and says so", async () => {
    const { outcome, state } = await ask(
      answering([{ ...DONE, costUsd: "unknown", usage: "unknown" }]).runtime,
    );
    expect(outcome).toMatchObject({ kind: "done", costUsd: "unknown", usage: "unknown" });
    expect(state).toMatchObject({ unpriced: 1, run: { tokens: 1100 }, reservations: {} });
  });
});

function capped(usd: number, unknownPrices: "refuse" | "allow" = "refuse"): BudgetKeeper {
  return budgetKeeper(openBudget({ run: { usd }, task: {}, roles: {}, unknownPrices }), async () => {});
}
