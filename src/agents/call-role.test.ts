import { describe, expect, test } from "vitest";
import { proposerInput } from "../../test/agent-samples.ts";
import {
  answering,
  ask,
  type Call,
  DONE,
  KEY,
  LIMITS,
  PAID,
  playing,
  REF,
  WORK,
  WRONG,
} from "../../test/role-calls.ts";
import { openBudget } from "./budget.ts";
import { budgetKeeper } from "./budget-keeper.ts";
import type { RoleCallEvent } from "./call-role.ts";
import type { Runtime, RuntimeAnswer, Spent, TranscriptEntry } from "./port.ts";
import { proposer } from "./roles/proposer.ts";

const PRICE = {
  input: 1,
  output: 10,
  cachedInput: 0.1,
  cacheWrite: 1,
  checked: "2026-01-01",
  source: "https://example.org",
};

describe("an answer that fits", () => {
  test("is the outcome, in the journal and in the budget", async () => {
    const { outcome, events, state, kept } = await ask(playing({}));
    expect(outcome).toMatchObject({
      kind: "done",
      output: WORK,
      asked: 1,
      usage: PAID.usage,
      costUsd: 0,
      transcriptRef: REF,
    });
    expect(events).toMatchObject([
      { kind: "role_call_started", role: "proposer", ...KEY },
      { kind: "role_call_finished", role: "proposer", ...KEY, usage: PAID.usage, transcriptRef: REF },
    ]);
    expect(state).toMatchObject({ run: { tokens: 110 }, reservations: {} });
    expect(kept[0]?.map(({ kind }) => kind)).toEqual(["system", "prompt"]);
  });

  test("can be a blocker, which routes like any other exit", async () => {
    const blocker = { kind: "blocker", why: "contradiction", needs: ["a decision"] };
    const { outcome, events } = await ask(playing({ output: { answer: blocker } }));
    expect(outcome).toMatchObject({ kind: "blocked", blocker });
    expect(events.at(-1)?.kind).toBe("role_call_finished");
  });

  test("the agent gets schema, limits and only what its role may have", async () => {
    const { runtime, asked } = answering([DONE]);
    await ask(runtime, { workspace: "/w", forkFrom: "s0" });
    expect(asked[0]).toMatchObject({
      workspace: "/w",
      forkFrom: "s0",
      limits: LIMITS,
      outputSchema: { title: "proposer_answer" },
    });
    const tool = { name: "web_search", description: "", input: proposer.input, run: async () => "" } as const;
    await expect(ask(runtime, { tools: [tool] })).rejects.toThrow("may not have the tool web_search");
  });

  test("input that does not fit is no call at all", async () => {
    const { runtime, asked } = answering([DONE]);
    await expect(ask(runtime, { input: proposerInput({ phase: "revise" }) })).rejects.toThrow(
      "what sent the work back",
    );
    expect(asked).toEqual([]);
  });
});

describe("an answer that does not fit", () => {
  test("is repaired once, in the same conversation, with the exact places", async () => {
    const { runtime, asked } = answering([WRONG, { ...DONE, session: "s2" }]);
    const { outcome, state, events } = await ask(runtime);
    expect(outcome).toMatchObject({ kind: "done", session: "s2", asked: 2, costUsd: 0.02 });
    expect(events.map(({ kind }) => kind)).toEqual(["role_call_started", "role_call_finished"]);
    expect(asked[1]).toMatchObject({ forkFrom: "s1", key: { turn: 2 } });
    expect(asked[1]?.prompt).toContain("$.answer.claim: expected a string, found 5");
    expect(state.run.tokens).toBe(220);
  });

  test("where the runtime cannot fork, a fresh conversation hears everything again", async () => {
    const { runtime, asked } = answering([WRONG, DONE], { forks: "never" });
    expect((await ask(runtime, { forkFrom: "s0" })).outcome.kind).toBe("done");
    expect(asked[1]?.prompt).toContain(asked[0]?.prompt);
    expect(asked[1]?.prompt).toMatch(/<untrusted name="your last answer"[\s\S]*expected a string, found 5/);
    expect(asked.map(({ forkFrom }) => forkFrom)).toEqual([undefined, undefined]);
  });

  test.each<[string, RuntimeAnswer, string]>([
    ["wrong again", WRONG, "$.answer.claim"],
    ["missing", { kind: "no-output", said: "All done!", session: "s", ...PAID }, "$"],
  ])("%s is an outcome, after exactly one repair", async (_, answer, path) => {
    const { runtime, asked } = answering([answer]);
    const { outcome, events } = await ask(runtime);
    expect(outcome).toMatchObject({ kind: "invalid", problems: [{ path }] });
    expect(asked).toHaveLength(2);
    expect(events.at(-1)).toMatchObject({ kind: "role_call_failed", reason: expect.stringContaining(path) });
  });
});

