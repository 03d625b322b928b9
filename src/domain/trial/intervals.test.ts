import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  bootstrap,
  clusteredTimes,
  clusteredWilson,
  type Resamples,
  resampledTotals,
  resamples,
  type Sums,
  times,
  wilson,
} from "./intervals.ts";

const mean = ([above = 0, below = 0]: Sums) => (below === 0 ? null : above / below);
const ofMean = (tasks: readonly Sums[], draws: Resamples) =>
  bootstrap(tasks, mean, resampledTotals(tasks, draws));
const draws = resamples(20);
const width = (interval: { low: number; high: number } | null) =>
  (interval?.high ?? NaN) - (interval?.low ?? NaN);

describe("Wilson's interval", () => {
  // R. G. Newcombe, Statistics in Medicine 17 (1998), 857–872, table I, method 3.
  test.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
    [29, 29, 0.883, 1],
  ])("%i of %i is as published", (successes, of, low, high) => {
    const interval = wilson(successes, of);
    expect(interval?.low).toBeCloseTo(low, 4);
    expect(interval?.high).toBeCloseTo(high, 4);
  });

  test("a share of nothing has none, and what is no share is a bug", () => {
    expect(wilson(0, 0)).toBeNull();
    expect(clusteredWilson([])).toBeNull();
    expect(clusteredWilson([[0, 0]])).toBeNull();
    for (const [successes, of] of [
      [2, 1],
      [-1, 3],
      [Number.NaN, 3],
      [0, Number.NaN],
    ] as const)
      expect(() => wilson(successes, of)).toThrow(RangeError);
  });

  test("it holds the share, stays within 0 and 1, and shrinks with more runs", () => {
    const share = fc.tuple(fc.nat(400), fc.integer({ min: 1, max: 400 })).filter(([hit, of]) => hit <= of);
    fc.assert(
      fc.property(share, ([successes, of]) => {
        const interval = wilson(successes, of) ?? { low: 2, high: -1 };
        expect(interval.low).toBeGreaterThanOrEqual(0);
        expect(interval.high).toBeLessThanOrEqual(1);
        expect(interval.low).toBeLessThanOrEqual(successes / of);
        expect(interval.high).toBeGreaterThanOrEqual(successes / of);
        expect(width(wilson(successes * 4, of * 4))).toBeLessThan(width(interval));
      }),
    );
  });

  test("five runs of a task that always agree count as one", () => {
    const once = Array.from({ length: 20 }, (_, task) => [task % 4 === 0 ? 1 : 0, 1]);
    const fivefold = once.map((sums) => sums.map((sum) => sum * 5));
    const spread = Array.from({ length: 20 }, (_, task) => [task % 4 === 0 ? 2 : 1, 5]);
    expect(width(clusteredWilson(fivefold))).toBeCloseTo(width(clusteredWilson(once)), 2);
    expect(clusteredWilson(spread)).toEqual(wilson(25, 100));
  });
});

const each = (...sums: number[]) => Array.from({ length: 10 }, () => sums);

describe("how many times as often", () => {
  // P. A. R. Koopman, Biometrics 40 (1984), 513–517, section 4.
  test("is as published", () => {
    const { low, high } = times([36, 40], [16, 80]);
    expect(low).toBeCloseTo(2.94, 2);
    expect(high).toBeCloseTo(7.15, 2);
  });

  test("holds the multiple, and shrinks with more runs", () => {
    const counts = fc.tuple(fc.nat(50), fc.integer({ min: 1, max: 50 }));
    fc.assert(
      fc.property(counts, ([own, other]) => {
        const { low, high } = times([own, 60], [other, 60]);
        expect(low).toBeLessThanOrEqual(own / other + 1e-9);
        expect(high).toBeGreaterThanOrEqual(own / other - 1e-9);
        expect(width(times([own * 4, 240], [other * 4, 240]))).toBeLessThan(width({ low, high }));
      }),
    );
  });

  test("none against some is at most so many times, and fewer the more there are", () => {
    const few = clusteredTimes(each(0, 10, 1, 10));
    const many = clusteredTimes(each(0, 10, 4, 10));
    expect(few?.low).toBe(0);
    expect(few?.high).toBeGreaterThan(0.2);
    expect(many?.high).toBeLessThan(0.2);
  });

  test("what one task did alone counts for less", () => {
    const alone = clusteredTimes([[0, 10, 10, 10], ...each(0, 10, 0, 10).slice(1)]);
    const spread = clusteredTimes(each(0, 10, 1, 10));
    expect(alone?.high).toBeGreaterThan((spread?.high ?? NaN) * 2);
  });

  test("has none where nothing was seen elsewhere, or nobody looked", () => {
    for (const sums of [
      [0, 10, 0, 10],
      [1, 10, 0, 10],
      [1, 10, 0, 0],
    ])
      expect(clusteredTimes(each(...sums))).toBeNull();
  });
});

describe("resampled tasks", () => {
  test("are the same on every machine, and each draws as many tasks as there are", () => {
    expect(resamples(4, 3)).toEqual(resamples(4, 3));
    expect(resamples(4, 2)).toEqual(resamples(4, 3).slice(0, 2));
    for (const drawn of resamples(7, 50)) expect(drawn.reduce((sum, times) => sum + times, 0)).toBe(7);
    expect(resamples(0, 2)).toEqual([[], []]);
  });

  test("give the interval of a mean that theory gives", () => {
    const values = Array.from({ length: 200 }, (_, index) => [index % 10, 1]);
    const interval = ofMean(values, resamples(200));
    const half = (1.96 * Math.sqrt(8.25)) / Math.sqrt(200);
    expect(interval?.low).toBeCloseTo(4.5 - half, 1);
    expect(interval?.high).toBeCloseTo(4.5 + half, 1);
  });

  test("hold the estimate, and shrink with more tasks", () => {
    const values = fc.array(fc.tuple(fc.nat(1000), fc.integer({ min: 1, max: 5 })), {
      minLength: 20,
      maxLength: 20,
    });
    fc.assert(
      fc.property(values, (tasks) => {
        const point = mean(tasks.reduce(([a, b], [c, d]) => [a + c, b + d], [0, 0])) ?? 0;
        const interval = ofMean(tasks, draws.slice(0, 200));
        if (interval === null) return;
        expect(interval.low).toBeLessThanOrEqual(point);
        expect(interval.high).toBeGreaterThanOrEqual(point);
      }),
      { numRuns: 40 },
    );
    const few = Array.from({ length: 20 }, (_, index) => [index % 5, 1]);
    const many = Array.from({ length: 120 }, (_, index) => [index % 5, 1]);
    expect(width(ofMean(many, resamples(120)))).toBeLessThan(width(ofMean(few, draws)));
  });

  test.each<[string, Sums[]]>([
    ["no task", []],
    ["one task", [[3, 4]]],
    ["one task that says anything", [[3, 4], ...Array.from({ length: 19 }, () => [0, 0])]],
    ["nothing below the line", Array.from({ length: 20 }, () => [0, 0])],
    ["tasks that all agree", Array.from({ length: 20 }, () => [1, 2])],
    ["tasks that agree in different numbers", Array.from({ length: 20 }, (_, task) => [0, 1 + (task % 3)])],
    ["a line that is empty more often than not", [[1, 1], ...Array.from({ length: 19 }, () => [2, 0])]],
  ])("tell nothing of %s", (_, tasks) => {
    expect(ofMean(tasks, draws)).toBeNull();
  });
});
