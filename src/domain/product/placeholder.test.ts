import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPlaceholder } from "./placeholder.ts";

const PLACEHOLDERS = ["TBD", "TODO", "N/A", "NA", "n.a.", "not applicable", "to be determined"].concat([
  "to be decided",
  "to be defined",
  "-",
  "...",
  "?",
  "xxx",
  "T.B.D.",
  "TBA",
  "to do",
  "FIXME",
]);

describe("isPlaceholder", () => {
  it.each(["", " ", "\n\t", "—", "…", "???", "---", "()", "→", "🤷", ...PLACEHOLDERS])(
    "takes %j for a placeholder",
    (text) => expect(isPlaceholder(text)).toBe(true),
  );

  it.each([
    "TBD.",
    "[TBD]",
    "<todo>",
    "tbd tbd",
    "TBD/TODO",
    "  Not Applicable!  ",
    "XXXXXX",
    "to be determined later",
    "(n/a)",
    "**TBD**",
    "ＴＢＤ",
  ])("sees through the dress of %j", (text) => expect(isPlaceholder(text)).toBe(true));

  it.each([
    "a string, limits TBD",
    "TBD after the research",
    "TODO: list the errors",
    "TODO(ada) list the errors",
    "N/A (pure function)",
    "n/a because it is pure",
    "not applicable, it is pure",
  ])("refuses %j, which admits that it is unfinished", (text) => expect(isPlaceholder(text)).toBe(true));

  it.each([
    "none",
    "None.",
    "0",
    "sync",
    "x",
    "xx",
    "a list of todo items",
    "TODO | DOING | DONE",
    'returns "TBD" until the date is known',
    "returns `N/A` for a missing price",
    "Not applicable coupons are rejected",
    "the order is to be determined by the sort key",
    "na: sodium in mmol/l",
    "banana",
    "todos",
    "未定",
    "сумма",
    "tbdx",
  ])("lets %j stand", (text) => expect(isPlaceholder(text)).toBe(false));

  it("stays a placeholder whatever punctuation stands around it and however often it is repeated", () => {
    const dress = fc.string({ unit: fc.constantFrom(" ", ".", "!", "[", "]", "(", ")", "*", "/", "-") });
    const repeated = fc.array(fc.constantFrom(...PLACEHOLDERS), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(dress, repeated, dress, (before, words, after) => {
        expect(isPlaceholder(`${before}${words.join(" ")}${after}`)).toBe(true);
      }),
    );
  });

  it("answers quickly on huge text", () => {
    const started = performance.now();
    expect(isPlaceholder("tbd ".repeat(50_000))).toBe(true);
    expect(isPlaceholder(`${"to be ".repeat(50_000)}x`)).toBe(false);
    expect(isPlaceholder(`${"x".repeat(200_000)}y`)).toBe(false);
    expect(performance.now() - started).toBeLessThan(1000);
  });
});
