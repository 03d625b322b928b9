// The hidden oracle of pick-seats: other inputs than a worker sees, and what holds for all of them.
export const ORACLE = `
// halls and seats
expect(pickSeats(10, 10, ["j10", "A2", " a10", "B1"])).toEqual(["A2", "A10", "B1", "J10"]);
expect(pickSeats(26, 99, ["z1", "y99"])).toEqual(["Y99", "Z1"]);
expect(pickSeats(2, 30, ["b5"])).toEqual(["B5"]);

// all seats of a hall, in any order
fc.assert(
  fc.property(fc.integer({ min: 1, max: 26 }), fc.integer({ min: 1, max: 40 }), fc.integer(), (rows, perRow, seed) => {
    const all = Array.from({ length: rows * perRow }, (_, at) => String.fromCharCode(65 + Math.floor(at / perRow)) + ((at % perRow) + 1));
    const mixed = all.map((seat, at) => ({ seat, key: (at * 7919 + Math.abs(seed % 997)) % 1009 })).toSorted((a, b) => a.key - b.key);
    expect(pickSeats(rows, perRow, mixed.map(({ seat }) => seat.toLowerCase()))).toEqual(all);
    expect(() => pickSeats(rows, perRow, ["A" + (perRow + 1)])).toThrow(SeatMissing);
  }),
);

// seats that are not there, or twice
for (const seat of ["C1", "a31"]) {
  expect(() => pickSeats(2, 30, [seat])).toThrow(SeatMissing);
  expect(() => pickSeats(2, 30, ["B30", seat])).toThrow("the hall has no " + seat.toUpperCase());
}
expect(() => pickSeats(2, 30, ["a9", "b9", "A9 "])).toThrow(SeatTwice);
expect(() => pickSeats(2, 30, ["a9", "A9"])).toThrow("picked twice: A9");

// neither seat nor hall
for (const seat of ["9", "a", "a0", "a01", "a123", "aa1", "a-1", "1a", " "]) {
  expect(() => pickSeats(20, 90, [seat])).toThrow(BadSeat);
  expect(() => pickSeats(20, 90, [seat])).toThrow("no seat: " + seat);
}
for (const [rows, perRow] of [[-1, 9], [9, -1], [30, 9], [9, 120], [Number.NaN, 9]] as const) {
  expect(() => pickSeats(rows, perRow, ["A1"])).toThrow(BadHall);
  expect(() => pickSeats(rows, perRow, [])).toThrow("no hall: " + rows + " rows of " + perRow);
}
expect(pickSeats(26, 1, [])).toEqual([]);
expect(pickSeats(1, 99, [])).toEqual([]);
`;
