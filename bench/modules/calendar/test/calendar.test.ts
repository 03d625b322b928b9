import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as calendar from "../src/index.ts";
import {
  addDays,
  addMonths,
  daysBetween,
  daysInMonth,
  format,
  fromNumber,
  isLeap,
  isValid,
  parse,
  toNumber,
  weekday,
} from "../src/index.ts";

test.each([
  [2000, true],
  [1900, false],
  [2024, true],
  [2023, false],
  [2100, false],
  [0, true],
])("is %d a leap year: %s", (year, leap) => {
  expect(isLeap(year)).toBe(leap);
});

test("the lengths of months", () => {
  expect(Array.from({ length: 12 }, (_, index) => daysInMonth(2023, index + 1))).toEqual([
    31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31,
  ]);
  expect(daysInMonth(2024, 2)).toBe(29);
  expect(daysInMonth(2024, 1)).toBe(31);
  expect(() => daysInMonth(2024, 13)).toThrow("there is no month 13");
  expect(() => daysInMonth(2024, 0)).toThrow(RangeError);
});

test.each<[number, number, number, boolean]>([
  [2024, 2, 29, true],
  [2023, 2, 29, false],
  [2023, 1, 1, true],
  [2023, 12, 31, true],
  [2023, 0, 1, false],
  [2023, 13, 1, false],
  [2023, 1, 0, false],
  [2023, 4, 31, false],
  [2023, 1.5, 1, false],
  [2023, 1, 1.5, false],
])("is %d-%d-%d a date: %s", (year, month, day, valid) => {
  expect(isValid({ year, month, day })).toBe(valid);
});

test.each<[string, number]>([
  ["1970-01-01", 0],
  ["1970-01-02", 1],
  ["1969-12-31", -1],
  ["2000-02-29", 11_016],
  ["2000-03-01", 11_017],
  ["2024-12-31", 20_088],
  ["0001-01-01", -719_162],
])("%s is day %d", (text, count) => {
  expect(toNumber(parse(text))).toBe(count);
  expect(format(fromNumber(count))).toBe(text);
});

test("no number for what is no date", () => {
  expect(() => toNumber({ year: 2023, month: 2, day: 30 })).toThrow(new RangeError("2023-02-30 is no date"));
});

describe("arithmetic", () => {
  test.each<[string, number, string]>([
    ["2024-01-31", 1, "2024-02-29"],
    ["2023-01-31", 1, "2023-02-28"],
    ["2023-01-15", -1, "2022-12-15"],
    ["2023-12-01", 1, "2024-01-01"],
    ["2023-05-31", 12, "2024-05-31"],
    ["2023-03-31", -25, "2021-02-28"],
    ["2023-11-30", 0, "2023-11-30"],
  ])("%s and %d months is %s", (from, months, to) => {
    expect(format(addMonths(parse(from), months))).toBe(to);
  });

  test("before the year 0", () => {
    expect(addMonths({ year: 0, month: 1, day: 5 }, -1)).toEqual({ year: -1, month: 12, day: 5 });
  });

  test("days", () => {
    expect(format(addDays(parse("2023-12-31"), 1))).toBe("2024-01-01");
    expect(daysBetween(parse("2023-01-01"), parse("2024-01-01"))).toBe(365);
    expect(daysBetween(parse("2024-01-01"), parse("2023-12-31"))).toBe(-1);
  });

  test.each<[string, number]>([
    ["1970-01-01", 4],
    ["2024-02-29", 4],
    ["2023-10-01", 7],
    ["2023-10-02", 1],
    ["1969-12-29", 1],
    ["1900-01-01", 1],
  ])("%s is weekday %d", (text, day) => {
    expect(weekday(parse(text))).toBe(day);
  });
});

test.each(["2023-1-01", "x2023-01-01", "2023-01-01x", "", "2023-01-0a", "12023-01-01"])(
  "%j cannot be read",
  (text) => {
    expect(() => parse(text)).toThrow(new SyntaxError(`"${text}" is no date`));
  },
);

test.each(["2023-02-29", "2023-13-01", "2023-00-10"])("%s does not exist", (text) => {
  expect(() => parse(text)).toThrow(new RangeError(`${text} is no date`));
});

test("agrees with the clock of the machine", () => {
  fc.assert(
    fc.property(fc.integer({ min: -700_000, max: 2_000_000 }), (count) => {
      const date = new Date(count * 86_400_000);
      const day = fromNumber(count);
      expect(day).toEqual({
        year: date.getUTCFullYear(),
        month: date.getUTCMonth() + 1,
        day: date.getUTCDate(),
      });
      expect(calendar.toNumber(day)).toBe(count);
      expect(weekday(day) % 7).toBe(date.getUTCDay());
    }),
  );
});
