// The hidden oracle of moving-median: other inputs than a worker sees, and what holds for all of them.
export const ORACLE = `
// by hand
expect(movingMedian([4, 8, 6, 1, 1], 3)).toEqual([6, 6, 1]);
expect(movingMedian([4, 8, 6, 1, 1], 2)).toEqual([6, 7, 3.5, 1]);
expect(movingMedian([4, 8, 6, 1, 1], 5)).toEqual([4]);
expect(movingMedian([4, 8, 6, 1, 1], 6)).toEqual([]);
expect(movingMedian([200, 30, 1000], 3)).toEqual([200]);
expect(movingMedian([0.5, -0.5], 2)).toEqual([0]);

// the same as sorting each window
fc.assert(
  fc.property(fc.array(fc.integer({ min: -999, max: 999 }), { maxLength: 15 }), fc.integer({ min: 1, max: 8 }), (values, size) => {
    const before = [...values];
    const expected: number[] = [];
    for (let start = 0; start + size <= values.length; start += 1) {
      const window = values.slice(start, start + size).sort((a, b) => a - b);
      const half = Math.floor(size / 2);
      expected.push(size % 2 === 1 ? (window[half] ?? 0) : ((window[half - 1] ?? 0) + (window[half] ?? 0)) / 2);
    }
    expect(movingMedian(values, size)).toEqual(expected);
    expect(movingMedian(values, Math.max(1, values.length)).length).toBe(Math.min(1, values.length));
    expect(values).toEqual(before);
  }),
);

// what is refused
for (const size of [0, -3, 2.5, Number.POSITIVE_INFINITY]) {
  expect(() => movingMedian([1, 2, 3], size)).toThrow(BadSize);
  expect(() => movingMedian([1, 2, 3], size)).toThrow("no size: " + size);
}
expect(() => movingMedian([0, 1, Number.NaN, Number.NaN], 2)).toThrow(BadValue);
expect(() => movingMedian([0, 1, Number.NaN, Number.NaN], 2)).toThrow("no number at 2");
`;
