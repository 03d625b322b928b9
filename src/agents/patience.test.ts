import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sleep, waitMs } from "./patience.ts";

const PATIENCE = { tries: 5, firstMs: 1000, mostMs: 60_000 };

describe("how long to wait", () => {
  test.each<[string, number | undefined, number]>([
    ["what the provider asks for", 7000, 7000],
    ["nothing, when it asks for nothing", 0, 0],
    ["the most we would, when it asks for days", 3e8, 60_000],
    ["by our own measure, when it asks for less than nothing", -5, 500],
    ["by our own measure, when it asks for for ever", Number.POSITIVE_INFINITY, 500],
    ["by our own measure, when it asks for no number", Number.NaN, 500],
    ["by our own measure, when it says nothing", undefined, 500],
  ])("%s", (_, wished, ms) => {
    expect(waitMs(0, wished, () => 0.5, PATIENCE)).toBe(ms);
  });

  test("doubles its bound and stays under it", () => {
    const bounds = [0, 1, 2, 10].map((tried) => waitMs(tried, undefined, () => 0.999_999, PATIENCE));
    expect(bounds).toEqual([999, 1999, 3999, 59_999]);
    fc.assert(
      fc.property(fc.nat(100), fc.double({ min: 0, max: 0.999, noNaN: true }), (tried, random) => {
        const ms = waitMs(tried, undefined, () => random, PATIENCE);
        expect(ms >= 0 && ms <= 60_000).toBe(true);
      }),
    );
  });
});

test("waiting ends when it is aborted, and does not begin when it was before", async () => {
  const controller = new AbortController();
  const begun = performance.now();
  setTimeout(() => controller.abort(), 20);
  await sleep(10_000, controller.signal);
  await sleep(10_000, controller.signal);
  expect(performance.now() - begun).toBeLessThan(1000);
});
