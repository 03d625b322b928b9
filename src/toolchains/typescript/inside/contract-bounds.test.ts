// The bounds of what a contract requires are found wherever they lie; where none is drawn there is none.
import { expect, test } from "vitest";
import { boundsOf, sizesOf } from "./contract-bounds.ts";

type Required = (value: number) => boolean;

function firsts(start: unknown, isIn: Required): unknown[] {
  return boundsOf([start, "beside"], 0, ([value]) => typeof value === "number" && isIn(value)).map(
    ([first]) => first,
  );
}

test.each<[string, Required, number[]]>([
  ["safe whole numbers", (value) => Number.isSafeInteger(value) && value >= 0, [0, Number.MAX_SAFE_INTEGER]],
  ["a number of parts", (value) => Number.isInteger(value) && value >= 1 && value <= 1000, [1, 1000]],
  ["below a number", (value) => Number.isInteger(value) && value < 50, [49]],
])("of %s both are found, and nothing beyond", (_what, isIn, bounds) => {
  const found = firsts(7, isIn);
  expect(found).toEqual(expect.arrayContaining(bounds));
  expect(found.every((value) => typeof value === "number" && isIn(value))).toBe(true);
});

test.each<[string, unknown, Required]>([
  ["any number will do", 7, () => true],
  ["the call itself breaks what is required", 7, (value) => value > 9],
  ["there is no number", "7", () => true],
])("there are none where %s", (_what, start, isIn) => {
  expect(firsts(start, isIn)).toEqual([]);
});

test("numbers of every size lie on the way to a bound", () => {
  const found = sizesOf([1], 0, ([value]) => Number.isSafeInteger(value) && Number(value) >= 0).map(
    ([value]) => Number(value),
  );
  for (let size = 4; size < 2 ** 52; size *= 2)
    expect(found.some((value) => value >= size && value < size * 2)).toBe(true);
  expect(sizesOf([1], 0, () => true)).toEqual([]);
});

test("the other arguments stay as they were", () => {
  const found = boundsOf([3, "beside"], 0, ([value]) => typeof value === "number" && value < 100);
  expect(found.length).toBeGreaterThan(0);
  expect(found.every(([, other]) => other === "beside")).toBe(true);
});

test("a requirement that lets everything but one number through comes to an end", () => {
  expect(firsts(7, (value) => value !== Number.MAX_VALUE).every(Number.isFinite)).toBe(true);
});
