import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { editDistance, nearest } from "./nearest.ts";

/** The definition, read off the page: no table, no reuse. */
function naiveDistance(a: string, b: string): number {
  if (a === "") return b.length;
  if (b === "") return a.length;
  const ways = [
    naiveDistance(a.slice(1), b) + 1,
    naiveDistance(a, b.slice(1)) + 1,
    naiveDistance(a.slice(1), b.slice(1)) + (a[0] === b[0] ? 0 : 1),
  ];
  if (a.length > 1 && b.length > 1 && a[0] === b[1] && a[1] === b[0])
    ways.push(naiveDistance(a.slice(2), b.slice(2)) + 1);
  return Math.min(...ways);
}

const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "é", "😀"), maxLength: 5 });

describe("editDistance", () => {
  test("agrees with its definition", () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(editDistance(a, b)).toBe(naiveDistance(a, b));
      }),
    );
  });

  test.each([
    ["", "", 0],
    ["", "abc", 3],
    ["ab", "ba", 1],
    ["ca", "abc", 3],
    ["concurency", "concurrency", 1],
    ["kitten", "sitting", 3],
  ])("from %j to %j is %i", (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance);
    expect(editDistance(b, a)).toBe(distance);
  });

  test("copes with long words", () => {
    expect(editDistance("a".repeat(1_000), `b${"a".repeat(999)}`)).toBe(1);
  });
});

describe("nearest", () => {
  test.each([
    ["a slip", "concurency", ["rigor", "concurrency"], "concurrency"],
    ["another case", "RIGOR", ["budget", "rigor"], "rigor"],
    ["the word itself", "rigor", ["rigour", "rigor"], "rigor"],
    ["a tie, where the first wins", "ab", ["ac", "ad"], "ac"],
    ["a short word at distance 2", "usd", ["used_"], "used_"],
    ["a short word at distance 3", "usd", ["use___"], undefined],
    ["a third of a long word", "abcdefghi", ["abcdefxyz"], "abcdefxyz"],
    ["more than a third of a long word", "abcdefghi", ["abcdewxyz"], undefined],
    ["no candidates", "rigor", [], undefined],
    ["the empty word", "", ["abc"], undefined],
    ["a prototype key", "__proto__", ["prototype"], undefined],
  ])("finds what was meant: %s", (_, asked, candidates, meant) => {
    expect(nearest(asked, candidates)).toBe(meant);
  });

  test("takes any iterable", () => {
    expect(nearest("tokns", new Set(["usd", "tokens"]))).toBe("tokens");
  });
});