describe("an answer that is made to harm", () => {
  let deep: unknown = 5;
  for (let depth = 0; depth < 100_000; depth++) deep = [deep];

  test.each<[string, unknown]>([
    ["deep", { answer: { ...WORK, claim: deep } }],
    ["wide", { answer: { ...WORK, acceptance_checks: Array.from({ length: 50_000 }, () => 5) } }],
    ["long", { answer: { ...WORK, claim: "x".repeat(5_000_000), ["k".repeat(2_000_000)]: 1 } }],
    ["about its own prototype", { answer: JSON.parse('{"__proto__":{"claim":"x"}}') }],
  ])("because it is %s is one that does not fit", async (_, output) => {
    const { runtime, asked } = answering([{ ...DONE, output }], { forks: "never" });
    const { outcome } = await ask(runtime);
    expect(outcome).toMatchObject({ kind: "invalid", asked: 2 });
    expect(JSON.stringify(outcome).length).toBeLessThan(100_000);
    expect(asked[1]?.prompt.length).toBeLessThan(300_000);
    expect(asked[1]?.prompt).toContain("does not match the schema");
  });

  type Expected = Partial<Spent> & { spent: { microUsd: number; tokens: number } };
  // Where the tokens can be believed, the table of prices knows what they cost.
  const held: Expected = { usage: "unknown", costUsd: "unknown", spent: { microUsd: 2000, tokens: 1100 } };
  test.each<[string, Partial<Spent>, Expected]>([
    ["a negative price", { costUsd: -5 }, { costUsd: 0.0002, spent: { microUsd: 200, tokens: 110 } }],
    ["no number", { costUsd: Number.NaN }, { costUsd: 0.0002, spent: { microUsd: 200, tokens: 110 } }],
    ["too much", { costUsd: 1e300, usage: { inputTokens: 2 ** 53, outputTokens: 0 } }, held],
    ["half a token", { costUsd: "unknown", usage: { inputTokens: 0.5, outputTokens: -1 } }, held],
  ])("to the budget, by %s, is not believed", async (_, told, { spent, ...expected }) => {
    const prices = [{ ...PRICE, model: "test:model" }];
    const { outcome, state } = await ask(answering([{ ...DONE, ...told }]).runtime, {}, { prices });
    expect(outcome).toMatchObject({ kind: "done", ...expected });
    expect(state.run).toMatchObject(spent);
  });

  test("by saying nothing has an outcome that can be kept", async () => {
    const failed: RuntimeAnswer = { kind: "failed", why: "", ...PAID };
    expect((await ask(answering([failed]).runtime)).outcome).toMatchObject({ why: "it gave no reason" });
    expect((await ask(answering([{ ...DONE, session: "" }]).runtime)).outcome.kind).toBe("done");
  });
});

test("a call that could not be announced was not made, and nothing stays held back for it", async () => {
  const keeper = budgetKeeper(
    openBudget({ run: { tokens: 1500 }, task: {}, roles: {}, unknownPrices: "refuse" }),
    async () => {},
  );
  const { runtime, asked } = answering([DONE]);
  await expect(ask(runtime, {}, { budget: keeper, emit: full })).rejects.toThrow("the journal is full");
  expect(asked).toEqual([]);
  expect(keeper.state()).toMatchObject({ run: { tokens: 0 }, reservations: {} });
});

