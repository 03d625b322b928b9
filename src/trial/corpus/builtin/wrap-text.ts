// Builtin task: breaks a text into lines.
import { builtinTask } from "../builtin-task.ts";
import { ORACLE } from "../oracles/wrap-text.ts";

export const WRAP_TEXT = builtinTask({
  id: "wrap-text",
  area: "text",
  title: "Break a text into lines",
  purpose: "Breaks a text into lines that are not wider than asked, between words where it can.",
  tags: ["text", "lines"],
  entries: [
    {
      entry: "wrapText",
      signature: "(text: string, width: number) => string[]",
      inputs: [
        { name: "text", type: "string" },
        {
          name: "width",
          type: "number",
          constraint: "is a whole number of at least 1",
          requires: "Number.isInteger(args[1]) && args[1] >= 1",
        },
      ],
      output: {
        name: "lines",
        type: "string[]",
        invariants: [
          {
            invariant: "has no line that is empty, wider than asked or with blanks around it",
            ensures:
              "result.every((line) => line.length >= 1 && line.length <= args[1] && line.trim() === line)",
          },
          {
            invariant: "keeps every sign but white space",
            ensures: String.raw`result.join("").replaceAll(/\s/g, "") === args[0].replaceAll(/\s/g, "")`,
          },
        ],
      },
      errors: [{ name: "BadWidth", when: "the width is none", says: "no width: " }],
      examples: [
        { title: "three words", args: ['"one two three"', "7"], gives: '["one two", "three"]' },
        { title: "no words", args: ['" "', "5"], gives: "[]" },
        { title: "no width", args: ['"one"', "0"], throws: "BadWidth: no width: 0" },
      ],
    },
  ],
  constraints: {
    C1: "Words stand on a line, with one blank between them, as long as they fit; a line may be exactly as wide as asked.",
    C2: "White space of any kind and length parts words, and stands at neither end of a line.",
    C3: "A word wider than a line is cut into pieces of the full width; its last piece is treated like a word.",
    C4: "A text without words has no lines.",
    C5: "A width that is not a whole number of at least 1 throws BadWidth: `no width: ` and it.",
  },
  source: String.raw`/** Thrown when nothing could stand on a line. */
export class BadWidth extends Error {}

/** The lines of a text, none of them wider than asked. */
export function wrapText(text: string, width: number): string[] {
  if (!Number.isInteger(width) || width < 1) throw new BadWidth("no width: " + width);
  const words = text.split(/\s+/).flatMap((word) => piecesOf(word, width));
  const lines: string[] = [];
  for (const word of words) {
    const longer = [lines.at(-1), word].join(" ");
    if (lines.length > 0 && longer.length <= width) lines.splice(-1, 1, longer);
    else lines.push(word);
  }
  return lines;
}

/** None for an empty word. */
function piecesOf(word: string, width: number): string[] {
  const count = Math.ceil(word.length / width);
  return Array.from({ length: count }, (_, index) => word.slice(index * width, (index + 1) * width));
}
`,
  tests: String.raw`
// C1: words stand on a line as long as they fit
expect(wrapText("one two three", 7)).toEqual(["one two", "three"]);
expect(wrapText("one two three", 6)).toEqual(["one", "two", "three"]);
expect(wrapText("one two three", 99)).toEqual(["one two three"]);
expect(wrapText("a", 1)).toEqual(["a"]);

// C1: the words are the same, and no line could take the next word
const words = fc.array(fc.stringMatching(/^[a-z]{1,5}$/));
fc.assert(
  fc.property(words, fc.integer({ min: 5, max: 20 }), (list, width) => {
    const lines = wrapText(list.join(" "), width);
    expect(lines.flatMap((line) => line.split(" "))).toEqual(list);
    lines.slice(1).forEach((line, index) => {
      const longer = (lines[index] ?? "").length + 1 + (line.split(" ")[0] ?? "").length;
      expect(longer).toBeGreaterThan(width);
    });
  }),
);

// C2: white space of any kind parts words
expect(wrapText("  one \n\t two  ", 10)).toEqual(["one two"]);

// C3: long words are cut
expect(wrapText("abcdefgh", 3)).toEqual(["abc", "def", "gh"]);
expect(wrapText("x abcdef y", 5)).toEqual(["x", "abcde", "f y"]);
expect(wrapText("abcdef", 3)).toEqual(["abc", "def"]);

// C4: without words there are no lines
expect(wrapText("", 5)).toEqual([]);
expect(wrapText(" \n ", 5)).toEqual([]);

// C5: what is no width is refused
for (const width of [0, -1, 2.5, Number.NaN]) {
  expect(() => wrapText("one", width)).toThrow(BadWidth);
  expect(() => wrapText("", width)).toThrow("no width: " + width);
}
`,
  wrongTests: `
// C3: a long word stands on a line of its own
expect(wrapText("abcdefgh", 3)).toEqual(["abcdefgh"]);

// C4: an empty text is one empty line
expect(wrapText("", 5)).toEqual([""]);

// C1: the blank at the end counts
expect(wrapText("one two", 7)).toEqual(["one", "two"]);
`,
  omissions: String.raw`
// C1: wrong-boundary
-     if (lines.length > 0 && longer.length <= width) lines.splice(-1, 1, longer);
+     if (lines.length > 0 && longer.length < width) lines.splice(-1, 1, longer);
// C3: missing-edge-case
-   const words = text.split(/\s+/).flatMap((word) => piecesOf(word, width));
+   const words = text.split(/\s+/).filter((word) => word !== "");
// C2: ignored-constraint
-   const words = text.split(/\s+/).flatMap((word) => piecesOf(word, width));
+   const words = text.split(" ").flatMap((word) => piecesOf(word, width));
// C5: missing-error-surface
-   if (!Number.isInteger(width) || width < 1) throw new BadWidth("no width: " + width);
+   if (Number.isNaN(width)) throw new BadWidth("no width: " + width);
// C4: missing-edge-case
-   const count = Math.ceil(word.length / width);
+   const count = Math.max(1, Math.ceil(word.length / width));
// C1: swapped-arguments
-     const longer = [lines.at(-1), word].join(" ");
+     const longer = [word, lines.at(-1)].join(" ");
`,
  oracle: ORACLE,
});
