// Builtin task: the week of the year that a date is in.
import { builtinTask } from "../builtin-task.ts";
import { ORACLE } from "../oracles/iso-week.ts";

export const ISO_WEEK = builtinTask({
  id: "iso-week",
  area: "dates",
  title: "The week of a date",
  purpose: "Names the week that a date is in, such as `2026-W05`, with weeks from Monday to Sunday.",
  tags: ["date", "week"],
  entries: [
    {
      entry: "isoWeek",
      signature: "(date: string) => string",
      inputs: [
        {
          name: "date",
          type: "string",
          constraint: "is written as YYYY-MM-DD",
          requires: String.raw`/^\d{4}-\d\d-\d\d$/.test(args[0])`,
        },
      ],
      output: {
        name: "week",
        type: "string",
        invariants: [
          {
            invariant: "is a year, -W and a number from 01 to 53",
            ensures: String.raw`/^\d{4}-W(0[1-9]|[1-4]\d|5[0-3])$/.test(result)`,
          },
        ],
      },
      errors: [
        {
          name: "BadDate",
          when: "the date is none of the years 1000 to 9998",
          says: "no date: ",
        },
      ],
      examples: [
        { title: "a day in winter", args: ['"2026-01-26"'], gives: '"2026-W05"' },
        { title: "the turn of a year", args: ['"2027-01-01"'], gives: '"2026-W53"' },
        { title: "a month too many", args: ['"2026-13-01"'], throws: "BadDate: no date: 2026-13-01" },
      ],
    },
  ],
  constraints: {
    C1: "Weeks run from Monday to Sunday and are numbered from 1 within their year.",
    C2: "A week belongs to the year that its Thursday is in: days around the turn of the year may carry the other year.",
    C3: "The number has two digits, as in `W05`.",
    C4: "A date that does not exist or is not written as YYYY-MM-DD throws BadDate: `no date: ` and it.",
    C5: "So does a date outside of the years 1000 to 9998.",
  },
  source: String.raw`/** Thrown when a date does not exist. */
export class BadDate extends Error {}

const DAY = 86_400_000;

/** The week of a date, such as "2026-W05". */
export function isoWeek(date: string): string {
  const time = Date.parse(date);
  if (Number.isNaN(time) || textOf(time) !== date || !isKnownYear(date)) {
    throw new BadDate("no date: " + date);
  }
  const sinceMonday = (new Date(time).getUTCDay() + 6) % 7;
  const thursday = time + (3 - sinceMonday) * DAY;
  const year = new Date(thursday).getUTCFullYear();
  const week = Math.floor((thursday - Date.UTC(year, 0, 1)) / (7 * DAY)) + 1;
  return year + "-W" + String(week).padStart(2, "0");
}

function isKnownYear(date: string): boolean {
  return date >= "1000" && date < "9999";
}

function textOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
`,
  tests: `
// C1: weeks begin on Monday
expect(isoWeek("2026-06-14")).toBe("2026-W24");
expect(isoWeek("2026-06-15")).toBe("2026-W25");
expect(isoWeek("2026-06-21")).toBe("2026-W25");

// C1: seven days from a Monday on are one week
fc.assert(
  fc.property(fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 1, max: 6 }), (weeks, later) => {
    const day = (number: number) => new Date(number * 86_400_000).toISOString().slice(0, 10);
    const monday = 4 + weeks * 7;
    expect(isoWeek(day(monday + later))).toBe(isoWeek(day(monday)));
    expect(isoWeek(day(monday + 7))).not.toBe(isoWeek(day(monday)));
  }),
);

// C2: the Thursday decides about the year
expect(isoWeek("2027-01-01")).toBe("2026-W53");
expect(isoWeek("2024-12-30")).toBe("2025-W01");
expect(isoWeek("2026-01-01")).toBe("2026-W01");
expect(isoWeek("2023-01-01")).toBe("2022-W52");

// C3: the number has two digits
expect(isoWeek("2026-01-26")).toBe("2026-W05");

// C4: what is no date is refused
for (const date of ["2026-02-30", "2026-13-01", "today", "2026-1-1", "2026-01-01T00:00Z"]) {
  expect(() => isoWeek(date)).toThrow(BadDate);
  expect(() => isoWeek(date)).toThrow("no date: " + date);
}

// C5: years far away are refused
expect(isoWeek("1000-01-01")).toBe("1000-W01");
expect(isoWeek("9998-12-31")).toBe("9998-W53");
for (const date of ["0999-12-31", "9999-01-01"]) expect(() => isoWeek(date)).toThrow(BadDate);
`,
  wrongTests: `
// C1: weeks begin on Sunday
expect(isoWeek("2026-06-14")).toBe("2026-W25");

// C2: the first of January is in the first week
expect(isoWeek("2027-01-01")).toBe("2027-W01");
`,
  omissions: `
// C1: wrong-boundary
-   const sinceMonday = (new Date(time).getUTCDay() + 6) % 7;
+   const sinceMonday = (new Date(time).getUTCDay()) % 7;
// C2: missing-edge-case
-   const year = new Date(thursday).getUTCFullYear();
+   const year = new Date(time).getUTCFullYear();
// C3: ignored-constraint
-   return year + "-W" + String(week).padStart(2, "0");
+   return year + "-W" + String(week);
// C5: missing-error-surface
-   if (Number.isNaN(time) || textOf(time) !== date || !isKnownYear(date)) {
+   if (Number.isNaN(time) || textOf(time) !== date) {
// C4: missing-edge-case
-   if (Number.isNaN(time) || textOf(time) !== date || !isKnownYear(date)) {
+   if (Number.isNaN(time) || !isKnownYear(date)) {
// C5: wrong-boundary
-   return date >= "1000" && date < "9999";
+   return date > "1001" && date < "9999";
// C1: swapped-arguments
-   const thursday = time + (3 - sinceMonday) * DAY;
+   const thursday = time + (sinceMonday - 3) * DAY;
`,
  oracle: ORACLE,
});
