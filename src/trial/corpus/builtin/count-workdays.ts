// Builtin task: days of work from one date to another.
import { builtinTask } from "../builtin-task.ts";
import { ORACLE } from "../oracles/count-workdays.ts";

const ISO = String.raw`/^\d{4}-\d\d-\d\d$/`;

export const COUNT_WORKDAYS = builtinTask({
  id: "count-workdays",
  area: "dates",
  title: "Count days of work",
  purpose: "Counts the days of work from one date to another, both of them included.",
  tags: ["date", "work"],
  entries: [
    {
      entry: "countWorkdays",
      signature: "(from: string, to: string, holidays: readonly string[]) => number",
      inputs: [
        {
          name: "from",
          type: "string",
          constraint: "is written as YYYY-MM-DD",
          requires: `${ISO}.test(args[0])`,
        },
        {
          name: "to",
          type: "string",
          constraint: "is written as YYYY-MM-DD",
          requires: `${ISO}.test(args[1])`,
        },
        { name: "holidays", type: "readonly string[]" },
      ],
      output: {
        name: "days",
        type: "number",
        invariants: [
          {
            invariant: "is a whole number, not negative and not above the number of days",
            ensures:
              "Number.isInteger(result) && result >= 0 && result <= (Date.parse(args[1]) - Date.parse(args[0])) / 86400000 + 1",
          },
        ],
      },
      errors: [
        { name: "BadDate", when: "a date does not exist", says: "no date: " },
        {
          name: "WrongOrder",
          when: "the first date is after the last",
          says: " is after ",
        },
      ],
      examples: [
        {
          title: "a week with a holiday",
          args: ['"2026-06-01"', '"2026-06-07"', '["2026-06-04"]'],
          gives: "4",
        },
        { title: "one day", args: ['"2026-06-01"', '"2026-06-01"', "[]"], gives: "1" },
        {
          title: "no date",
          args: ['"2026-06-31"', '"2026-07-01"', "[]"],
          throws: "BadDate: no date: 2026-06-31",
        },
        {
          title: "the wrong order",
          args: ['"2026-06-02"', '"2026-06-01"', "[]"],
          throws: "WrongOrder: 2026-06-02 is after 2026-06-01",
        },
      ],
    },
  ],
  constraints: {
    C1: "Mondays to Fridays are days of work; Saturdays and Sundays are not.",
    C2: "Both the first and the last date count.",
    C3: "A day among the holidays is no day of work; one that is on a weekend, listed twice or outside changes nothing more.",
    C4: "A date that does not exist or is not written as YYYY-MM-DD throws BadDate: `no date: ` and it.",
    C5: "A first date after the last throws WrongOrder: the first, ` is after ` and the last.",
  },
  source: `/** Thrown when a date does not exist. */
export class BadDate extends Error {}

/** Thrown when the first date is after the last. */
export class WrongOrder extends Error {}

const DAY = 86_400_000;

/** Days of work from one date to another, both included. */
export function countWorkdays(from: string, to: string, holidays: readonly string[]): number {
  const [first, last] = [timeOf(from), timeOf(to)];
  if (first > last) throw new WrongOrder(from + " is after " + to);
  let count = 0;
  for (let time = first; time <= last; time += DAY) {
    const weekday = new Date(time).getUTCDay();
    if (weekday !== 0 && weekday !== 6 && !holidays.includes(textOf(time))) count += 1;
  }
  return count;
}

function timeOf(date: string): number {
  const time = Date.parse(date);
  if (Number.isNaN(time) || textOf(time) !== date) throw new BadDate("no date: " + date);
  return time;
}

function textOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
`,
  tests: `
// C1: five days of a week
expect(countWorkdays("2026-06-01", "2026-06-07", [])).toBe(5);
expect(countWorkdays("2026-06-06", "2026-06-07", [])).toBe(0);
expect(countWorkdays("2026-06-05", "2026-06-08", [])).toBe(2);

// C1: any seven days have five days of work
fc.assert(
  fc.property(fc.integer({ min: 0, max: 9000 }), fc.integer({ min: 1, max: 6 }), (start, weeks) => {
    const day = (number: number) => new Date(number * 86_400_000).toISOString().slice(0, 10);
    expect(countWorkdays(day(start), day(start + weeks * 7 - 1), [])).toBe(weeks * 5);
  }),
);

// C2: both ends count
expect(countWorkdays("2026-06-01", "2026-06-01", [])).toBe(1);
expect(countWorkdays("2026-06-01", "2026-06-02", [])).toBe(2);

// C3: holidays are no days of work
expect(countWorkdays("2026-06-01", "2026-06-07", ["2026-06-04", "2026-06-01"])).toBe(3);
expect(countWorkdays("2026-06-01", "2026-06-07", ["2026-06-06", "2026-06-08", "2026-06-04", "2026-06-04"])).toBe(4);

// C4: what is no date is refused
for (const date of ["2026-02-30", "2026-13-01", "soon", "2026-6-1", "2026-06-01T00:00Z", "2026"]) {
  expect(() => countWorkdays(date, "2026-07-01", [])).toThrow(BadDate);
  expect(() => countWorkdays("2026-01-01", date, [])).toThrow("no date: " + date);
}

// C5: dates in the wrong order are refused
expect(() => countWorkdays("2026-06-02", "2026-06-01", [])).toThrow(WrongOrder);
expect(() => countWorkdays("2027-01-01", "2026-12-31", [])).toThrow("2027-01-01 is after 2026-12-31");
`,
  wrongTests: `
// C2: the last day does not count
expect(countWorkdays("2026-06-01", "2026-06-02", [])).toBe(1);

// C3: a holiday on a Sunday takes a day of work
expect(countWorkdays("2026-06-01", "2026-06-07", ["2026-06-07"])).toBe(4);

// C5: dates in the wrong order have no days of work
expect(countWorkdays("2026-06-02", "2026-06-01", [])).toBe(0);
`,
  omissions: `
// C2: wrong-boundary
-   for (let time = first; time <= last; time += DAY) {
+   for (let time = first; time < last; time += DAY) {
// C1: missing-edge-case
-     if (weekday !== 0 && weekday !== 6 && !holidays.includes(textOf(time))) count += 1;
+     if (weekday !== 6 && !holidays.includes(textOf(time))) count += 1;
// C3: ignored-constraint
-     if (weekday !== 0 && weekday !== 6 && !holidays.includes(textOf(time))) count += 1;
+     if (weekday !== 0 && weekday !== 6) count += 1;
// C5: missing-error-surface
-   if (first > last) throw new WrongOrder(from + " is after " + to);
// C2: wrong-boundary
-   if (first > last) throw new WrongOrder(from + " is after " + to);
+   if (first >= last) throw new WrongOrder(from + " is after " + to);
// C4: missing-edge-case
-   if (Number.isNaN(time) || textOf(time) !== date) throw new BadDate("no date: " + date);
+   if (Number.isNaN(time)) throw new BadDate("no date: " + date);
// C5: swapped-arguments
-   const [first, last] = [timeOf(from), timeOf(to)];
+   const [first, last] = [timeOf(to), timeOf(from)];
`,
  oracle: ORACLE,
});
