// Builtin task: hides long numbers in a text.
import { builtinTask } from "../builtin-task.ts";
import { ORACLE } from "../oracles/hide-numbers.ts";

export const HIDE_NUMBERS = builtinTask({
  id: "hide-numbers",
  area: "text",
  title: "Hide long numbers",
  purpose: "Hides the digits of long numbers in a text, such as those of cards, but for the last ones.",
  tags: ["privacy", "digits"],
  entries: [
    {
      entry: "hideNumbers",
      signature: "(text: string, keep: number) => string",
      inputs: [
        { name: "text", type: "string" },
        {
          name: "keep",
          type: "number",
          constraint: "is a whole number from 0 to 4",
          requires: "Number.isInteger(args[1]) && args[1] >= 0 && args[1] <= 4",
        },
      ],
      output: {
        name: "hidden",
        type: "string",
        invariants: [
          {
            invariant: "is as long as the text and has no long number any more",
            ensures: String.raw`result.length === args[0].length && !/\d([ -]?\d){11}/.test(result)`,
          },
        ],
      },
      errors: [
        {
          name: "BadKeep",
          when: "the number of digits to keep is none",
          says: "cannot keep ",
        },
      ],
      examples: [
        { title: "a card", args: ['"card 1234 5678 9012 3456"', "4"], gives: '"card **** **** **** 3456"' },
        { title: "a short number", args: ['"12345678901"', "0"], gives: '"12345678901"' },
        { title: "too many to keep", args: ['"12"', "5"], throws: "BadKeep: cannot keep 5" },
      ],
    },
  ],
  constraints: {
    C1: "A number of at least 12 digits is hidden: each digit becomes `*`, but for the last `keep` ones.",
    C2: "Single blanks and hyphens between digits belong to the number and stay where they are.",
    C3: "Numbers of fewer than 12 digits stay, and so does all other text.",
    C4: "Every long number of a text is hidden by itself.",
    C5: "With `keep` 0 all digits of a long number are hidden.",
    C6: "A `keep` that is not a whole number from 0 to 4 throws BadKeep: `cannot keep ` and it.",
  },
  source: String.raw`/** Thrown when so many digits cannot be kept. */
export class BadKeep extends Error {}

/** The text with the digits of its long numbers hidden, but for the last ones. */
export function hideNumbers(text: string, keep: number): string {
  if (!Number.isInteger(keep) || keep < 0 || keep > 4) throw new BadKeep("cannot keep " + keep);
  return text.replaceAll(/\d(?:[ -]?\d){11,}/g, (number) => {
    const digits = number.replaceAll(/\D/g, "").length;
    let seen = 0;
    return number.replaceAll(/\d/g, (digit) => {
      seen += 1;
      return seen > digits - keep ? digit : "*";
    });
  });
}
`,
  tests: String.raw`
// C1: all digits but the last are hidden
expect(hideNumbers("123456789012", 4)).toBe("********9012");
expect(hideNumbers("no 1234567890123456.", 2)).toBe("no **************56.");

// C1: any long number keeps its last digits
fc.assert(
  fc.property(fc.stringMatching(/^[0-9]{12,20}$/), fc.integer({ min: 0, max: 4 }), (number, keep) => {
    const place = number.length - keep;
    expect(hideNumbers(number, keep)).toBe("*".repeat(place) + number.slice(place));
  }),
);

// C2: blanks and hyphens stay
expect(hideNumbers("1234 5678 9012 3456", 4)).toBe("**** **** **** 3456");
expect(hideNumbers("1-2-3-4-5-6-7-8-9-0-1-2", 1)).toBe("*-*-*-*-*-*-*-*-*-*-*-2");
expect(hideNumbers("123456  789012", 4)).toBe("123456  789012");

// C3: short numbers and other text stay
expect(hideNumbers("call 12345678901 at 8", 4)).toBe("call 12345678901 at 8");
expect(hideNumbers("", 4)).toBe("");

// C4: every long number is hidden by itself
expect(hideNumbers("111122223333, 444455556666", 3)).toBe("*********333, *********666");

// C5: nothing needs to be kept
expect(hideNumbers("123456789012", 0)).toBe("************");

// C6: what cannot be kept is refused
for (const keep of [-1, 5, 1.5, Number.NaN]) {
  expect(() => hideNumbers("123456789012", keep)).toThrow(BadKeep);
  expect(() => hideNumbers("", keep)).toThrow("cannot keep " + keep);
}
`,
  wrongTests: `
// C2: blanks are hidden as well
expect(hideNumbers("1234 5678 9012", 4)).toBe("**********9012");

// C3: short numbers are hidden as well
expect(hideNumbers("12345678", 4)).toBe("****5678");
`,
  omissions: String.raw`
// C3: wrong-boundary
-   return text.replaceAll(/\d(?:[ -]?\d){11,}/g, (number) => {
+   return text.replaceAll(/\d(?:[ -]?\d){10,}/g, (number) => {
// C2: ignored-constraint
-   return text.replaceAll(/\d(?:[ -]?\d){11,}/g, (number) => {
+   return text.replaceAll(/\d(?:[ ]?\d){11,}/g, (number) => {
// C4: missing-edge-case
-   return text.replaceAll(/\d(?:[ -]?\d){11,}/g, (number) => {
+   return text.replace(/\d(?:[ -]?\d){11,}/, (number) => {
// C1: wrong-boundary
-       return seen > digits - keep ? digit : "*";
+       return seen >= digits - keep ? digit : "*";
// C6: missing-error-surface
-   if (!Number.isInteger(keep) || keep < 0 || keep > 4) throw new BadKeep("cannot keep " + keep);
+   if (!Number.isInteger(keep) || keep < 0) throw new BadKeep("cannot keep " + keep);
// C6: missing-edge-case
-   if (!Number.isInteger(keep) || keep < 0 || keep > 4) throw new BadKeep("cannot keep " + keep);
+   if (keep < 0 || keep > 4) throw new BadKeep("cannot keep " + keep);
// C1: swapped-arguments
-       return seen > digits - keep ? digit : "*";
+       return seen > digits - keep ? "*" : digit;
`,
  oracle: ORACLE,
});
