import { expect, test } from "vitest";
import fc from "fast-check";
import { questionTitle } from "./question-title.ts";

test("what fits stays, on one line", () => {
  expect(questionTitle(" T-1 halted:\n\tsay   what an empty title means.")).toBe(
    "T-1 halted: say what an empty title means.",
  );
});

test("what is too long ends after a word and says that there is more", () => {
  const title = questionTitle("Say what, if anything, ".repeat(30));
  expect(title.length).toBeLessThanOrEqual(300);
  expect(title).toMatch(/(what|if|anything|Say) …$/);
});

test("one endless word is cut, and no character in two", () => {
  expect(questionTitle("x".repeat(900))).toBe(`${"x".repeat(298)} …`);
  expect(questionTitle("😀".repeat(900)).isWellFormed()).toBe(true);
});

test("whatever somebody wrote becomes one well-formed line of at most 300", () => {
  const text = fc.array(fc.constantFrom("a", "\n", " ", "\uD83D", "\uDE00", "😀", "word, "), {
    maxLength: 400,
  });
  expect(() => fc.assert(fc.property(text, isFit))).not.toThrow();
});

function isFit(parts: string[]): boolean {
  const title = questionTitle(parts.join(""));
  const again = questionTitle(title);
  return title.length <= 300 && !/[\n\r\t]/.test(title) && title.isWellFormed() && again === title;
}
