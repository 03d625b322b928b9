import fc from "fast-check";
import { expect, test } from "vitest";
import { VectorRows } from "./vector-rows.ts";

test("the kernel gives what plain arithmetic gives, for any dimension and any choice of rows", () => {
  const Sample = fc.integer({ min: 1, max: 80 }).chain((dimensions) => {
    const vector = fc.array(fc.float({ min: -4, max: 4, noNaN: true }), {
      minLength: dimensions,
      maxLength: dimensions,
    });
    return fc.record({
      dimensions: fc.constant(dimensions),
      query: vector,
      rows: fc.array(vector, { minLength: 1, maxLength: 24 }),
      picks: fc.array(fc.nat(1000), { maxLength: 12 }),
    });
  });
  fc.assert(
    fc.property(Sample, ({ dimensions, query, rows, picks }) => {
      const vectors = new VectorRows(dimensions);
      for (const each of rows) vectors.push(Float32Array.from(each));
      const chosen = [...new Set(picks.map((pick) => pick % rows.length))].toSorted((a, b) => a - b);
      const found = products(vectors, Float32Array.from(query), chosen);
      expect(found).toHaveLength(chosen.length);
      found.forEach((product, index) => {
        const each = rows[chosen[index] ?? -1] ?? [];
        const exact = each.reduce((sum, value, place) => sum + value * (query[place] ?? 0), 0);
        expect(product).toBeCloseTo(exact, 3);
      });
    }),
    { numRuns: 200 },
  );
});

test.each([1, 2, 3, 5, 50])("more rows than a block, one in %i of them", (share) => {
  const vectors = new VectorRows(256);
  const count = 20_001;
  for (let row = 0; row < count; row++) vectors.push(new Float32Array(256).fill(row % 97));
  const query = new Float32Array(256).fill(1 / 256);
  const chosen = Array.from({ length: count }, (_, row) => row).filter((row) => row % share === share - 1);
  expect(products(vectors, query, chosen)).toEqual(chosen.map((row) => row % 97));
});

test("none chosen, none held: nothing is visited", () => {
  const vectors = new VectorRows(256);
  expect(products(vectors, new Float32Array(256), [])).toEqual([]);
  vectors.push(new Float32Array(256));
  expect(products(vectors, new Float32Array(256), [])).toEqual([]);
});

test("memory follows what is held", () => {
  const vectors = new VectorRows(384);
  for (let row = 0; row < 10_000; row++) vectors.push(new Float32Array(384));
  expect(vectors.bytes).toBeLessThan(10_000 * 1536 + 20 * 1024 * 1024);
});

test("a vector of another length is refused", () => {
  const vectors = new VectorRows(256);
  expect(() => vectors.push(new Float32Array(255))).toThrow(RangeError);
  vectors.push(new Float32Array(256));
  expect(() => products(vectors, new Float32Array(300), [0])).toThrow(RangeError);
});

function products(vectors: VectorRows, query: Float32Array, rows: number[]): number[] {
  const found: number[] = [];
  vectors.products(query, Uint32Array.from(rows), (from, some) => {
    expect(from).toBe(found.length);
    found.push(...some);
  });
  return found;
}
