import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Best, fused } from "./best.ts";
import { Lexicon } from "./lexicon.ts";
import { wordsOf } from "./words.ts";

describe("words", () => {
  test.each([
    ["parseCsvLine", ["pars", "csv", "lin", "parsecsvlin"]],
    ["HTTPServer sha256", ["http", "serv", "httpserv", "sha", "256", "sha256"]],
    ["the rows of a Table", ["row", "tabl"]],
    ["splitting, split, splits", ["split", "split", "split"]],
    ["Größe ＡＢＣ 日本語", ["größe", "abc", "日本語"]],
    ["!!! …", []],
  ])("%s", (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  test("a word without end is cut", () => {
    expect(wordsOf("x".repeat(100_000))).toEqual(["x".repeat(40)]);
  });
});

test("shares are those of BM25 spelled out", () => {
  const word = fc.constantFrom("slug", "row", "csv", "money", "tim", "zebra");
  const Texts = fc.array(fc.array(word, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(Texts, fc.uniqueArray(word, { minLength: 1, maxLength: 4 }), (texts, query) => {
      const lexicon = new Lexicon();
      for (const text of texts) lexicon.push([{ text: text.join(" "), weight: 1 }]);
      const shares = lexicon.shares(query.join(" "));
      const expected = texts.map((text) => naiveShare(texts, text, query));
      if (shares === undefined) expect(expected.every((share) => share === 0)).toBe(true);
      else [...shares].forEach((share, row) => expect(share).toBeCloseTo(expected[row] ?? -1, 5));
    }),
  );
});

function naiveShare(texts: string[][], text: string[], query: string[]): number {
  const average = texts.flat().length / texts.length;
  const idf = (word: string): number => {
    const holders = texts.filter((each) => each.includes(word)).length;
    return Math.log(1 + (texts.length - holders + 0.5) / (holders + 0.5));
  };
  const score = query.reduce((sum, word) => {
    const times = text.filter((each) => each === word).length;
    return sum + (idf(word) * (times * 2.2)) / (times + 1.2 * (0.25 + (0.75 * text.length) / average));
  }, 0);
  return score / query.reduce((sum, word) => sum + idf(word) * 2.2, 0);
}

test("a word shared by chance weighs next to nothing, all words together beat a closer meaning", () => {
  expect(fused(0.5, 0.2)).toBeLessThan(0.52);
  expect(fused(0.5, 1)).toBeCloseTo(0.9);
});

test("the best few are those that sorting everything gives", () => {
  const Scores = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 60 });
  fc.assert(
    fc.property(Scores, fc.integer({ min: 1, max: 12 }), (scores, most) => {
      const best = new Best(most);
      scores.forEach((score, index) => best.offer(score, (index * 37) % 61));
      const all = scores.map((score, index) => ({ score, seq: (index * 37) % 61 }));
      const sorted = all.toSorted((a, b) => b.score - a.score || a.seq - b.seq).slice(0, most);
      expect(best.list()).toEqual(sorted);
    }),
  );
});
