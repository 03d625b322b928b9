import { expect, test } from "vitest";
import { comesFrom } from "./test-title.ts";

test.each([
  ["adds 1 and 2", "adds 1 and 2", true],
  ["adds 1 and 2", "adds %d and %d", true],
  ["adds 1", "adds %d and %d", false],
  ["math > adds 12", "math > adds $value", true],
  ["math > adds 12", "math > adds ${value}", true],
  ["math > subtracts 12", "math > adds %i", false],
  ["ab", "a%sab", false],
  ["a.c", "a%sc", true],
  ["abc", "a.c", false],
])("%j from %j: %s", (name, declared, expected) => {
  expect(comesFrom(name, declared)).toBe(expected);
});
