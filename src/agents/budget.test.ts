import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { BudgetCaps, BudgetState } from "../domain/agent/budget-state.ts";
import { capText, fromRecord, openBudget, reserve, settle, toRecord, type WorstCase } from "./budget.ts";
import type { Payer } from "./budget-accounts.ts";
import { budgetKeeper } from "./budget-keeper.ts";

const A: Payer = { task: "T-a-001", role: "proposer" };
const B: Payer = { task: "T-b-001", role: "challenger" };
const NONE: BudgetCaps = { run: {}, task: {}, roles: {}, unknownPrices: "refuse" };

function budget(caps: Partial<BudgetCaps>): BudgetState {
  return openBudget({ ...NONE, ...caps });
}

function worst(change: Partial<WorstCase> = {}): WorstCase {
  return { usd: 1, tokens: 100, ms: 60_000, ...change };
}

function held(state: BudgetState, id: string, payer: Payer, amount: WorstCase): BudgetState {
  const reserved = reserve(state, id, payer, amount);
  if (reserved.kind === "over") throw new Error(JSON.stringify(reserved.cap));
  return reserved.state;
}

function spent(usd: number | "unknown", tokens: number | "unknown", ms = 0) {
  const usage = tokens === "unknown" ? tokens : { inputTokens: tokens, outputTokens: 0 };
  return { costUsd: usd, usage, ms };
}

describe("a call that could cross a cap does not start, and says which", () => {
  test.each<[string, Partial<BudgetCaps>, Partial<WorstCase>, object]>([
    [
      "money of the run",
      { run: { usd: 0.99 } },
      {},
      { scope: "run", subject: null, unit: "usd", cap: 0.99, asked: 1 },
    ],
    ["tokens of the run", { run: { tokens: 99 } }, {}, { scope: "run", unit: "tokens", asked: 100 }],
    ["minutes of the run", { run: { minutes: 0.5 } }, {}, { scope: "run", unit: "minutes", asked: 1 }],
    ["money of the task", { task: { usd: 0.5 } }, {}, { scope: "task", subject: "T-a-001", unit: "usd" }],
    [
      "tokens of the role",
      { roles: { proposer: { tokens: 1 } } },
      {},
      { scope: "role", subject: "proposer", unit: "tokens" },
    ],
    [
      "money, when nobody knows the price",
      { run: { usd: 100 } },
      { usd: "unknown" },
      { unit: "usd", asked: "unknown" },
    ],
  ])("%s", (_, caps, change, cap) => {
    const refused = reserve(budget(caps), "1", A, worst(change));
    expect(refused).toMatchObject({ kind: "over", cap, state: { reservations: {} } });
    const notices = change.usd === "unknown" ? [] : [{ kind: "budget_exhausted" }];
    expect(refused.notices).toMatchObject(notices);
    const why =
      change.usd === "unknown" ? /no price is known.*budget\.unknownPrices/ : /may use .* could take/;
    expect(refused.kind === "over" && capText(refused.cap)).toMatch(why);
    expect(reserve(refused.state, "2", A, worst(change)).notices).toEqual([]);
  });

  test.each<[string, Partial<BudgetCaps>, Partial<WorstCase>]>([
    ["exactly as much as is left", { run: { usd: 1, tokens: 100, minutes: 1 } }, {}],
    ["a sum that binary fractions spoil", { run: { usd: 0.3 } }, { usd: 0.1 + 0.2 }],
    ["the cap of another role", { roles: { challenger: { usd: 0.01 } } }, {}],
    ["an unknown price that was allowed", { run: { usd: 1 }, unknownPrices: "allow" }, { usd: "unknown" }],
    ["an unknown price where money has no cap", { run: { tokens: 100 } }, { usd: "unknown" }],
  ])("but %s is no reason", (_, caps, change) => {
    expect(reserve(budget(caps), "1", A, worst(change)).kind).toBe("reserved");
  });

  test("what is under way counts until it is settled", () => {
    const one = held(budget({ run: { usd: 1.5 } }), "1", A, worst());
    expect(reserve(one, "2", B, worst())).toMatchObject({
      kind: "over",
      cap: { spent: 0, reserved: 1, asked: 1 },
    });
    const settled = settle(one, "1", spent(0.2, 10)).state;
    expect(reserve(settled, "2", B, worst()).kind).toBe("reserved");
  });
});

