// RFC 8785 by its own vectors, and the values that canonical JSON would silently lose.
import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalHash, canonicalJson, dropUndefined, sha256Hex } from "./canonical.ts";

describe("RFC 8785", () => {
  test("the sample of section 3.2", () => {
    const sample = JSON.parse(`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
      "literals": [null, true, false]
    }`);
    expect(canonicalJson(sample)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  test("keys sort by UTF-16 code units", () => {
    const keys = ["\u20AC", "\r", "\uFB33", "1", "\u{1F600}", "\u0080", "\u00F6"];
    const sorted = Object.keys(JSON.parse(canonicalJson(Object.fromEntries(keys.map((key) => [key, 0])))));
    // "1" is an integer key, which JavaScript objects list first; the text itself is compared below.
    expect(sorted.filter((key) => key !== "1")).toEqual([
      "\r",
      "\u0080",
      "\u00F6",
      "\u20AC",
      "\u{1F600}",
      "\uFB33",
    ]);
    expect(canonicalJson({ "\r": 1, "1": 2, "\u0080": 3 })).toBe('{"\\r":1,"1":2,"\u0080":3}');
  });

  const numbers: [string, string][] = [
    ["0000000000000000", "0"],
    ["8000000000000000", "0"],
    ["0000000000000001", "5e-324"],
    ["8000000000000001", "-5e-324"],
    ["7fefffffffffffff", "1.7976931348623157e+308"],
    ["ffefffffffffffff", "-1.7976931348623157e+308"],
    ["4340000000000000", "9007199254740992"],
    ["c340000000000000", "-9007199254740992"],
    ["4430000000000000", "295147905179352830000"],
    ["44b52d02c7e14af5", "9.999999999999997e+22"],
    ["44b52d02c7e14af6", "1e+23"],
    ["44b52d02c7e14af7", "1.0000000000000001e+23"],
    ["444b1ae4d6e2ef4e", "999999999999999700000"],
    ["444b1ae4d6e2ef4f", "999999999999999900000"],
    ["444b1ae4d6e2ef50", "1e+21"],
    ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"],
    ["3eb0c6f7a0b5ed8d", "0.000001"],
    ["41b3de4355555553", "333333333.3333332"],
    ["41b3de4355555554", "333333333.33333325"],
    ["41b3de4355555555", "333333333.3333333"],
    ["41b3de4355555556", "333333333.3333334"],
    ["41b3de4355555557", "333333333.33333343"],
    ["becbf647612f3696", "-0.0000033333333333333333"],
    ["43143ff3c1cb0959", "1424953923781206.2"],
  ];

  test.each(numbers)("the double %s is written %s", (bits, text) => {
    expect(canonicalJson(Buffer.from(bits, "hex").readDoubleBE())).toBe(text);
  });

  test("arbitrary data equals a naive writer's text and its hash, whatever the key order", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "binary" }), (value) => {
        fc.pre(naive(value).isWellFormed());
        expect(canonicalJson(value)).toBe(naive(value));
        expect(canonicalHash(reversed(value))).toBe(createHash("sha256").update(naive(value)).digest("hex"));
      }),
    );
  });
});

describe("what cannot be written without loss is refused, with its place", () => {
  const losses: [string, unknown, RegExp][] = [
    ["undefined", { a: [undefined] }, /\$\.a\[0\] holds undefined/],
    ["a function", { f: () => 1 }, /\$\.f holds function/],
    ["a Map", new Map([["a", 1]]), /\$ holds a Map/],
    ["a Date", { at: new Date(0) }, /\$\.at holds a Date/],
    ["NaN", [Number.NaN], /\$\[0\] holds NaN/],
    ["infinity", { "odd key": Number.POSITIVE_INFINITY }, /\$\["odd key"\] holds Infinity/],
    ["a big integer", 1n, /\$ holds bigint/],
    ["a symbol", Symbol("s"), /\$ holds symbol/],
    ["an object that speaks for itself", { toJSON: () => 1 }, /\$ holds a Object/],
    ["half a character", "\uD800", /Lone surrogate/],
    ["half a character in a key", { "\uDC00": 1 }, /Lone surrogate/],
  ];

  test.each(losses)("%s", (_name, value, message) => {
    expect(() => canonicalJson(value)).toThrow(message);
  });

  test("an object without a prototype is plain, and the error says what would have been", () => {
    expect(canonicalJson(Object.assign(Object.create(null), { a: 1 }))).toBe('{"a":1}');
    expect(() => canonicalJson(Object.create(Object.create(null)))).toThrow("$ holds a strange object");
    expect(() => canonicalJson(undefined)).toThrow(
      expect.objectContaining({ code: "not_canonical", expected: expect.stringContaining("only null") }),
    );
    expect(() => canonicalJson("\uD800")).toThrow(
      expect.objectContaining({ code: "not_canonical", cause: expect.any(Error) }),
    );
  });

  test("a hole in an array is not null", () => {
    const holed: unknown[] = [];
    holed[1] = 1;
    expect(() => canonicalJson(holed)).toThrow(/\$\[0\] holds undefined/);
  });
});

test("keys that are undefined count as left out, and nothing else does", () => {
  expect(dropUndefined({ a: undefined, b: [{ c: undefined, d: null }] })).toEqual({ b: [{ d: null }] });
  expect(() => canonicalJson(dropUndefined([undefined]))).toThrow(/\$\[0\]/);
  expect(() => canonicalJson(dropUndefined({ m: new Map() }))).toThrow(/\$\.m holds a Map/);
});

test("sha256Hex takes text as UTF-8 and bytes as they are", () => {
  expect(sha256Hex("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect(sha256Hex(Buffer.from("ü"))).toBe(sha256Hex("ü"));
});

function naive(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((inner) => naive(inner)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, inner]) => `${JSON.stringify(key)}:${naive(inner)}`).join(",")}}`;
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((inner) => reversed(inner));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, inner]) => [key, reversed(inner)]),
  );
}
