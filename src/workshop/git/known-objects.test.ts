// What was read before is kept within its bounds.
import { expect, test } from "vitest";
import { isHash, remembered } from "./known-objects.ts";

test("keeps what fits, and lets the oldest go", () => {
  const known = remembered<string>((text) => text.length, { each: 4, all: 8 });
  known.write("a", "1234");
  known.write("b", "12");
  known.write("large", "12345");
  expect(["a", "b", "large"].map((key) => known.read(key))).toEqual(["1234", "12", undefined]);
  known.write("c", "123");
  expect(["a", "b", "c"].map((key) => known.read(key))).toEqual([undefined, "12", "123"]);
  known.write("b", "other");
  expect(known.read("b")).toBe("12");
});

test("only a whole hash names something that never changes", () => {
  expect(isHash("a".repeat(40))).toBe(true);
  expect(isHash("0".repeat(64))).toBe(true);
  expect(isHash(`${"a".repeat(40)}:modules/x`)).toBe(true);
  for (const name of [
    "main",
    "HEAD",
    "main:modules/x",
    "a".repeat(39),
    `${"a".repeat(40)}^`,
    "A".repeat(40),
    "a".repeat(50),
  ])
    expect(isHash(name)).toBe(false);
});
