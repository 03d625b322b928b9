import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatDuration, parseDuration, relative } from "../src/index.ts";

describe("formatDuration", () => {
  test.each<[number, number, string]>([
    [0, 2, "0ms"],
    [1, 2, "1ms"],
    [999.9, 2, "999ms"],
    [1_000, 2, "1s"],
    [61_000, 2, "1m 1s"],
    [3_600_000, 2, "1h"],
    [5_400_000, 2, "1h 30m"],
    [90_061_001, 5, "1d 1h 1m 1s 1ms"],
    [90_061_001, 2, "1d 1h"],
    [90_061_001, 1, "1d"],
    [3_601_000, 2, "1h"],
    [-1_500, 2, "-1s 500ms"],
    [-0.5, 2, "0ms"],
  ])("%d in %d parts is %s", (ms, parts, text) => {
    expect(formatDuration(ms, parts)).toBe(text);
  });

  test("has two parts when nothing is said", () => {
    expect(formatDuration(90_061_001)).toBe("1d 1h");
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])("refuses %d", (ms) => {
    expect(() => formatDuration(ms)).toThrow(new RangeError("not a finite duration"));
  });

  test.each([0, -1, 1.5])("refuses %d parts", (parts) => {
    expect(() => formatDuration(1, parts)).toThrow(new RangeError("at least one part is needed"));
  });
});

describe("parseDuration", () => {
  test.each<[string, number]>([
    ["5ms", 5],
    ["1s", 1_000],
    ["1.5m", 90_000],
    ["1h 30m", 5_400_000],
    ["  30m   1h ", 5_400_000],
    ["-2d", -172_800_000],
    ["1d 1h 1m 1s 1ms", 90_061_001],
  ])("%j is %d ms", (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  test("has no negative zero", () => {
    expect(Object.is(parseDuration("-0s"), 0)).toBe(true);
  });

  test.each(["", "5", "s", "1x", "x1s", "1sx", "1.s", "1..5s", "1h-", "--1s", "1h 1"])(
    "refuses %j",
    (text) => {
      expect(() => parseDuration(text)).toThrow(SyntaxError);
    },
  );

  test("names what is wrong", () => {
    expect(() => parseDuration("1h 1q")).toThrow('"1q" is no duration');
    expect(() => parseDuration("1h 2h")).toThrow("h stands twice");
  });

  test("reads what formatDuration writes", () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), (ms) => {
        expect(parseDuration(formatDuration(ms, 5))).toBe(ms === 0 ? 0 : roundTrip(ms));
      }),
    );
  });
});

describe("relative", () => {
  test.each<[number, string]>([
    [0, "now"],
    [999, "now"],
    [-999, "now"],
    [1_000, "in 1 second"],
    [-1_000, "1 second ago"],
    [59_999, "in 59 seconds"],
    [60_000, "in 1 minute"],
    [-120_000, "2 minutes ago"],
    [3_599_999, "in 59 minutes"],
    [3_600_000, "in 1 hour"],
    [86_399_999, "in 23 hours"],
    [-86_400_000, "1 day ago"],
    [200_000_000, "in 2 days"],
  ])("%d is %s", (ms, text) => {
    expect(relative(ms)).toBe(text);
  });
});

// An empty unit in between ends the text, so only what stands before it comes back.
function roundTrip(ms: number): number {
  let left = Math.abs(ms);
  let total = 0;
  let begun = false;
  for (const size of [86_400_000, 3_600_000, 60_000, 1_000, 1]) {
    const count = Math.floor(left / size);
    if (count === 0 && begun) break;
    begun ||= count > 0;
    total += count * size;
    left -= count * size;
  }
  return Math.sign(ms) * total;
}
