import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { align, type Alignment, ellipsis, paragraph, table, wrap } from "../src/index.ts";

describe("wrap", () => {
  test.each<[string, number, string[]]>([
    ["", 5, []],
    ["   ", 5, []],
    ["a b c", 5, ["a b c"]],
    ["a b c d", 5, ["a b c", "d"]],
    ["  two\n words ", 20, ["two words"]],
    ["abcdefgh", 3, ["abc", "def", "gh"]],
    ["x abcdef y", 3, ["x", "abc", "def", "y"]],
    ["abcd ef", 2, ["ab", "cd", "ef"]],
    ["abcde f", 3, ["abc", "de", "f"]],
    ["abcd f", 3, ["abc", "d f"]],
    ["a", 1, ["a"]],
  ])("%j within %d", (text, width, lines) => {
    expect(wrap(text, width)).toEqual(lines);
  });

  test.each([0, -1, 2.5])("refuses a width of %d", (width) => {
    expect(() => wrap("a", width)).toThrow(new RangeError("a width of at least 1 is needed"));
  });

  test("loses no character and leaves no line too long or too short", () => {
    const words = fc.array(fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 9 }));
    fc.assert(
      fc.property(words, fc.integer({ min: 1, max: 12 }), (list, width) => {
        const lines = wrap(list.join(" "), width);
        expect(lines.join("").replaceAll(" ", "")).toBe(list.join(""));
        for (const line of lines) {
          expect(line.length).toBeLessThanOrEqual(width);
          expect(line).toBe(line.trim());
        }
      }),
    );
  });
});

describe("align", () => {
  test.each<[string, number, Alignment, string]>([
    ["ab", 5, "left", "ab   "],
    ["ab", 5, "right", "   ab"],
    ["ab", 5, "center", " ab  "],
    ["ab", 6, "center", "  ab  "],
    ["ab", 5, "justify", "ab   "],
    ["a b", 5, "justify", "a   b"],
    ["a b c", 8, "justify", "a   b  c"],
    ["a b c", 9, "justify", "a   b   c"],
    ["abcdef", 3, "right", "abcdef"],
    ["abc", 3, "center", "abc"],
  ])("%j within %d, %s", (line, width, alignment, expected) => {
    expect(align(line, width, alignment)).toBe(expected);
  });
});

describe("paragraph", () => {
  const text = "the quick brown fox jumps";
  test.each<[Alignment, string]>([
    ["left", "the quick\nbrown fox\njumps"],
    ["right", "  the quick\n  brown fox\n      jumps"],
    ["center", " the quick\n brown fox\n   jumps"],
    ["justify", "the   quick\nbrown   fox\njumps"],
  ])("set %s", (alignment, expected) => {
    expect(paragraph(text, 11, alignment)).toBe(expected);
  });

  test("is set to the left when nothing is said", () => {
    expect(paragraph(text, 11)).toBe("the quick\nbrown fox\njumps");
  });

  test("the last line of a justified one stays together", () => {
    expect(paragraph("aa bb cc dd", 6, "justify")).toBe("aa  bb\ncc dd");
  });
});

describe("ellipsis", () => {
  test.each<[string, number, string]>([
    ["abcdef", 6, "abcdef"],
    ["abcdef", 9, "abcdef"],
    ["abcdefg", 6, "abc…fg"],
    ["abcdefg", 5, "ab…fg"],
    ["abcdefg", 3, "a…g"],
  ])("%j within %d", (text, width, expected) => {
    expect(ellipsis(text, width)).toBe(expected);
  });

  test("needs room", () => {
    expect(() => ellipsis("a", 2)).toThrow(new RangeError("no room for an ellipsis"));
  });
});

describe("table", () => {
  test("is as wide as its widest cells", () => {
    expect(
      table(
        [
          ["a", "bbb"],
          ["cc", "d"],
        ],
        ["left", "right"],
      ),
    ).toBe("a  | bbb\ncc |   d");
  });

  test("fills rows that are short", () => {
    expect(table([["a"], ["b", "c"]])).toBe("a |\nb | c");
  });

  test("is empty without rows", () => {
    expect(table([])).toBe("");
  });
});
