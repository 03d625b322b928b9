import { afterEach, expect, test } from "vitest";
import { encode } from "./plain-json.ts";

afterEach(() => {
  Reflect.deleteProperty(Object.prototype, "toJSON");
});

test.each<[unknown]>([
  [{ text: 'a "quoted" line\nand ü 😀', list: [1, -2.5, true, null], nothing: {} }],
  [[]],
  ["\u2028"],
  [{ "a key ü": [[{}]] }],
])("%j is as JSON has it", (value) => {
  const text = encode(value);
  expect(JSON.parse(text)).toEqual(value);
  expect(Buffer.byteLength(text)).toBe(text.length);
});

test("what JSON does not know is left out of objects, and null in lists", () => {
  expect(encode({ a: undefined, b: [undefined, Number.NaN, () => 1] })).toBe('{"b":[null,null,null]}');
});

test("nobody else is asked how something looks", () => {
  const everything: object = Object.getPrototypeOf({});
  Object.defineProperty(everything, "toJSON", { value: () => "forged", configurable: true });
  expect(JSON.stringify({ a: 1 })).toBe('"forged"');
  expect(encode({ a: [{ b: 1 }] })).toBe('{"a":[{"b":1}]}');
});