describe("a silent agent", () => {
  const silent = { output: null, ending: "silent" } as const;

  test("is nudged once in its own conversation", async () => {
    expect((await ask(playing(silent, {}))).outcome).toMatchObject({ kind: "done", asked: 2 });
    const { runtime, asked } = answering([{ kind: "silent", afterMs: 5, session: "s7", ...PAID }, DONE]);
    await ask(runtime);
    expect(asked[1]).toMatchObject({ forkFrom: "s7", prompt: expect.stringContaining("Reminder") });
  });

  test("then it has timed out, and was paid for", async () => {
    const { outcome, events, state } = await ask(playing(silent, silent));
    expect(outcome).toMatchObject({ kind: "timed-out", asked: 2 });
    expect(events.at(-1)?.kind).toBe("role_call_failed");
    expect(state.run.tokens).toBe(220);
  });

  test("a nudge does not use up the repair", async () => {
    const wrong = { output: { answer: {} } };
    expect((await ask(playing(silent, wrong, {}))).outcome).toMatchObject({ kind: "done", asked: 3 });
  });
});

describe("a runtime that does not end", () => {
  test.each<[string, Runtime["run"]]>([
    [
      "and listens",
      ({ signal }) =>
        new Promise((resolve) =>
          signal.addEventListener("abort", () => resolve({ kind: "aborted", ...PAID })),
        ),
    ],
    ["and does not listen", () => new Promise(() => {})],
  ])("%s is given up after its time", async (_, run) => {
    const { outcome } = await ask(
      answering([run]).runtime,
      { limits: { ...LIMITS, timeoutMs: 60 } },
      { prices: [] },
    );
    expect(outcome).toMatchObject({ kind: "timed-out", why: "not done after 60 ms" });
  });

  test("is aborted with the call", async () => {
    const { outcome, events } = await ask(playing({ latencyMs: 60_000 }), {
      signal: AbortSignal.timeout(50),
    });
    expect(outcome).toMatchObject({ kind: "aborted", usage: PAID.usage });
    expect(events.at(-1)).toMatchObject({
      kind: "role_call_failed",
      reason: "aborted",
      transcriptRef: REF,
    });
  });

  test("is not asked after an abort", async () => {
    const { runtime, asked } = answering([DONE]);
    const { outcome, events } = await ask(runtime, { signal: AbortSignal.abort() });
    expect([outcome.kind, asked.length, events.length]).toEqual(["aborted", 0, 0]);
  });
});

describe("a provider", () => {
  const gone: RuntimeAnswer = { kind: "unavailable", why: "connection refused", ...PAID };

  test.each([0, 5, undefined, 9e9])("that is busy is asked again after %s", async (after) => {
    const begun = performance.now();
    const { outcome } = await ask(answering([busy(after), gone, DONE]).runtime);
    expect(outcome).toMatchObject({ kind: "done", asked: 3 });
    expect(performance.now() - begun).toBeLessThan(1000);
  });

  test.each([gone, busy(0)])(
    "that stays $kind is an outcome to halt on; each try was paid",
    async (answer) => {
      const { outcome, state } = await ask(answering([answer]).runtime);
      expect(outcome).toMatchObject({
        kind: "unavailable",
        asked: 3,
        why: expect.stringContaining("asked 3 times"),
      });
      expect(state.run.tokens).toBe(330);
    },
  );

  test("that is waited for can be given up at once", async () => {
    const patience = { tries: 2, firstMs: 60_000, mostMs: 60_000 };
    const { outcome } = await ask(
      answering([gone]).runtime,
      { signal: AbortSignal.timeout(30) },
      { patience },
    );
    expect(outcome).toMatchObject({ kind: "aborted", asked: 1 });
  });

  test.each<[RuntimeAnswer | Runtime["run"], object]>([
    [
      { kind: "refused", why: "no", ...PAID },
      { kind: "refused", why: "no" },
    ],
    [
      { kind: "too-long", why: "much", ...PAID },
      { kind: "too-long", why: "much" },
    ],
    [
      { kind: "failed", why: "wrong key", hint: "export it", ...PAID },
      { kind: "failed", why: "wrong key", hint: "export it" },
    ],
    [
      () => Promise.reject(new Error("bug")),
      { kind: "failed", why: "bug", usage: "unknown", costUsd: "unknown" },
    ],
  ])("that ends with %j is an outcome, never an exception", async (answer, outcome) => {
    expect((await ask(answering([answer]).runtime)).outcome).toMatchObject({ ...outcome, asked: 1 });
  });
});