describe("settling", () => {
  test("books for the run, the task and the role", () => {
    const { state } = settle(held(budget({}), "1", A, worst()), "1", spent(0.25, 30, 1500));
    const used = { microUsd: 250_000, tokens: 30, ms: 1500 };
    expect(state).toMatchObject({
      run: used,
      tasks: { "T-a-001": used },
      roles: { proposer: used },
      reservations: {},
    });
  });

  test("counts what was held back where the runtime does not tell", () => {
    const { state } = settle(held(budget({}), "1", A, worst()), "1", spent("unknown", "unknown", 5));
    expect(state.run).toEqual({ microUsd: 1_000_000, tokens: 100, ms: 5 });
  });

  test("says how many calls have no known cost", () => {
    const one = held(budget({}), "1", A, worst({ usd: "unknown" }));
    expect(settle(one, "1", spent("unknown", 1)).state).toMatchObject({ unpriced: 1, run: { microUsd: 0 } });
    expect(settle(one, "1", spent(0.5, 1)).state).toMatchObject({ unpriced: 0, run: { microUsd: 500_000 } });
  });

  test("warns once, at 80 %", () => {
    let state = budget({ run: { usd: 1 } });
    const told = [0.79, 0.01, 0.1].map((usd, index) => {
      const settled = settle(held(state, `${index}`, A, worst({ usd })), `${index}`, spent(usd, 0));
      state = settled.state;
      return settled.notices;
    });
    expect(told).toEqual([
      [],
      [{ kind: "budget_warning", scope: "run", subject: null, unit: "usd", cap: 1, spent: 0.8 }],
      [],
    ]);
  });

  test("knows no call twice and none that was not reserved", () => {
    const one = held(budget({}), "1", A, worst());
    expect(() => reserve(one, "1", A, worst())).toThrow("holds a reservation 1 already");
    expect(() => settle(one, "2", spent(0, 0))).toThrow("holds no reservation 2");
  });
});

describe("after a crash", () => {
  test("what was held back counts as spent, in full", () => {
    const crashed = held(held(budget({ run: { usd: 2 } }), "1", A, worst()), "2", B, worst());
    const { state, notices } = fromRecord(JSON.parse(JSON.stringify(toRecord(crashed))));
    expect(state).toMatchObject({ run: { microUsd: 2_000_000, tokens: 200, ms: 120_000 }, reservations: {} });
    expect(notices).toMatchObject([{ kind: "budget_warning", unit: "usd" }]);
  });

  test("a raised cap holds from then on, and is warned about anew", () => {
    const spentAll = settle(held(budget({ run: { usd: 1 } }), "1", A, worst()), "1", spent(1, 1)).state;
    const raised = fromRecord(toRecord(spentAll), { ...NONE, run: { usd: 3 } }).state;
    expect(reserve(raised, "2", A, worst()).kind).toBe("reserved");
    expect([spentAll.told.length, raised.told.length]).toEqual([1, 0]);
    expect(fromRecord(toRecord(spentAll), { ...NONE, run: { usd: 1 } }).state.told).toHaveLength(1);
  });

  test("a record that is none is refused", () => {
    expect(() => fromRecord({ caps: {} })).toThrow("the budget of the run is not valid");
  });
});

