// The hidden oracle of wrap-text: other inputs than a worker sees, and what holds for all of them.
export const ORACLE = String.raw`
// words on lines
expect(wrapText("the quick brown fox", 10)).toEqual(["the quick", "brown fox"]);
expect(wrapText("the quick brown fox", 9)).toEqual(["the quick", "brown fox"]);
expect(wrapText("the quick brown fox", 8)).toEqual(["the", "quick", "brown", "fox"]);
expect(wrapText("a b c d e", 3)).toEqual(["a b", "c d", "e"]);

// white space
expect(wrapText("\n a\r\n\r\nb \u00a0 c\t", 5)).toEqual(["a b c"]);
expect(wrapText("\t\n", 3)).toEqual([]);
expect(wrapText("", 1)).toEqual([]);

// long words
expect(wrapText("ab", 1)).toEqual(["a", "b"]);
expect(wrapText("hi extraordinary you", 6)).toEqual(["hi", "extrao", "rdinar", "y you"]);

// no sign is lost, no line too wide
fc.assert(
  fc.property(fc.string({ maxLength: 60 }), fc.integer({ min: 1, max: 12 }), (text, width) => {
    const lines = wrapText(text, width);
    expect(lines.join("").replaceAll(/\s/g, "")).toBe(text.replaceAll(/\s/g, ""));
    expect(lines.every((line) => line.length > 0 && line.length <= width)).toBe(true);
  }),
);

// no width
for (const width of [0, -4, 1.5, Number.POSITIVE_INFINITY]) {
  expect(() => wrapText("a b", width)).toThrow(BadWidth);
  expect(() => wrapText("a b", width)).toThrow("no width: " + width);
}
`;
