import fc from "fast-check";
import { expect, test } from "vitest";
import { CoarseRows } from "./coarse-rows.ts";

const Sample = fc.integer({ min: 1, max: 80 }).chain((dimensions) => {
  const magnitude = fc.constantFrom(1e-6, 0.1, 4, 1e4);
  // Numbers that are nearly nothing are none of a vector with a length.
  const values = fc.array(fc.integer({ min: -1000, max: 1000 }), {
    minLength: dimensions,
    maxLength: dimensions,
  });
  const vector = fc
    .tuple(magnitude, values)
    .map(([size, wholes]) => Float32Array.from(wholes, (whole) => (whole / 1000) * size));
  return fc.record({
    dimensions: fc.constant(dimensions),
    query: vector,
    rows: fc.array(vector, { minLength: 1, maxLength: 24 }),
    picks: fc.array(fc.nat(1000), { maxLength: 12 }),
  });
});

test("no product is above its bound, and no bound is far above its product", () => {
  fc.assert(
    fc.property(Sample, ({ dimensions, query, rows, picks }) => {
      const coarse = new CoarseRows(dimensions);
      for (const each of rows) coarse.push(each);
      const chosen = [...new Set(picks.map((pick) => pick % rows.length))].toSorted((a, b) => a - b);
      const bounds = boundsOf(coarse, query, chosen);
      expect(bounds).toHaveLength(chosen.length);
      bounds.forEach((bound, index) => {
        const row = rows[chosen[index] ?? -1] ?? new Float32Array();
        const exact = row.reduce((sum, value, place) => sum + value * (query[place] ?? 0), 0);
        const lengths = lengthOf(row) * lengthOf(query);
        expect(bound).toBeGreaterThanOrEqual(exact - lengths * 1e-9);
        // A half of a 127th in each dimension is the most that rounding takes, and it can count twice.
        expect(bound - exact).toBeLessThanOrEqual(lengths * (Math.sqrt(dimensions) / 120) + 1e-30);
      });
    }),
    { numRuns: 300 },
  );
});

test("as many dimensions as there can be, at their extremes, do not overflow", () => {
  const coarse = new CoarseRows(1536);
  coarse.push(new Float32Array(1536).fill(1));
  coarse.push(new Float32Array(1536).fill(-1));
  const [same, opposite] = boundsOf(coarse, new Float32Array(1536).fill(1), [0, 1]);
  expect(same).toBeGreaterThanOrEqual(1536);
  expect(same).toBeLessThan(1537);
  expect(opposite).toBeGreaterThanOrEqual(-1536);
  expect(opposite).toBeLessThan(-1535);
});

test.each([1, 2, 3, 5, 50])("more rows than a block, one in %i of them", (share) => {
  const coarse = new CoarseRows(256);
  const count = 20_001;
  for (let row = 0; row < count; row++) coarse.push(new Float32Array(256).fill(row % 97));
  const chosen = Array.from({ length: count }, (_, row) => row).filter((row) => row % share === share - 1);
  const bounds = boundsOf(coarse, new Float32Array(256).fill(1 / 256), chosen);
  expect(bounds).toHaveLength(chosen.length);
  bounds.forEach((bound, index) => expect(bound).toBeCloseTo((chosen[index] ?? 0) % 97, 1));
});

test("none chosen, none held: nothing is visited", () => {
  const coarse = new CoarseRows(256);
  expect(boundsOf(coarse, new Float32Array(256), [])).toEqual([]);
  coarse.push(new Float32Array(256));
  expect(boundsOf(coarse, new Float32Array(256), [])).toEqual([]);
  expect(boundsOf(coarse, new Float32Array(256), [0])).toEqual([0]);
});

test("memory follows what is held", () => {
  const coarse = new CoarseRows(384);
  for (let row = 0; row < 10_000; row++) coarse.push(new Float32Array(384));
  expect(coarse.bytes).toBeLessThan(10_000 * 400 + 20 * 1024 * 1024);
});

test("a vector of another length is refused", () => {
  const coarse = new CoarseRows(256);
  expect(() => coarse.push(new Float32Array(255))).toThrow(RangeError);
  coarse.push(new Float32Array(256));
  expect(() => boundsOf(coarse, new Float32Array(300), [0])).toThrow(RangeError);
});

function boundsOf(coarse: CoarseRows, query: Float32Array, rows: number[]): number[] {
  const found: number[] = [];
  coarse.bounds(query, Uint32Array.from(rows), (from, some) => {
    expect(from).toBe(found.length);
    found.push(...some);
  });
  return found;
}

function lengthOf(vector: Float32Array): number {
  return Math.hypot(...vector);
}
