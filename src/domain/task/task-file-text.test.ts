import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decode, encodeBlock, encodeLine } from "./task-file-text.ts";

describe("encodeBlock", () => {
  it.each([
    "Returns `a | b` for **every** input, see issue #12",
    "C:\\dir, /\\.ts$/, \\d+ and \\\\",
    "- a list\n- in the text\n\n1. and another\n  * nested",
    "a < b && c & d; Map<string, number>",
    "```py\n# a comment in code\n<b>\n---\n```",
    "~~~~\n```\n# still code\n~~~\n~~~~\nafter",
    "```a```\ntext",
    "#hashtag",
    "naïve 日本語 🎉 — all of it",
    "a\tb",
  ])("leaves ordinary text alone: %j", (text) => {
    expect(encodeBlock(text)).toBe(text);
  });

  it.each([
    ["## Context", "&#35;# Context"],
    ["a\n   # b", "a\n   &#35; b"],
    ["#", "&#35;"],
    ["Title\n---", "Title\n&#45;--"],
    ["Title\n==", "Title\n&#61;="],
    ["<details>", "&#60;details>"],
    ["- **Inputs:** x", "&#45; **Inputs:** x"],
    ["```\nnever closed\n# x", "&#96;``\nnever closed\n&#35; x"],
    ["```\n## x\n- **y\n```", "```\n&#35;# x\n&#45; **y\n```"],
    ["~~~\n# x\n```", "&#126;~~\n&#35; x\n&#96;``"],
    ["````\n# x\n```", "&#96;```\n&#35; x\n&#96;``"],
    ["```\n# x\n```\n# y", "```\n# x\n```\n&#35; y"],
    [" a ", "&#32;a&#32;"],
    ["a \nb", "a&#32;\nb"],
    ["a\n \nb", "a\n&#32;\nb"],
    ["\n\na\n", "&#10;&#10;a&#10;"],
    ["a\r\nb", "a&#13;\nb"],
    ["\u00a0a", "&#160;a"],
    ["a\u2028b\u0000\ud800", "a&#8232;b&#0;&#55296;"],
    ["&#35;", "&#38;#35;"],
    ["&#35", "&#35"],
  ])("writes %j as %j", (text, written) => {
    expect(encodeBlock(text)).toBe(written);
  });

  it("indents all lines but the first and the empty ones", () => {
    expect(encodeBlock("a\n\nb\n c", "  ")).toBe("a\n\n  b\n   c");
  });
});

describe("encodeLine", () => {
  it("keeps everything on one line", () => {
    expect(encodeLine("# a\nb")).toBe("# a&#10;b");
  });
});

describe("decode", () => {
  it("leaves alone what no character has", () => {
    expect(decode("&#65536; &#99999; &#x23; &amp; &#123456;")).toBe(
      "&#65536; &#99999; &#x23; &amp; &#123456;",
    );
  });

  const nasty = fc.oneof(
    fc.string({
      unit: fc.constantFrom("&", "#", "3", "5", ";", "\n", " ", "-", "*", "\r", "\ud83c", "\udf89", "`", "<"),
    }),
    fc.string({ unit: "binary" }),
  );

  it("undoes both encodings", () => {
    fc.assert(
      fc.property(nasty, (text) => {
        expect(decode(encodeLine(text))).toBe(text);
        expect(decode(encodeBlock(text))).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });

  it("finds neither raw white space at the ends nor a raw carriage return in what was encoded", () => {
    fc.assert(
      fc.property(nasty, (text) => {
        expect(encodeBlock(text)).not.toMatch(/^\s|\s$|[^\S\n]\n|\r/);
        expect(encodeLine(text)).not.toContain("\n");
      }),
    );
  });
});
