import fc from "fast-check";
import { expect, test } from "vitest";
import { VectorRows } from "./vector-rows.ts";

test("each row keeps its own vector, in whichever piece of memory it lies", () => {
  const vectors = new VectorRows(3);
  const count = 5000;
  for (let row = 0; row < count; row++) vectors.push(Float32Array.of(row, 2 * row, -row));
  const product = vectors.productsWith(Float32Array.of(1, 10, 100));
  const rows = Array.from({ length: count }, (_, row) => row);
  expect(rows.map(product)).toEqual(rows.map((row) => row + 20 * row - 100 * row));
  expect(vectors.count).toBe(count);
  expect(() => product(count)).toThrow(RangeError);
});

test("a product is that of plain arithmetic", () => {
  const value = fc.float({ min: -4, max: 4, noNaN: true });
  const Pairs = fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 80 });
  fc.assert(
    fc.property(Pairs, (pairs) => {
      const vectors = new VectorRows(pairs.length);
      vectors.push(Float32Array.from(pairs, ([left]) => left));
      const exact = pairs.reduce((sum, [left, right]) => sum + left * right, 0);
      expect(vectors.productsWith(Float32Array.from(pairs, ([, right]) => right))(0)).toBeCloseTo(exact, 9);
    }),
  );
});

test("a vector of another length is refused", () => {
  const vectors = new VectorRows(256);
  expect(() => vectors.push(new Float32Array(255))).toThrow(RangeError);
  expect(() => vectors.productsWith(new Float32Array(300))).toThrow(RangeError);
});
