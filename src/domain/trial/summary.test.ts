import { describe, expect, test } from "vitest";
import {
  DEBATE,
  ESCAPE,
  everyRow,
  protocolSample,
  rowSample,
  SOLO,
  trialSample,
} from "../../../test/trial-samples.ts";
import { OUTCOME_NAMES } from "./outcomes.ts";
import { ArmFigures, summarize } from "./summary.ts";
import type { TrialRow } from "./trial-row.ts";

const protocol = protocolSample();
const armOf = (rows: readonly TrialRow[], arm = "solo") => summarize(protocol, rows).arms[arm];
const estimates = (rows: readonly TrialRow[]) => summarize(protocol, rows).estimates[0]?.outcomes;
const against = (rows: readonly TrialRow[]) => summarize(protocol, rows).comparisons[0];

describe("the figures of an arm", () => {
  test("are counted from its rows alone", () => {
    const figures = armOf([
      rowSample({ seed: 1, coverage: 0.8, tokens: 100, calls: 3 }),
      rowSample({
        seed: 2,
        ...ESCAPE,
        crashes: true,
        staticPass: false,
        coverage: 0.6,
        tokens: 50,
        calls: 1,
      }),
      rowSample({ task: "beta", ended: "halted", right: true }),
      rowSample({ task: "gamma", ended: "halted", right: false }),
      rowSample({ task: "gamma", seed: 2, ended: "crashed", right: null, tokens: 0, calls: 0 }),
      rowSample({ arm: "debate", ...ESCAPE }),
    ]);
    expect(figures).toEqual({
      tasks: 5,
      escaped: 1,
      falseRejections: 1,
      crashRate: 0.5,
      correctness: 0.5,
      coverage: 0.7,
      staticPass: 0.5,
      calls: 8,
      tokens: 2150,
    });
    expect(ArmFigures.parse(figures)).toEqual(figures);
  });

  test("of nothing are null, never 0 or 1", () => {
    const nothing = { crashRate: null, correctness: null, coverage: null, staticPass: null };
    expect(armOf([])).toMatchObject({ tasks: 0, ...nothing });
    expect(armOf([rowSample({ ended: "halted", right: false })])).toMatchObject({ tasks: 1, ...nothing });
    for (const name of OUTCOME_NAMES)
      expect(estimates([])?.[name]).toEqual({ value: null, interval: null, of: 0 });
    expect(against([])?.outcomes.tokens).toMatchObject({
      difference: { value: null },
      ratio: { value: null },
    });
    expect(estimates([rowSample({ ...ESCAPE })])?.tokensPerRight.value).toBeNull();
  });

  test("a run that failed stays among the runs and is told apart", () => {
    const failed = estimates([rowSample(), rowSample({ seed: 2, ended: "crashed", right: null })]);
    expect(failed?.failedRuns).toMatchObject({ value: 0.5, of: 2 });
    expect(failed?.yield).toMatchObject({ value: 0.5, of: 2 });
    expect(failed?.correctness).toMatchObject({ value: 1, of: 1 });
  });

  test("an oracle that asked nothing has not called anything right or wrong", () => {
    const unasked = [
      rowSample({ oracle: { passed: 0, failed: 0 } }),
      rowSample({ seed: 2, ...ESCAPE, oracle: null }),
      rowSample({ task: "beta", ended: "halted", right: true, oracle: null }),
    ];
    expect(armOf(unasked)).toMatchObject({ correctness: null, escaped: 0, falseRejections: 0 });
  });

  test("rows of other trials and second rows of a run are not counted", () => {
    const rows = [
      rowSample(),
      rowSample({ ...ESCAPE }),
      rowSample({ task: "omega", ...ESCAPE }),
      rowSample({ seed: 9, ...ESCAPE }),
      rowSample({ arm: "constructor", ...ESCAPE }),
    ];
    const { arms, counted } = summarize(protocol, rows);
    expect(arms["solo"]).toMatchObject({ tasks: 1, escaped: 0 });
    expect(Object.keys(arms)).toEqual(["solo", "debate"]);
    expect(counted).toMatchObject({ stray: 3, repeated: 1, planned: 12 });
  });

  test("the order of rows makes no difference", () => {
    const { protocol: large, rows } = trialSample();
    expect(summarize(large, rows.toReversed())).toEqual(summarize(large, rows));
  });
});

