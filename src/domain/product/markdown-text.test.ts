import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anchorOf, blockText, cellText, inlineText, labelText } from "./markdown-text.ts";

describe("inlineText", () => {
  it.each([
    "ordinary text, with *emphasis*, `code` and snake_case",
    "`Map<string, number>` is code",
    "a < b && c > d",
    "string[] or [x]",
    "C:\\dir and \\d+",
    "issue #12",
    "**bold** first",
    "see https://example.org/a?b=c",
  ])("leaves %j as it is", (text) => expect(inlineText(text)).toBe(text));

  it.each([
    ["two\nlines\r\n  and\ttabs", "two lines and tabs"],
    ["# heading", "\\# heading"],
    ["> quote", "\\> quote"],
    ["- entry", "\\- entry"],
    ["12. entry", "12\\. entry"],
    ["3) entry", "3\\) entry"],
    ["---", "\\---"],
    ["===", "\\==="],
    ["|---|---|", "\\|---|---|"],
    ["~~~", "\\~~~"],
    ["```js", "\\`\\`\\`js"],
    ["one ` tick", "one \\` tick"],
    ["`` a ` b ``", "`` a ` b ``"],
    ["<script>alert(1)</script>", "&lt;script>alert(1)&lt;/script>"],
    ["<!-- hidden -->", "&lt;!-- hidden -->"],
    ["Map<string>", "Map&lt;string>"],
    ["&lt;b&gt; &#35;", "&amp;lt;b&amp;gt; &amp;#35;"],
    ["[a](http://evil)", "[a\\](http://evil)"],
    ["![a](http://evil)", "![a\\](http://evil)"],
    ["[a]: http://evil", "[a\\]: http://evil"],
    ["\\`<b>`", "\\\\`<b>`"],
    ["\\*", "\\\\*"],
    ["ends with \\", "ends with \\\\"],
    ["http://a.b`<b>`", "http://a.b\\`&lt;b>\\`"],
  ])("writes %j as %j", (text, expected) => expect(inlineText(text)).toBe(expected));
});

describe("labelText", () => {
  it("escapes every bracket outside code", () => {
    expect(labelText("a[0] `b[0]` ](x)")).toBe("a\\[0\\] `b[0]` \\](x)");
  });
});

describe("cellText", () => {
  it.each([
    ["a | b", "a \\| b"],
    ["`string | null`", "`string \\| null`"],
    ["a \\| b", "a \\\\\\| b"],
    ["`a\\|b`", "\\`a\\\\\\|b\\`"],
    ["first\nsecond", "first second"],
    ["- entry", "- entry"],
  ])("writes %j as %j", (text, expected) => expect(cellText(text)).toBe(expected));

  it("never leaves a pipe that would end the cell", () => {
    const text = fc.string({ unit: fc.constantFrom("|", "\\", "`", "a", " ", "\n") });
    fc.assert(
      fc.property(text, (nasty) => {
        // A row is scanned from the left: a backslash takes the next character with it, a bare pipe ends the cell.
        const bare = cellText(nasty).replaceAll(/\\[\\|`]/g, "");
        expect(bare).not.toContain("|");
        expect(bare).not.toContain("\n");
      }),
      { numRuns: 1000 },
    );
  });
});

describe("blockText", () => {
  it("keeps paragraphs and lists, and takes the rest for text", () => {
    expect(
      blockText("\nFirst\nline\n\n- one\n2. two\n  * three\n# no\n- # no\n- \n\u2028> no\n    code\n"),
    ).toBe("First\nline\n\n- one\n2. two\n* three\n\\# no\n- \\# no\n\\-\n\n\\> no\ncode");
  });
});

describe("anchorOf", () => {
  it.each([
    ["Task: Slugify a title (TSK-001)", "task-slugify-a-title-tsk-001"],
    ["Story: DB & Cache (STR-001)", "story-db--cache-str-001"],
    ["Epic: Été `x_y`\n(EPC-001)", "epic-été-x_y-epc-001"],
  ])("turns %j into %s", (heading, anchor) => expect(anchorOf(heading)).toBe(anchor));
});
