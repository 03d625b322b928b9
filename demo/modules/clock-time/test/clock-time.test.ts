import fc from "fast-check";
import { expect, test } from "vitest";
import { clockTime, OffTheClock } from "../src/index.ts";

test.each([
  [0, "00:00"],
  [545, "09:05"],
  [1439, "23:59"],
])("%d minutes after midnight it is %s", (minutes, time) => {
  expect(clockTime(minutes)).toBe(time);
});

test.each([-1, 1441, 0.5, Number.NaN])("%d is not on the clock", (minutes) => {
  expect(() => clockTime(minutes)).toThrow(OffTheClock);
  expect(() => clockTime(minutes)).toThrow("not on the clock: " + minutes);
});

test("1440 minutes after midnight the day ends at 24:00", () => {
  expect(clockTime(1440)).toBe("24:00");
});

test("hours and minutes can be read back", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1439 }), (minutes) => {
      const [hours, rest] = clockTime(minutes).split(":").map(Number);
      expect(hours * 60 + rest).toBe(minutes);
    }),
  );
});
