// The hidden oracle of share-cost: other inputs than a worker sees, and what holds for all of them.
export const ORACLE = `
// even and uneven
expect(shareCost(1000, [2, 3, 5])).toEqual([200, 300, 500]);
expect(shareCost(1001, [2, 3, 5])).toEqual([200, 300, 501]);
expect(shareCost(1, [1, 1])).toEqual([1, 0]);
expect(shareCost(3, [1, 1, 1, 1])).toEqual([1, 1, 1, 0]);
expect(shareCost(20, [3, 0, 3, 1])).toEqual([9, 0, 8, 3]);

// no share that lost more is passed over, and earlier ones come first
const weights = fc.array(fc.nat(50), { minLength: 1, maxLength: 7 }).filter((list) => list.some((weight) => weight > 0));
fc.assert(
  fc.property(fc.nat(5000), weights, (cents, list) => {
    const sum = list.reduce((before, weight) => before + weight, 0);
    const ranked = list.map((weight, index) => ({ index, floor: Math.floor((cents * weight) / sum), rest: (cents * weight) % sum }));
    let left = cents - ranked.reduce((before, { floor }) => before + floor, 0);
    const expected = ranked.map(({ floor }) => floor);
    for (const { index } of ranked.toSorted((a, b) => b.rest - a.rest || a.index - b.index)) {
      if (left > 0) expected[index] = (expected[index] ?? 0) + 1;
      left -= 1;
    }
    expect(shareCost(cents, list)).toEqual(expected);
  }),
);

// no amounts
expect(shareCost(1_000_000_000, [1, 1])).toEqual([500_000_000, 500_000_000]);
for (const cents of [-5, 1.25, 2_000_000_000, Number.POSITIVE_INFINITY]) {
  expect(() => shareCost(cents, [1, 2])).toThrow(BadCost);
  expect(() => shareCost(cents, [1, 2])).toThrow("no amount: " + cents);
}

// no weights
expect(shareCost(1000, [1000, 0])).toEqual([1000, 0]);
for (const weights of [[], [0], [1, -1], [2.5], [1, 2000]]) {
  expect(() => shareCost(10, weights)).toThrow(BadWeights);
  expect(() => shareCost(10, weights)).toThrow("no weights: " + weights.join(", "));
}
`;
