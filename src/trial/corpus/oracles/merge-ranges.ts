// The hidden oracle of merge-ranges: other inputs than a worker sees, and what holds for all of them.
export const ORACLE = `
// overlaps, gaps and touches
expect(mergeRanges([[0, 5], [5, 6], [7, 8]])).toEqual([[0, 6], [7, 8]]);
expect(mergeRanges([[4, 9], [-3, 0], [8, 12], [0.5, 1.5]])).toEqual([[-3, 0], [0.5, 1.5], [4, 12]]);
expect(mergeRanges([[1, 20], [2, 3], [15, 16], [19, 25]])).toEqual([[1, 25]]);

// nothing in, nothing out
expect(mergeRanges([])).toEqual([]);

// the result is in order with gaps, and joining it again changes nothing
const range = fc.tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: 1, max: 20 }));
fc.assert(
  fc.property(fc.array(range.map(([from, size]): [number, number] => [from, from + size])), (list) => {
    const before = JSON.stringify(list);
    const merged = mergeRanges(list);
    expect(JSON.stringify(list)).toBe(before);
    expect(mergeRanges(merged.toReversed())).toEqual(merged);
    const points = Array.from({ length: 130 }, (_, index) => index - 55);
    const covered = (all: readonly (readonly [number, number])[]) =>
      points.filter((point) => all.some(([from, to]) => from <= point && point < to));
    expect(covered(merged)).toEqual(covered(list));
    expect(merged.every(([from], index) => index === 0 || (merged[index - 1]?.[1] ?? 0) < from)).toBe(true);
  }),
);

// what is no range
for (const bad of [[1, 1], [5, -5], [0, Number.NaN]] as const) {
  expect(() => mergeRanges([bad])).toThrow(BadRange);
  expect(() => mergeRanges([[1, 2], bad])).toThrow("no range: " + bad[0] + " to " + bad[1]);
}
`;
