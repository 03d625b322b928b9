// Builtin task: what is wrong with a booking, field by field.
import { builtinTask } from "../builtin-task.ts";
import { ORACLE } from "../oracles/booking-problems.ts";

const BOOKING = "{ name: string; people: number; from: string; to: string; phone?: string }";

export const BOOKING_PROBLEMS = builtinTask({
  id: "booking-problems",
  area: "validation",
  title: "What is wrong with a booking",
  purpose: "Says what is wrong with the booking of a table, field by field.",
  tags: ["booking", "form"],
  entries: [
    {
      entry: "bookingProblems",
      signature: `(booking: ${BOOKING}) => string[]`,
      inputs: [{ name: "booking", type: BOOKING }],
      output: {
        name: "problems",
        type: "string[]",
        invariants: [
          {
            invariant: "has at most one for each field",
            ensures:
              'result.every((problem, at) => result.findIndex((each) => each.split(":")[0] === problem.split(":")[0]) === at)',
          },
        ],
      },
      errors: [],
      examples: [
        {
          title: "a good one",
          args: ['{ name: "Ada", people: 2, from: "18:00", to: "20:00" }'],
          gives: "[]",
        },
        {
          title: "a bad one",
          args: ['{ name: " ", people: 0, from: "18:00", to: "17:00", phone: "x" }'],
          gives:
            '["name: is missing", "people: must be from 1 to 12", "to: must be after from", "phone: must be digits"]',
        },
      ],
    },
  ],
  constraints: {
    C1: "A name of blanks only gives `name: is missing`.",
    C2: "A number of people that is not whole, or not from 1 to 12, gives `people: must be from 1 to 12`.",
    C3: "A `from` or `to` that is no time of day, written as HH:MM from 00:00 to 23:59, gives `from: must be a time` or `to: must be a time`.",
    C4: "Where both are times and `to` is not after `from`, there is `to: must be after from`.",
    C5: "A phone may be left out; one that is there has 6 to 15 digits, with single blanks between them where wanted, after a plus sign or not: otherwise `phone: must be digits`.",
    C6: "All problems are given, in the order name, people, from, to, phone.",
  },
  source: String.raw`interface Booking {
  name: string;
  people: number;
  from: string;
  to: string;
  phone?: string;
}

/** What is wrong with a booking, field by field; nothing where it is good. */
export function bookingProblems(booking: ${BOOKING}): string[] {
  return [
    ...unless(booking.name.trim() !== "", "name: is missing"),
    ...unless(isTable(booking.people), "people: must be from 1 to 12"),
    ...timeProblems(booking),
    ...unless(booking.phone === undefined || isPhone(booking.phone), "phone: must be digits"),
  ];
}

function timeProblems({ from, to }: Booking): string[] {
  if (isTime(from) && isTime(to)) return unless(from < to, "to: must be after from");
  return [...unless(isTime(from), "from: must be a time"), ...unless(isTime(to), "to: must be a time")];
}

function isTable(people: number): boolean {
  return Number.isInteger(people) && people >= 1 && people <= 12;
}

function isTime(text: string): boolean {
  return /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text);
}

function isPhone(text: string): boolean {
  return /^\+?\d(?: ?\d){5,14}$/.test(text);
}

function unless(isGood: boolean, problem: string): string[] {
  return isGood ? [] : [problem];
}
`,
  tests: `
// C1: a name is needed
const rest = { people: 2, from: "18:00", to: "20:00" };
expect(bookingProblems({ ...rest, name: "A" })).toEqual([]);
for (const name of ["", "  "]) expect(bookingProblems({ ...rest, name })).toEqual(["name: is missing"]);

// C2: from 1 to 12 people
const rest = { name: "Ada", from: "18:00", to: "20:00" };
for (const people of [1, 12]) expect(bookingProblems({ ...rest, people })).toEqual([]);
for (const people of [0, 13, 2.5, -1, Number.NaN]) {
  expect(bookingProblems({ ...rest, people })).toEqual(["people: must be from 1 to 12"]);
}

// C3: times of day are needed
const rest = { name: "Ada", people: 2 };
expect(bookingProblems({ ...rest, from: "00:00", to: "23:59" })).toEqual([]);
expect(bookingProblems({ ...rest, from: "09:30", to: "19:05" })).toEqual([]);
for (const time of ["24:00", "12:60", "9:00", "12.00", "x12:00", "12:000", ""]) {
  expect(bookingProblems({ ...rest, from: time, to: "20:00" })).toEqual(["from: must be a time"]);
  expect(bookingProblems({ ...rest, from: "18:00", to: time })).toEqual(["to: must be a time"]);
}

// C4: the end is after the beginning
const rest = { name: "Ada", people: 2 };
const two = (number: number) => String(number).padStart(2, "0");
const time = fc.integer({ min: 0, max: 1439 }).map((minute) => two(Math.floor(minute / 60)) + ":" + two(minute % 60));
fc.assert(
  fc.property(time, time, (from, to) => {
    expect(bookingProblems({ ...rest, from, to })).toEqual(from < to ? [] : ["to: must be after from"]);
  }),
);
expect(bookingProblems({ ...rest, from: "18:00", to: "18:00" })).toEqual(["to: must be after from"]);
expect(bookingProblems({ ...rest, from: "20:00", to: "x" })).toEqual(["to: must be a time"]);

// C5: a phone is digits or not there
const rest = { name: "Ada", people: 2, from: "18:00", to: "20:00" };
expect(bookingProblems(rest)).toEqual([]);
for (const phone of ["123456", "+49 30 1234567", "123456789012345"]) expect(bookingProblems({ ...rest, phone })).toEqual([]);
for (const phone of ["", "12345", "1234567890123456", "123  456", "12-3456", "123456 ", " 123456", "++123456"]) {
  expect(bookingProblems({ ...rest, phone })).toEqual(["phone: must be digits"]);
}

// C6: all problems come in order
const all = bookingProblems({ name: "", people: 99, from: "", to: "", phone: "" });
expect(all.map((problem) => problem.split(":")[0])).toEqual(["name", "people", "from", "to", "phone"]);
`,
  wrongTests: `
// C4: a booking may end when it begins
expect(bookingProblems({ name: "Ada", people: 2, from: "18:00", to: "18:00" })).toEqual([]);

// C5: a phone is needed
expect(bookingProblems({ name: "Ada", people: 2, from: "18:00", to: "20:00" })).toEqual(["phone: must be digits"]);

// C6: the first problem is enough
expect(bookingProblems({ name: "", people: 0, from: "18:00", to: "20:00" })).toEqual(["name: is missing"]);
`,
  omissions: String.raw`
// C1: missing-edge-case
-     ...unless(booking.name.trim() !== "", "name: is missing"),
+     ...unless(booking.name !== "", "name: is missing"),
// C2: wrong-boundary
-   return Number.isInteger(people) && people >= 1 && people <= 12;
+   return Number.isInteger(people) && people >= 1 && people < 12;
// C4: wrong-boundary
-   if (isTime(from) && isTime(to)) return unless(from < to, "to: must be after from");
+   if (isTime(from) && isTime(to)) return unless(from <= to, "to: must be after from");
// C3: missing-error-surface
-   return [...unless(isTime(from), "from: must be a time"), ...unless(isTime(to), "to: must be a time")];
+   return [...unless(isTime(from), "from: must be a time"), ...unless(to !== "", "to: must be a time")];
// C5: ignored-constraint
-   return /^\+?\d(?: ?\d){5,14}$/.test(text);
+   return /^\+?\d(?: ?\d){5,}$/.test(text);
// C5: missing-edge-case
-     ...unless(booking.phone === undefined || isPhone(booking.phone), "phone: must be digits"),
+     ...unless(isPhone(booking.phone ?? ""), "phone: must be digits"),
// C4: swapped-arguments
-   if (isTime(from) && isTime(to)) return unless(from < to, "to: must be after from");
+   if (isTime(from) && isTime(to)) return unless(to < from, "to: must be after from");
`,
  oracle: ORACLE,
});
