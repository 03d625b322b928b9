import fc from "fast-check";
import { expect, test } from "vitest";
import { dayPlan, DayTooShort } from "../src/index.ts";

test("each slot begins when the one before it ends", () => {
  expect(dayPlan(540, ["1h30m", "20m"])).toEqual([
    { from: 540, to: 630 },
    { from: 630, to: 650 },
  ]);
});

test("a plan may end at midnight", () => {
  expect(dayPlan(1380, ["1h"])).toEqual([{ from: 1380, to: 1440 }]);
});

test("nothing to do takes no slot", () => {
  expect(dayPlan(540, [])).toEqual([]);
});

test.each([
  [1380, ["1h1m"], "1h1m"],
  [0, ["20h", "3h", "2h"], "2h"],
])("from %d on %j runs past midnight", (start, durations, last) => {
  expect(() => dayPlan(start, durations)).toThrow(DayTooShort);
  expect(() => dayPlan(start, durations)).toThrow("past midnight with " + last);
});

test("every slot is as long as its duration", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 59 }), { maxLength: 20 }), (list) => {
      const slots = dayPlan(
        0,
        list.map((each) => each + "m"),
      );
      expect(slots.map(({ from, to }) => to - from)).toEqual(list);
    }),
  );
});
