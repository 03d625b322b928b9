// Builtin task: the same day some months later.
import { builtinTask } from "../builtin-task.ts";
import { ORACLE } from "../oracles/add-months.ts";

export const ADD_MONTHS = builtinTask({
  id: "add-months",
  area: "dates",
  title: "Add months to a date",
  purpose: "Gives the date some months after or before another one.",
  tags: ["date", "month"],
  entries: [
    {
      entry: "addMonths",
      signature: "(date: string, months: number) => string",
      inputs: [
        {
          name: "date",
          type: "string",
          constraint: "is written as YYYY-MM-DD",
          requires: String.raw`/^\d{4}-\d\d-\d\d$/.test(args[0])`,
        },
        {
          name: "months",
          type: "number",
          constraint: "is a whole number from -1200 to 1200",
          requires: "Number.isInteger(args[1]) && args[1] >= -1200 && args[1] <= 1200",
        },
      ],
      output: {
        name: "later",
        type: "string",
        invariants: [
          {
            invariant: "is written as YYYY-MM-DD, with a day not after that of the date",
            ensures: String.raw`/^\d{4}-\d\d-\d\d$/.test(result) && result.slice(8) <= args[0].slice(8)`,
          },
        ],
      },
      errors: [
        {
          name: "BadDate",
          when: "the date is none of the years 1600 to 8999",
          says: "no date: ",
        },
        {
          name: "BadMonths",
          when: "the number of months is none",
          says: "no number of months: ",
        },
      ],
      examples: [
        { title: "the end of a month", args: ['"2026-01-31"', "1"], gives: '"2026-02-28"' },
        { title: "no months", args: ['"2024-02-29"', "0"], gives: '"2024-02-29"' },
        {
          title: "a day that does not exist",
          args: ['"2026-02-30"', "1"],
          throws: "BadDate: no date: 2026-02-30",
        },
        {
          title: "half a month",
          args: ['"2026-01-31"', "0.5"],
          throws: "BadMonths: no number of months: 0.5",
        },
      ],
    },
  ],
  constraints: {
    C1: "The day of the month stays, and months run over the ends of years, also backwards.",
    C2: "Where the month is too short, its last day is given.",
    C3: "February has 29 days in years that 4 divides, but not 100 unless 400 does.",
    C4: "A date that does not exist, is not of the years 1600 to 8999 or not written as YYYY-MM-DD throws BadDate: `no date: ` and it.",
    C5: "Months that are not a whole number from -1200 to 1200 throw BadMonths: `no number of months: ` and them.",
  },
  source: String.raw`/** Thrown when a date does not exist. */
export class BadDate extends Error {}

/** Thrown when a number of months is none. */
export class BadMonths extends Error {}

/** The date so many months later, or the last day of its month where that is shorter. */
export function addMonths(date: string, months: number): string {
  const parts = /^(1[6-9]\d\d|[2-8]\d{3})-(0[1-9]|1[0-2])-(\d\d)$/.exec(date);
  const [year = 0, month = 0, day = 0] = (parts ?? []).slice(1).map(Number);
  if (day < 1 || day > lastDay(year, month)) throw new BadDate("no date: " + date);
  if (!Number.isInteger(months) || Math.abs(months) > 1200) {
    throw new BadMonths("no number of months: " + months);
  }
  const total = year * 12 + month - 1 + months;
  const [newYear, newMonth] = [Math.floor(total / 12), (total % 12) + 1];
  const newDay = Math.min(day, lastDay(newYear, newMonth));
  return [newYear, newMonth, newDay].map((each) => String(each).padStart(2, "0")).join("-");
}

function lastDay(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}
`,
  tests: `
// C1: the day stays and years go on
expect(addMonths("2026-03-15", 1)).toBe("2026-04-15");
expect(addMonths("2026-11-05", 3)).toBe("2027-02-05");
expect(addMonths("2026-01-05", -1)).toBe("2025-12-05");
expect(addMonths("2026-12-05", 0)).toBe("2026-12-05");
expect(addMonths("1600-01-01", 12)).toBe("1601-01-01");
expect(addMonths("2026-06-10", -30)).toBe("2023-12-10");

// C1: going back leads home for days that every month has
const two = (number: number) => String(number).padStart(2, "0");
const between = (min: number, max: number) => fc.integer({ min, max });
fc.assert(
  fc.property(between(1800, 8000), between(1, 12), between(1, 28), between(-1200, 1200), (year, month, day, count) => {
    const date = year + "-" + two(month) + "-" + two(day);
    expect(addMonths(addMonths(date, count), -count)).toBe(date);
  }),
);

// C2: a month that is too short ends earlier
expect(addMonths("2026-01-31", 1)).toBe("2026-02-28");
expect(addMonths("2026-03-31", 1)).toBe("2026-04-30");
expect(addMonths("2026-05-31", -3)).toBe("2026-02-28");

// C3: leap years have their day
expect(addMonths("2024-01-31", 1)).toBe("2024-02-29");
expect(addMonths("2000-01-30", 1)).toBe("2000-02-29");
expect(addMonths("1900-01-31", 1)).toBe("1900-02-28");
expect(addMonths("2024-02-29", 12)).toBe("2025-02-28");

// C4: what is no date is refused
for (const date of ["2026-02-29", "2026-04-31", "2026-01-00", "2026-01-32", "2026-13-01", "2026-00-01", "1599-12-31", "9000-01-01", "26-01-01", "2026-1-01", "x2026-01-01", "2026-01-011", ""]) {
  expect(() => addMonths(date, 1)).toThrow(BadDate);
  expect(() => addMonths(date, 1)).toThrow("no date: " + date);
}

// C5: what is no number of months is refused
expect(addMonths("2026-01-01", 1200)).toBe("2126-01-01");
expect(addMonths("2026-01-01", -1200)).toBe("1926-01-01");
for (const months of [0.5, 1201, -1201, Number.NaN]) {
  expect(() => addMonths("2026-01-01", months)).toThrow(BadMonths);
  expect(() => addMonths("2026-01-01", months)).toThrow("no number of months: " + months);
}
`,
  wrongTests: `
// C2: days that do not exist run into the next month
expect(addMonths("2026-01-31", 1)).toBe("2026-03-03");

// C1: the end of a month stays the end of the month
expect(addMonths("2026-02-28", 1)).toBe("2026-03-31");
`,
  omissions: `
// C2: missing-edge-case
-   const newDay = Math.min(day, lastDay(newYear, newMonth));
+   const newDay = day;
// C3: ignored-constraint
-   const newDay = Math.min(day, lastDay(newYear, newMonth));
+   const newDay = Math.min(day, lastDay(2025, newMonth));
// C5: missing-error-surface
-   if (!Number.isInteger(months) || Math.abs(months) > 1200) {
+   if (Number.isNaN(months)) {
// C5: wrong-boundary
-   if (!Number.isInteger(months) || Math.abs(months) > 1200) {
+   if (!Number.isInteger(months) || Math.abs(months) >= 1200) {
// C4: wrong-boundary
-   if (day < 1 || day > lastDay(year, month)) throw new BadDate("no date: " + date);
+   if (day < 1 || day > 31) throw new BadDate("no date: " + date);
// C2: swapped-arguments
-   const newDay = Math.min(day, lastDay(newYear, newMonth));
+   const newDay = Math.min(day, lastDay(newMonth, newYear));
// C4: missing-edge-case
-   if (day < 1 || day > lastDay(year, month)) throw new BadDate("no date: " + date);
+   if (day > lastDay(year, month)) throw new BadDate("no date: " + date);
`,
  oracle: ORACLE,
});
