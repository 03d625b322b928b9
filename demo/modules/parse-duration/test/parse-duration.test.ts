import fc from "fast-check";
import { expect, test } from "vitest";
import { BadDuration, parseDuration } from "../src/index.ts";

test.each([
  ["1h30m", 90],
  ["45m", 45],
  ["2h", 120],
  ["0m", 0],
  ["5m", 5],
  ["12h", 720],
  ["99h59m", 5999],
])("%s is %d minutes", (text, minutes) => {
  expect(parseDuration(text)).toBe(minutes);
});

test.each(["", "soon", "90", "1h60m", "100h", "100m", "30m1h", "1h 30m", "x5m", "5mx", "m", "h"])(
  "%j is no duration",
  (text) => {
    expect(() => parseDuration(text)).toThrow(BadDuration);
    expect(() => parseDuration(text)).toThrow("no duration: " + JSON.stringify(text));
  },
);

test("every duration comes back", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 5999 }), (minutes) => {
      expect(parseDuration(Math.floor(minutes / 60) + "h" + (minutes % 60) + "m")).toBe(minutes);
    }),
  );
});