describe("attempts", () => {
  const request = { kind: "request_retry", why: "one test fails", strategy: "look at the boundary" } as const;
  const retrying: Partial<Call> = { role: { ...proposer, retries: true } };
  const at = (attempt: number) => ({ ...retrying, key: { ...KEY, attempt } });
  const again = (attempt: number) =>
    playing({ key: { role: "proposer", ...KEY, attempt }, output: { answer: request } });

  test("another one is granted until the last, where it becomes Stuck", async () => {
    expect((await ask(again(4), at(4))).outcome).toMatchObject({ kind: "retry", request });
    expect((await ask(again(5), at(5))).outcome).toMatchObject({ kind: "stuck", request });
    expect((await ask(again(2), { ...at(2), attempts: 2 })).outcome.kind).toBe("stuck");
  });

  test("are counted by the factory, and there is none after the last", async () => {
    const { runtime, asked } = answering([DONE]);
    await ask(runtime, at(5));
    expect(asked[0]?.prompt).toMatch(/attempt 5 of 5[\s\S]*It is the last one/);
    await expect(ask(runtime, at(6))).rejects.toThrow("attempt 6 of 5");
  });
});

test("no secret is in a transcript or a reason that is kept; a canary is", async () => {
  const canary = `cupel-canary-${"ab".repeat(16)}`;
  const transcript: TranscriptEntry[] = [
    { kind: "said", text: `my key is very-secret-value-1 and ${canary}` },
    { kind: "tool-call", tool: "grep", input: { pattern: "very-secret-\nvalue-1" } },
  ];
  const answer: RuntimeAnswer = {
    kind: "failed",
    why: "key very-secret-value-1 is wrong",
    ...PAID,
    transcript,
  };
  const { kept, events, outcome } = await ask(answering([answer]).runtime);
  const all = JSON.stringify([kept, events, outcome]);
  expect(all).not.toMatch(/very-secret|value-1/);
  expect(all).toContain(canary);
});

test("when the harness itself fails, what was paid is in the journal, and the error is not hidden", async () => {
  const events: RoleCallEvent[] = [];
  const budget = budgetKeeper(
    openBudget({ run: {}, task: {}, roles: {}, unknownPrices: "refuse" }),
    async ({ reservations }) => {
      if (Object.keys(reservations).length === 0) throw new Error("the disk is full");
    },
  );
  await expect(
    ask(answering([DONE]).runtime, {}, { budget, emit: async (event) => void events.push(event) }),
  ).rejects.toThrow("the disk is full");
  expect(events.map(({ kind }) => kind)).toEqual(["role_call_started", "role_call_failed"]);
});

test("when its transcript cannot be kept, what the call cost is in the journal all the same", async () => {
  const events: RoleCallEvent[] = [];
  const answer: RuntimeAnswer = { ...DONE, transcript: [{ kind: "said", text: "done" }] };
  const emit = async (event: RoleCallEvent) => void events.push(event);
  await expect(ask(answering([answer]).runtime, {}, { emit, keep: full })).rejects.toThrow("is full");
  expect(events.at(-1)).toMatchObject({ kind: "role_call_failed", usage: PAID.usage, transcriptRef: null });
});

function full(): Promise<never> {
  return Promise.reject(new Error("the journal is full"));
}

function busy(retryAfterMs: number | undefined): RuntimeAnswer {
  return { kind: "busy", why: "429", retryAfterMs, ...PAID };
}
