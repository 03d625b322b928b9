// A module with an effect that its contract declares: it reads the clock.
import { simulatedCase } from "./simulated-case.ts";

export const MINUTES_SINCE = simulatedCase({
  name: "minutes-since",
  purpose: "Reads the clock and gives the whole minutes that have gone by since a start.",
  specTask: "TSK-003",
  tags: ["time", "oven"],
  entry: "minutesSince",
  signature: "(start: number) => number",
  inputs: [
    {
      name: "start",
      type: "number",
      constraint: "is a whole number that is not negative",
      requires: "Number.isInteger(args[0]) && args[0] >= 0",
    },
  ],
  output: {
    name: "minutes",
    type: "number",
    invariant: "is a whole number that is not negative",
    ensures: "Number.isInteger(result) && result >= 0",
  },
  error: {
    name: "BadStart",
    when: "the start is no time",
    throws: 'error.message.startsWith("no time")',
  },
  effects: [{ type: "CLOCK", target: "system", description: "the time of day is read" }],
  behavior:
    "Whole minutes between the start and now; 0 for a start that lies ahead; no time throws BadStart.",
  sketch: {
    name: "minutesAreCounted",
    description: "a start some minutes ago is those minutes ago",
    invariant: "n minutes after the start the result is n",
    type: "Inverse",
  },
  examples: [
    { title: "a start that lies ahead", call: "minutesSince(4102444800000)", gives: "0" },
    { title: "the last moment that there is", call: "minutesSince(8640000000000000)", gives: "0" },
    { title: "no time at all", call: "minutesSince(-1)", throws: "BadStart: no time: -1" },
  ],
  source: `/** Thrown when the start is no time. */
export class BadStart extends Error {}

/** Whole minutes since a start in milliseconds since 1970; 0 while it lies ahead. */
export function minutesSince(start: number): number {
  if (!Number.isInteger(start) || start < 0) throw new BadStart("no time: " + start);
  return Math.max(0, Math.floor((Date.now() - start) / 60_000));
}
`,
  tests: {
    "test/minutes-since.test.ts": `import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BadStart, minutesSince } from "../src/index.ts";

const NOW = 1_000_000_000;

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
});
afterEach(() => {
  vi.useRealTimers();
});

test("only whole minutes count", () => {
  expect(minutesSince(NOW - 150_000)).toBe(2);
  expect(minutesSince(NOW - 59_999)).toBe(0);
  expect(minutesSince(NOW - 60_000)).toBe(1);
});

test("a start that lies ahead is 0 minutes ago", () => {
  expect(minutesSince(NOW + 600_000)).toBe(0);
});

test("a start some minutes ago is those minutes ago", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000 }), (minutes) => {
      expect(minutesSince(NOW - minutes * 60_000)).toBe(minutes);
    }),
  );
});

test("the first moment of all is a time", () => {
  expect(minutesSince(0)).toBe(16_666);
});

test("what is no time is refused", () => {
  for (const start of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => minutesSince(start)).toThrow(BadStart);
    expect(() => minutesSince(start)).toThrow("no time: " + start);
  }
});
`,
  },
  properties: [
    { name: "only whole minutes count", type: "Boundary" },
    { name: "a start that lies ahead is 0 minutes ago", type: "Boundary" },
    { name: "a start some minutes ago is those minutes ago", type: "Inverse", sketch: true },
    { name: "the first moment of all is a time", type: "Boundary" },
    { name: "what is no time is refused", type: "Boundary" },
  ],
});