describe("whatever happens in whatever order", () => {
  const amounts = fc.record({
    usd: fc.integer({ min: 0, max: 400 }),
    tokens: fc.nat(400),
    ms: fc.nat(200_000),
  });
  const steps = fc.array(
    fc.record({
      act: fc.constantFrom("reserve", "settle", "settle-unknown", "crash"),
      pick: fc.nat(),
      payer: fc.constantFrom(A, B, { ...A, role: "challenger" } as const),
      amount: amounts,
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    { maxLength: 60 },
  );
  const caps: BudgetCaps = {
    run: { usd: 10, tokens: 1000, minutes: 8 },
    task: { usd: 6, tokens: 700 },
    roles: { challenger: { usd: 3, minutes: 5 } },
    unknownPrices: "refuse",
  };

  test("no cap is ever crossed, and nothing that was paid is lost", () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        let state = openBudget(caps);
        let paid = 0;
        sequence.forEach(({ act, pick, payer, amount, share }, index) => {
          const ids = Object.keys(state.reservations);
          const id = ids[pick % Math.max(1, ids.length)];
          if (act === "reserve") {
            state = reserve(state, `${index}`, payer, { ...amount, usd: amount.usd / 100 }).state;
          } else if (act === "crash") {
            paid += Object.values(state.reservations).reduce((sum, { worst }) => sum + worst.tokens, 0);
            state = fromRecord(toRecord(state)).state;
          } else if (id !== undefined) {
            const most = state.reservations[id]?.worst ?? { microUsd: 0, tokens: 0, ms: 0 };
            const tokens = Math.floor(most.tokens * share);
            const told = act === "settle";
            state = settle(
              state,
              id,
              spent(
                told ? (most.microUsd * share) / 1e6 : "unknown",
                told ? tokens : "unknown",
                most.ms * share,
              ),
            ).state;
            paid += told ? tokens : most.tokens;
          }
          const challenger = state.roles.challenger ?? { microUsd: 0, ms: 0 };
          expect(
            state.run.microUsd <= 10_000_000 && state.run.tokens <= 1000 && state.run.ms <= 480_000,
          ).toBe(true);
          expect(challenger.microUsd <= 3_000_000 && challenger.ms <= 300_000).toBe(true);
          for (const task of Object.values(state.tasks))
            expect(task.microUsd <= 6_000_000 && task.tokens <= 700).toBe(true);
        });
        expect(state.run.tokens).toBe(paid);
      }),
      { numRuns: 300 },
    );
  });

  test("calls at the same time cannot together cross a cap, however slowly the record is kept", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.nat(60), { minLength: 2, maxLength: 12 }),
        async (scheduler, costs) => {
          let kept = toRecord(budget({ run: { tokens: 100 } }));
          const keeper = budgetKeeper(budget({ run: { tokens: 100 } }), async (record) => {
            await scheduler.schedule(Promise.resolve());
            kept = record;
          });
          const calls = costs.map(async (tokens, index) => {
            await scheduler.schedule(Promise.resolve());
            const granted = await keeper.reserve(`${index}`, A, { usd: 0, tokens, ms: 0 });
            expect(sumOf(kept)).toBeLessThanOrEqual(100);
            if (granted.kind === "over") return;
            expect(kept.reservations).toHaveProperty(`${index}`);
            await scheduler.schedule(Promise.resolve());
            await keeper.settle(`${index}`, spent(0, tokens));
          });
          await scheduler.waitFor(Promise.all(calls));
          expect(keeper.state().run.tokens).toBeLessThanOrEqual(100);
          expect(kept).toEqual(keeper.state());
        },
      ),
      { numRuns: 60 },
    );
  });

  test("a reservation that could not be kept was not made", async () => {
    let full = true;
    const keeper = budgetKeeper(budget({ run: { tokens: 100 } }), async () => {
      if (full) throw new Error("the disk is full");
    });
    await expect(keeper.reserve("1", A, worst())).rejects.toThrow("the disk is full");
    full = false;
    expect((await keeper.reserve("1", A, worst())).kind).toBe("reserved");
  });
});

function sumOf({ run, reservations }: BudgetState): number {
  return Object.values(reservations).reduce((sum, { worst }) => sum + worst.tokens, run.tokens);
}
