// The hidden oracle of count-workdays: other inputs than a worker sees, and what holds for all of them.
export const ORACLE = `
// over the end of a year
expect(countWorkdays("2025-12-29", "2026-01-04", ["2026-01-01"])).toBe(4);
expect(countWorkdays("2024-02-26", "2024-03-03", [])).toBe(5);
expect(countWorkdays("2026-05-02", "2026-05-02", [])).toBe(0);
expect(countWorkdays("2026-05-04", "2026-05-04", ["2026-05-04"])).toBe(0);

// the parts of a span add up
const day = (number: number) => new Date(number * 86_400_000).toISOString().slice(0, 10);
const number = fc.integer({ min: 15_000, max: 15_400 });
fc.assert(
  fc.property(number, fc.nat(60), fc.nat(60), fc.array(number.map(day), { maxLength: 20 }), (start, one, two, holidays) => {
    const middle = start + one;
    const whole = countWorkdays(day(start), day(middle + 1 + two), holidays);
    const parts = [countWorkdays(day(start), day(middle), holidays), countWorkdays(day(middle + 1), day(middle + 1 + two), holidays)];
    expect(whole).toBe((parts[0] ?? 0) + (parts[1] ?? 0));
    const alone = countWorkdays(day(start), day(start), holidays);
    expect(alone).toBe((start + 4) % 7 === 0 || (start + 4) % 7 === 6 || holidays.includes(day(start)) ? 0 : 1);
  }),
);

// no dates
for (const date of ["2025-02-29", "2026-00-10", "2026-04-31", "x", "", "2026-04"]) {
  expect(() => countWorkdays(date, "2026-12-31", [])).toThrow(BadDate);
  expect(() => countWorkdays("2020-01-01", date, [])).toThrow("no date: " + date);
}

// the wrong order
expect(() => countWorkdays("2026-03-03", "2026-03-01", [])).toThrow(WrongOrder);
expect(() => countWorkdays("2026-03-03", "2025-03-03", [])).toThrow("2026-03-03 is after 2025-03-03");
`;
