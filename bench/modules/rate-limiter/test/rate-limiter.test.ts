import fc from "fast-check";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { RateLimiter } from "../src/index.ts";

let now = 0;
let limiter: RateLimiter;
beforeEach(() => {
  now = 10_000;
  limiter = new RateLimiter({ burst: 3, perSecond: 2, now: () => now });
});

describe("take", () => {
  test("allows a burst, then says when to come back", () => {
    expect(limiter.take("a")).toEqual({ allowed: true, left: 2 });
    expect(limiter.take("a")).toEqual({ allowed: true, left: 1 });
    expect(limiter.take("a")).toEqual({ allowed: true, left: 0 });
    expect(limiter.take("a")).toEqual({ allowed: false, retryAfterMs: 500 });
  });

  test("fills again with time, never above the burst", () => {
    limiter.take("a", 3);
    now += 500;
    expect(limiter.take("a")).toEqual({ allowed: true, left: 0 });
    now += 250;
    expect(limiter.take("a")).toEqual({ allowed: false, retryAfterMs: 250 });
    now += 60_000;
    expect(limiter.take("a")).toEqual({ allowed: true, left: 2 });
  });

  test("keys do not share", () => {
    limiter.take("a", 3);
    expect(limiter.take("b", 2)).toEqual({ allowed: true, left: 1 });
    expect(limiter.size).toBe(2);
  });

  test("a refusal takes nothing", () => {
    limiter.take("a", 2);
    expect(limiter.take("a", 2)).toEqual({ allowed: false, retryAfterMs: 500 });
    expect(limiter.take("a", 1)).toEqual({ allowed: true, left: 0 });
  });

  test("a clock that goes back gives nothing and takes nothing", () => {
    limiter.take("a", 2);
    now -= 5_000;
    expect(limiter.take("a", 1)).toEqual({ allowed: true, left: 0 });
  });

  test.each([0, -1, 4])("refuses a cost of %d", (cost) => {
    expect(() => limiter.take("a", cost)).toThrow(new RangeError("a cost between 0 and 3 is needed"));
  });
});

describe("a limiter is refused", () => {
  test.each([
    [0, 1, "burst must be at least 1"],
    [Number.NaN, 1, "burst must be at least 1"],
    [1, 0, "perSecond must be positive"],
    [1, -2, "perSecond must be positive"],
  ])("with burst %d and %d a second", (burst, perSecond, message) => {
    expect(() => new RateLimiter({ burst, perSecond, now: () => 0 })).toThrow(message);
  });

  test("but not with the smallest", () => {
    expect(new RateLimiter({ burst: 1, perSecond: 0.1, now: () => 0 }).take("a").allowed).toBe(true);
  });
});

describe("wait", () => {
  const sleep = vi.fn<(ms: number) => Promise<void>>(async (ms: number) => {
    now += ms;
  });
  beforeEach(() => {
    sleep.mockClear();
  });

  test("does not sleep when it need not", async () => {
    expect(await limiter.wait("a", sleep)).toBe(true);
    expect(sleep).not.toHaveBeenCalled();
  });

  test("sleeps as long as it must", async () => {
    limiter.take("a", 3);
    await expect(limiter.wait("a", sleep)).resolves.toBe(true);
    expect(sleep.mock.calls).toEqual([[500]]);
  });

  test("gives up", async () => {
    limiter.take("a", 3);
    const nap = vi.fn<() => Promise<void>>(async () => undefined);
    expect(await limiter.wait("a", nap)).toBe(false);
    expect(nap).toHaveBeenCalledTimes(3);
    expect(await limiter.wait("a", nap, 1)).toBe(false);
    expect(nap).toHaveBeenCalledTimes(4);
  });
});

test("sweep forgets what is full again", () => {
  limiter.take("a", 1);
  limiter.take("b", 3);
  expect(limiter.sweep()).toBe(0);
  now += 500;
  expect(limiter.sweep()).toBe(1);
  expect(limiter.size).toBe(1);
  now += 1_000;
  expect(limiter.sweep()).toBe(1);
  expect(limiter.size).toBe(0);
});

test("no more than the burst and what time gave", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 60 }), (pauses) => {
      let clock = 0;
      const own = new RateLimiter({ burst: 3, perSecond: 2, now: () => clock });
      let allowed = 0;
      for (const pause of pauses) {
        clock += pause;
        if (own.take("k").allowed) allowed++;
      }
      expect(allowed).toBeLessThanOrEqual(3 + (clock / 1000) * 2);
    }),
  );
});
