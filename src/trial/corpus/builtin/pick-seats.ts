// Builtin task: checks seats that somebody has picked.
import { builtinTask } from "../builtin-task.ts";
import { ORACLE } from "../oracles/pick-seats.ts";

export const PICK_SEATS = builtinTask({
  id: "pick-seats",
  area: "validation",
  title: "Check picked seats",
  purpose: "Checks the seats that somebody has picked in a hall, and gives them tidied and in order.",
  tags: ["seats", "hall"],
  entries: [
    {
      entry: "pickSeats",
      signature: "(rows: number, perRow: number, picked: readonly string[]) => string[]",
      inputs: [
        {
          name: "rows",
          type: "number",
          constraint: "is a whole number from 1 to 26",
          requires: "Number.isInteger(args[0]) && args[0] >= 1 && args[0] <= 26",
        },
        {
          name: "perRow",
          type: "number",
          constraint: "is a whole number from 1 to 99",
          requires: "Number.isInteger(args[1]) && args[1] >= 1 && args[1] <= 99",
        },
        {
          name: "picked",
          type: "readonly string[]",
          constraint: "has seats written as a letter and a number of one or two digits",
          requires: String.raw`args[2].every((seat) => /^[A-Za-z][1-9]\d?$/.test(seat.trim()))`,
        },
      ],
      output: {
        name: "seats",
        type: "string[]",
        invariants: [
          {
            invariant: "has as many seats as were picked, in capitals, none twice",
            ensures: String.raw`result.length === args[2].length && result.every((seat, at) => /^[A-Z]\d+$/.test(seat) && result.indexOf(seat) === at)`,
          },
        ],
      },
      errors: [
        { name: "BadHall", when: "there is no such hall", says: "no hall: " },
        {
          name: "BadSeat",
          when: "a seat is not written like one",
          says: "no seat: ",
        },
        {
          name: "SeatMissing",
          when: "the hall has no such seat",
          says: "the hall has no ",
        },
        {
          name: "SeatTwice",
          when: "a seat is picked twice",
          says: "picked twice: ",
        },
      ],
      examples: [
        { title: "two seats", args: ["5", "20", '["b12", "B3"]'], gives: '["B3", "B12"]' },
        { title: "no seats", args: ["1", "1", "[]"], gives: "[]" },
        { title: "no rows", args: ["0", "20", "[]"], throws: "BadHall: no hall: 0 rows of 20" },
        { title: "no seat", args: ["5", "20", '["12b"]'], throws: "BadSeat: no seat: 12b" },
        { title: "too far back", args: ["5", "20", '["F1"]'], throws: "SeatMissing: the hall has no F1" },
        { title: "twice", args: ["5", "20", '["A1", "a1"]'], throws: "SeatTwice: picked twice: A1" },
      ],
    },
  ],
  constraints: {
    C1: "A seat is a letter for its row, A the first, and a number from 1 for its place; it is given in capitals, without blanks around it.",
    C2: "The result is in order of rows, and within a row of numbers: `B3` before `B12`.",
    C3: "A seat in a row or at a place that the hall does not have throws SeatMissing: `the hall has no ` and the seat as it would be given.",
    C4: "A seat picked twice, however written, throws SeatTwice: `picked twice: ` and the seat as it would be given.",
    C5: "What is not a letter and a number of one or two digits that does not begin with 0 throws BadSeat: `no seat: ` and it as it was written.",
    C6: "A hall without 1 to 26 rows of 1 to 99 seats throws BadHall: `no hall: `, the rows, ` rows of ` and the seats in each.",
  },
  source: String.raw`/** Thrown when there is no such hall. */
export class BadHall extends Error {}

/** Thrown when a seat is not written like one. */
export class BadSeat extends Error {}

/** Thrown when the hall has no such seat. */
export class SeatMissing extends Error {}

/** Thrown when a seat is picked twice. */
export class SeatTwice extends Error {}

/** The picked seats, tidied and in order. */
export function pickSeats(rows: number, perRow: number, picked: readonly string[]): string[] {
  if (!isCount(rows, 26) || !isCount(perRow, 99)) throw new BadHall("no hall: " + rows + " rows of " + perRow);
  const seats = new Set<string>();
  for (const written of picked) {
    const seat = written.trim().toUpperCase();
    if (!/^[A-Z][1-9]\d?$/.test(seat)) throw new BadSeat("no seat: " + written);
    if (rowOf(seat) > rows || placeOf(seat) > perRow) throw new SeatMissing("the hall has no " + seat);
    if (seats.has(seat)) throw new SeatTwice("picked twice: " + seat);
    seats.add(seat);
  }
  return [...seats].toSorted((one, other) => rowOf(one) - rowOf(other) || placeOf(one) - placeOf(other));
}

function isCount(value: number, most: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= most;
}

function rowOf(seat: string): number {
  return seat.charCodeAt(0) - 64;
}

function placeOf(seat: string): number {
  return Number(seat.slice(1));
}
`,
  tests: `
// C1: seats are tidied
expect(pickSeats(5, 20, [" c7 "])).toEqual(["C7"]);
expect(pickSeats(1, 1, ["a1"])).toEqual(["A1"]);
expect(pickSeats(5, 20, [])).toEqual([]);

// C2: seats come in order
expect(pickSeats(5, 20, ["B12", "C1", "B3", "A20"])).toEqual(["A20", "B3", "B12", "C1"]);

// C2: any order of picking gives the same
const seat = fc.tuple(fc.constantFrom("A", "B", "C"), fc.integer({ min: 1, max: 30 })).map(([row, place]) => row + place);
fc.assert(
  fc.property(fc.uniqueArray(seat), (seats) => {
    const rank = (each: string) => each.charCodeAt(0) * 100 + Number(each.slice(1));
    expect(pickSeats(3, 30, seats)).toEqual(seats.toSorted((a, b) => rank(a) - rank(b)));
  }),
);

// C3: only seats of the hall can be picked
expect(pickSeats(26, 99, ["Z99"])).toEqual(["Z99"]);
expect(pickSeats(5, 20, ["E20"])).toEqual(["E20"]);
for (const seat of ["F1", "A21", "z99"]) {
  expect(() => pickSeats(5, 20, ["A1", seat])).toThrow(SeatMissing);
  expect(() => pickSeats(5, 20, [seat])).toThrow("the hall has no " + seat.toUpperCase());
}

// C4: no seat can be picked twice
expect(() => pickSeats(5, 20, ["A1", "B1", "A1"])).toThrow(SeatTwice);
expect(() => pickSeats(5, 20, ["c2", " C2"])).toThrow("picked twice: C2");

// C5: what is no seat is refused
for (const seat of ["", "A", "7", "12b", "A0", "A07", "A100", "AB1", "A 1", "-A1"]) {
  expect(() => pickSeats(26, 99, [seat])).toThrow(BadSeat);
}
expect(() => pickSeats(5, 20, [" 7a"])).toThrow("no seat:  7a");

// C6: what is no hall is refused
expect(pickSeats(26, 99, [])).toEqual([]);
for (const [rows, perRow] of [[0, 5], [27, 5], [5, 0], [5, 100], [1.5, 5], [5, 2.5]] as const) {
  expect(() => pickSeats(rows, perRow, [])).toThrow(BadHall);
  expect(() => pickSeats(rows, perRow, [])).toThrow("no hall: " + rows + " rows of " + perRow);
}
`,
  wrongTests: `
// C2: seats come in the order of their text
expect(pickSeats(5, 20, ["B12", "B3"])).toEqual(["B12", "B3"]);

// C4: a seat picked twice counts once
expect(pickSeats(5, 20, ["A1", "A1"])).toEqual(["A1"]);
`,
  omissions: String.raw`
// C2: ignored-constraint
-   return [...seats].toSorted((one, other) => rowOf(one) - rowOf(other) || placeOf(one) - placeOf(other));
+   return [...seats].toSorted();
// C4: missing-error-surface
-     if (seats.has(seat)) throw new SeatTwice("picked twice: " + seat);
// C3: wrong-boundary
-     if (rowOf(seat) > rows || placeOf(seat) > perRow) throw new SeatMissing("the hall has no " + seat);
+     if (rowOf(seat) > rows + 1 || placeOf(seat) > perRow) throw new SeatMissing("the hall has no " + seat);
// C3: missing-edge-case
-     if (rowOf(seat) > rows || placeOf(seat) > perRow) throw new SeatMissing("the hall has no " + seat);
+     if (rowOf(seat) > rows) throw new SeatMissing("the hall has no " + seat);
// C6: wrong-boundary
-   return Number.isInteger(value) && value >= 1 && value <= most;
+   return Number.isInteger(value) && value >= 1 && value < most;
// C5: missing-edge-case
-     if (!/^[A-Z][1-9]\d?$/.test(seat)) throw new BadSeat("no seat: " + written);
+     if (!/^[A-Z]\d\d?$/.test(seat)) throw new BadSeat("no seat: " + written);
// C3: swapped-arguments
-     if (rowOf(seat) > rows || placeOf(seat) > perRow) throw new SeatMissing("the hall has no " + seat);
+     if (rowOf(seat) > perRow || placeOf(seat) > rows) throw new SeatMissing("the hall has no " + seat);
// C1: missing-edge-case
-     const seat = written.trim().toUpperCase();
+     const seat = written.toUpperCase();
`,
  oracle: ORACLE,
});
