// The hidden oracle of longest-streak: other inputs than a worker sees, and what holds for all of them.
export const ORACLE = `
// by hand
expect(longestStreak([100, 4, 200, 1, 3, 2])).toEqual({ first: 1, length: 4 });
expect(longestStreak([3, 3, 3])).toEqual({ first: 3, length: 1 });
expect(longestStreak([8, 7, 1, 0, -1, 6])).toEqual({ first: -1, length: 3 });
expect(longestStreak([50, 10, 30])).toEqual({ first: 10, length: 1 });
expect(longestStreak([9, 10, 11, 100, 99])).toEqual({ first: 9, length: 3 });

// the same as trying every day
fc.assert(
  fc.property(fc.array(fc.integer({ min: -12, max: 12 }), { minLength: 1, maxLength: 25 }), (days) => {
    let best = { first: 99, length: 0 };
    for (let first = -12; first <= 12; first += 1) {
      let length = 0;
      while (days.includes(first + length)) length += 1;
      if (length > best.length) best = { first, length };
    }
    expect(longestStreak(days)).toEqual(best);
    expect(longestStreak([...days, ...days].toReversed())).toEqual(best);
  }),
);

// what is refused
expect(() => longestStreak([])).toThrow(NoDays);
expect(() => longestStreak([])).toThrow(/^there are no days$/);
for (const day of [1.25, -0.5, Number.NaN, Number.NEGATIVE_INFINITY, 2 ** 60]) {
  expect(() => longestStreak([0, day, 1])).toThrow(BadDay);
  expect(() => longestStreak([0, day, 1])).toThrow("no day: " + day);
}
`;
