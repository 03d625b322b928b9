// Words about code get through to those who are blind to it; its lines do not, however they are laid out.
import { describe, expect, test } from "vitest";
import { withoutCode } from "./without-code.ts";

const GIVEN = {
  "src/index.ts": 'export function cents(text: string): number {\n  throw new Error("stub");\n}\n',
};
const CODE = {
  "src/index.ts": `export function cents(text: string): number {
  const parts = /^(\\d+)[.](\\d\\d)$/.exec(text);
  if (parts === null) return 0;
  return Number(parts[1]) * 100 + Number(parts[2]);
}
`,
};

function told(text: string): string {
  return withoutCode(text, CODE, GIVEN);
}

describe("is not told", () => {
  test.each([
    [
      "a line",
      "The code says `if (parts === null) return 0;` and no test",
      "The code says `(a line of the code)` and no test",
    ],
    [
      "a line without its end",
      "see Number(parts[1]) * 100: return Number(parts[1]) * 100 + Number(parts[2])",
      "see Number(parts[1]) * 100: (a line of the code)",
    ],
    ["a line in another layout", "if(parts===null)\n  return 0", "(a line of the code)"],
    [
      "the whole of it",
      Object.values(CODE).join(""),
      "export function cents(text: string): number {\n  (a line of the code)\n  (a line of the code)\n  (a line of the code)\n}\n",
    ],
  ])("%s", (_, text, words) => {
    expect(told(text)).toBe(words);
  });
});

describe("is told", () => {
  test.each([
    "No test gives a text that is no amount, such as 12,30.",
    'What has no cents is 0, and nobody asks for it: write cents("x") and expect 0.',
    "export function cents(text: string): number {",
    "The comparison with null is never tried; parts may be null.",
  ])("%s", (text) => {
    expect(told(text)).toBe(text);
  });
});