describe("an arm against the control", () => {
  test("only by the runs that both have", () => {
    const rows = everyRow(protocol, ({ arm, seed }) => (arm === "solo" && seed === 1 ? ESCAPE : {})).filter(
      ({ task, arm }) => task !== "gamma" || arm === "solo",
    );
    expect(against(rows)).toMatchObject({
      pairs: 4,
      outcomes: {
        escaped: { own: 0, control: 0.5, difference: { value: -0.5, of: 4 }, ratio: { value: 0 } },
      },
    });
    expect(summarize(protocol, rows).comparisons).toHaveLength(1);
  });

  test("a control without escapes has no multiple", () => {
    const rows = everyRow(protocol, ({ arm }) => (arm === "debate" ? ESCAPE : {}));
    expect(against(rows)?.outcomes.escaped).toMatchObject({
      difference: { value: 1, interval: null },
      ratio: { value: null, interval: null },
    });
  });

  test("a task of which one arm was always better shows in the interval, whatever other tasks are like", () => {
    const tasks = Array.from({ length: 30 }, (_, index) => `task-${index}`);
    const hard = (task: string) => tasks.indexOf(task) % 2 === 0;
    const large = protocolSample({ tasks });
    const rows = everyRow(large, ({ arm, task }) => (arm === "solo" && hard(task) ? ESCAPE : {}));
    const escapes = summarize(large, rows).comparisons[0]?.outcomes.escaped.difference;
    expect(escapes?.value).toBe(-0.5);
    expect(escapes?.interval?.high).toBeLessThan(-0.25);
    expect(escapes?.interval?.low).toBeGreaterThan(-0.75);
  });
});

describe("cost against escapes", () => {
  test("tokens per right module, and the price of an escape that did not happen", () => {
    const rows = everyRow(protocol, ({ arm, seed }) => ({
      tokens: arm === "solo" ? 1000 : 3000,
      ...(arm === "solo" && seed === 1 ? ESCAPE : {}),
    }));
    const [solo, debate] = summarize(protocol, rows).effectiveness;
    expect(solo).toMatchObject({
      escapedPerThousand: { value: 500 },
      tokensPerRight: { value: 2000 },
      extraTokensPerEscapeAvoided: null,
    });
    expect(debate).toMatchObject({ tokensPerRight: { value: 3000 }, extraTokensPerEscapeAvoided: 4000 });
  });

  test("an arm that lets as many escape buys nothing", () => {
    const rows = everyRow(protocol, () => ESCAPE);
    expect(summarize(protocol, rows).effectiveness[1]?.extraTokensPerEscapeAvoided).toBeNull();
  });
});

describe("what became of defective draws", () => {
  test("who caught first, and how each ended", () => {
    const defective = true;
    const [waterfall] = summarize(protocolSample({ seeds: [1, 2, 3, 4], arms: [SOLO, DEBATE] }), [
      rowSample({ seed: 1, defective, caughtBy: "mutation" }),
      rowSample({ seed: 2, defective, caughtBy: "mutation", right: false }),
      rowSample({ seed: 3, defective, caughtBy: "green", ended: "halted", right: false }),
      rowSample({ seed: 4, defective, caughtBy: "reviewer", ended: "crashed", right: null }),
      rowSample({ task: "beta", seed: 1, defective, right: false }),
      rowSample({ task: "beta", seed: 2, defective, right: null }),
      rowSample({ task: "beta", seed: 3, right: false }),
    ]).waterfalls;
    expect(waterfall).toEqual({
      arm: "solo",
      defective: 6,
      steps: [
        { by: "green", caught: 1, left: 5 },
        { by: "mutation", caught: 2, left: 3 },
        { by: "reviewer", caught: 1, left: 2 },
      ],
      uncaught: 2,
      ends: { mended: 1, escaped: 2, halted: 1, failed: 1, untold: 1 },
      escapedAfterCatch: 1,
      escapedFromRightDraw: 1,
    });
  });

  test("nothing is lost between the draw and the end", () => {
    const { protocol: large, rows } = trialSample();
    const { waterfalls, arms } = summarize(large, rows);
    for (const { arm, defective, steps, uncaught, ends, escapedFromRightDraw } of waterfalls) {
      expect(steps.reduce((sum, { caught }) => sum + caught, uncaught)).toBe(defective);
      expect(Object.values(ends).reduce((sum, count) => sum + count, 0)).toBe(defective);
      expect(ends.escaped + escapedFromRightDraw).toBe(arms[arm]?.escaped);
    }
  });
});
