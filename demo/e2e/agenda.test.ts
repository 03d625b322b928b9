import { expect, test } from "vitest";
import { agenda } from "#modules/agenda";
import { clockTime } from "#modules/clock-time";
import { dayPlan } from "#modules/day-plan";
import { parseDuration } from "#modules/parse-duration";

const NINE = 9 * 60;

test("durations become slots, one after the other [T-agenda-day-times-001.1, T-agenda-day-plan-001.1]", () => {
  expect(parseDuration("1h30m")).toBe(90);
  expect(dayPlan(NINE, ["1h30m", "45m", "2h"])).toEqual([
    { from: 540, to: 630 },
    { from: 630, to: 675 },
    { from: 675, to: 795 },
  ]);
});

test("what is no duration is refused on every way in [T-agenda-day-times-001.2]", () => {
  expect(() => parseDuration("soon")).toThrow('no duration: "soon"');
  expect(() => dayPlan(NINE, ["1h", "soon"])).toThrow('no duration: "soon"');
  expect(() => agenda(NINE, [{ title: "tea", takes: "soon" }])).toThrow('no duration: "soon"');
});

test("the times of slots are shown up to midnight [T-agenda-day-times-002.1, T-agenda-day-times-002.2]", () => {
  const [slot] = dayPlan(545, ["14h55m"]);
  expect([clockTime(slot?.from ?? -1), clockTime(slot?.to ?? -1)]).toEqual(["09:05", "24:00"]);
});

test("minutes that no day has are refused [T-agenda-day-times-002.3]", () => {
  expect(() => clockTime(1441)).toThrow("not on the clock: 1441");
});

test("a day ends at midnight, and no slot ends before it begins [T-agenda-day-plan-001.2, T-agenda-day-plan-001.3]", () => {
  expect(() => dayPlan(23 * 60, ["30m", "45m"])).toThrow("past midnight with 45m");
  expect(dayPlan(23 * 60, ["30m", "30m"]).map(({ from, to }) => to - from)).toEqual([30, 30]);
});

test("an agenda is read at a glance [T-agenda-day-plan-002.1, T-agenda-day-plan-002.2]", () => {
  const items = [
    { title: "write", takes: "1h30m" },
    { title: "walk", takes: "45m" },
  ];
  expect(agenda(NINE, items)).toBe("09:00-10:30 write\n10:30-11:15 walk\ntotal 135 minutes");
});

test("an agenda of nothing is refused [T-agenda-day-plan-002.3]", () => {
  expect(() => agenda(NINE, [])).toThrow("an agenda needs something to do");
});
