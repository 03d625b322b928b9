// The hidden oracle of lru-hits: other inputs than a worker sees, and what holds for all of them.
export const ORACLE = `
// hits and misses
expect(lruHits(2, ["x", "y", "x", "y"])).toEqual([false, false, true, true]);
expect(lruHits(1, ["x", "y", "x"])).toEqual([false, false, false]);
expect(lruHits(2, ["x", "y", "z", "y", "w", "z", "y"])).toEqual([false, false, false, true, false, false, false]);
expect(lruHits(5, [])).toEqual([]);

// the same as asking how many keys came since
fc.assert(
  fc.property(fc.integer({ min: 1, max: 5 }), fc.array(fc.constantFrom("a", "b", "c", "d", "e", "f", "g")), (size, keys) => {
    const expected = keys.map((key, index) => {
      const before = keys.lastIndexOf(key, index - 1);
      if (index === 0 || before === -1) return false;
      return new Set(keys.slice(before + 1, index)).size < size;
    });
    expect(lruHits(size, keys)).toEqual(expected);
  }),
);

// no capacity
for (const capacity of [0, -3, 0.5, Number.POSITIVE_INFINITY, Number.NaN]) {
  expect(() => lruHits(capacity, ["a"])).toThrow(BadCapacity);
  expect(() => lruHits(capacity, ["a"])).toThrow("no capacity: " + capacity);
}
`;
