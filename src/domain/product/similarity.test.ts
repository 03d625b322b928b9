import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nearDuplicates } from "./similarity.ts";

function longText(step: number): string {
  const words = Array.from({ length: 20_000 }, (_, index) => `word${"abcdefghi"[index % 9]}${index * step}`);
  return words.join(" ");
}

describe("nearDuplicates", () => {
  it.each([
    ["Write the parser", "Write the parser"],
    ["Write the parser", "  write   THE parser. "],
    ["Write the parser", "Write a parser"],
    ["Validate the e-mail", "Validate the email"],
    ["Validate email address", "Validate email adress"],
    ["Check the fields", "Check each field"],
    ["of the", "of the"],
    ["of the", "the of"],
    ["Parser", "The parser"],
    ["parsing reading writing", "parsings readings writings"],
    ["Ｗｒｉｔｅ the parser", "Write the parser"],
    [" !!! ", "!!!"],
    ["验证邮箱", "验证邮箱!"],
    ["!!!", "!!!"],
  ])("takes %j and %j for the same", (a, b) => {
    expect(nearDuplicates([a, b])).toEqual([{ first: 0, again: 1 }]);
  });

  it.each([
    ["Write unit tests for login", "Write unit tests for logout"],
    ["Add field 1", "Add field 2"],
    ["Add column 10000", "Add column 10001"],
    ["Import notes", "Export notes"],
    ["Send the text", "Send the test"],
    ["Write the parser", "Write the printer"],
    ["of the", "for a"],
    ["验证用户的邮箱", "验证用户的电话"],
    ["!!!", "???"],
    ["!!!", "of"],
    ["", ""],
    [" ", "\n"],
  ])("keeps %j and %j apart", (a, b) => {
    expect(nearDuplicates([a, b])).toEqual([]);
  });

  it("draws the line at four common words of five", () => {
    expect(nearDuplicates(["red green blue white", "red green blue white black"])).toHaveLength(1);
    expect(nearDuplicates(["red green blue", "red green blue white"])).toHaveLength(0);
  });

  it("lets a slip make up for one word only", () => {
    const pair = ["check parser output order twice", "check parsers output order thrice"];
    expect(nearDuplicates(pair)).toHaveLength(0);
    expect(nearDuplicates(["delete parsing parsinx", "delete parsink colours"])).toHaveLength(0);
  });

  it("points each repetition at the earliest original", () => {
    expect(nearDuplicates(["a b", "c d", "A B", "a, b!", "c d"])).toEqual([
      { first: 0, again: 2 },
      { first: 0, again: 3 },
      { first: 1, again: 4 },
    ]);
  });

  it("looks at the first two hundred", () => {
    const texts = Array.from({ length: 199 }, (_, index) => `item${index}`);
    expect(nearDuplicates([...texts, "item0"])).toEqual([{ first: 0, again: 199 }]);
    expect(nearDuplicates([...texts, "item199", "item0"])).toEqual([]);
  });

  it("does not depend on which of two texts comes first", () => {
    const text = fc.array(fc.constantFrom("parse", "parser", "parsers", "the", "login", "1"), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(text, text, (a, b) => {
        const pair = [a.join(" "), b.join(" ")];
        expect(nearDuplicates(pair)).toEqual(nearDuplicates(pair.toReversed()));
      }),
      { numRuns: 500 },
    );
  });

  it("agrees with a plain Jaccard index where no two words are alike", () => {
    const words = fc.array(fc.constantFrom("red", "green", "blue", "white", "black", "ochre"), {
      minLength: 1,
    });
    fc.assert(
      fc.property(words, words, (a, b) => {
        const all = new Set([...a, ...b]).size;
        const common = new Set(a.filter((word) => b.includes(word))).size;
        const found = nearDuplicates([a.join(" "), b.join(" ")]).length === 1;
        expect(found).toBe(common / all >= 0.8);
      }),
    );
  });

  it("stays quick on hopeless input", () => {
    const started = performance.now();
    nearDuplicates([longText(1), longText(2), longText(1)]);
    nearDuplicates(Array.from({ length: 20_000 }, (_, index) => `do the thing number ${index}`));
    expect(performance.now() - started).toBeLessThan(3000);
  });
});
