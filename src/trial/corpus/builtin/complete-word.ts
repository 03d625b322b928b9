// Builtin task: offers the words that begin as somebody has begun to type.
import { builtinTask } from "../builtin-task.ts";
import { ORACLE } from "../oracles/complete-word.ts";

const ENTRIES = '[{ word: "Tea", uses: 2 }, { word: "table", uses: 5 }, { word: "oven", uses: 9 }]';

export const COMPLETE_WORD = builtinTask({
  id: "complete-word",
  area: "data structures",
  title: "Offer words for a beginning",
  purpose: "Offers the words that begin with what was typed, those that are used most first.",
  tags: ["prefix", "search"],
  entries: [
    {
      entry: "completeWord",
      signature:
        "(words: readonly { word: string; uses: number }[], typed: string, limit: number) => string[]",
      inputs: [
        { name: "words", type: "readonly { word: string; uses: number }[]" },
        { name: "typed", type: "string" },
        {
          name: "limit",
          type: "number",
          constraint: "is a whole number of at least 1",
          requires: "Number.isInteger(args[2]) && args[2] >= 1",
        },
      ],
      output: {
        name: "offers",
        type: "string[]",
        invariants: [
          {
            invariant: "has at most as many as the limit, each with that beginning",
            ensures:
              "result.length <= args[2] && result.every((word) => word.toLowerCase().startsWith(args[1].toLowerCase()))",
          },
        ],
      },
      errors: [{ name: "BadLimit", when: "the limit is none", says: "no limit: " }],
      examples: [
        { title: "two words", args: [ENTRIES, '"t"', "3"], gives: '["table", "Tea"]' },
        { title: "nothing typed", args: ['[{ word: "b", uses: 1 }]', '""', "1"], gives: '["b"]' },
        { title: "no limit", args: ["[]", '"t"', "0"], throws: "BadLimit: no limit: 0" },
      ],
    },
  ],
  constraints: {
    C1: "A word is offered when it begins with what was typed, whatever the case of either; it is given as it is written.",
    C2: "Words that are used more come first.",
    C3: "Words that are used equally often come in the order of their text, as `<` compares it.",
    C4: "At most `limit` words are offered: the first ones in that order.",
    C5: "Where nothing was typed, every word is offered.",
    C6: "A limit that is not a whole number of at least 1 throws BadLimit: `no limit: ` and the limit.",
  },
  source: `/** Thrown when nothing could be offered. */
export class BadLimit extends Error {}

/** Words that begin as typed, the most used first. */
export function completeWord(
  words: readonly { word: string; uses: number }[],
  typed: string,
  limit: number,
): string[] {
  if (!Number.isInteger(limit) || limit < 1) throw new BadLimit("no limit: " + limit);
  const beginning = typed.toLowerCase();
  return words
    .filter(({ word }) => word.toLowerCase().startsWith(beginning))
    .toSorted((one, other) => other.uses - one.uses || (one.word < other.word ? -1 : 1))
    .slice(0, limit)
    .map(({ word }) => word);
}
`,
  tests: `
// C1: words with that beginning are offered as they are written
const words = [{ word: "Oven", uses: 3 }, { word: "over", uses: 2 }, { word: "cover", uses: 1 }];
expect(completeWord(words, "ov", 9)).toEqual(["Oven", "over"]);
expect(completeWord(words, "OVE", 9)).toEqual(["Oven", "over"]);
expect(completeWord(words, "x", 9)).toEqual([]);

// C1: just the words with that beginning are offered
const word = fc.stringMatching(/^[abAB]{1,4}$/);
fc.assert(
  fc.property(fc.uniqueArray(word), fc.stringMatching(/^[abAB]{0,2}$/), (list, typed) => {
    const offers = completeWord(list.map((each) => ({ word: each, uses: 1 })), typed, 99);
    const expected = list.filter((each) => each.toLowerCase().startsWith(typed.toLowerCase()));
    expect(offers).toEqual(expected.toSorted());
  }),
);

// C2: what is used more comes first
const words = [{ word: "a1", uses: 1 }, { word: "a3", uses: 30 }, { word: "a2", uses: 4 }];
expect(completeWord(words, "a", 9)).toEqual(["a3", "a2", "a1"]);

// C3: equally used words come in the order of their text
const words = [{ word: "ac", uses: 1 }, { word: "aB", uses: 1 }, { word: "ab", uses: 1 }, { word: "az", uses: 2 }];
expect(completeWord(words, "a", 9)).toEqual(["az", "aB", "ab", "ac"]);

// C4: no more than the limit, the first ones
const words = [{ word: "aa", uses: 1 }, { word: "ab", uses: 2 }, { word: "ac", uses: 3 }];
expect(completeWord(words, "a", 2)).toEqual(["ac", "ab"]);
expect(completeWord(words, "a", 1)).toEqual(["ac"]);

// C5: nothing typed offers everything
expect(completeWord([{ word: "b", uses: 1 }, { word: "a", uses: 1 }], "", 5)).toEqual(["a", "b"]);

// C6: what is no limit is refused
for (const limit of [0, -1, 2.5, Number.NaN]) {
  expect(() => completeWord([], "", limit)).toThrow(BadLimit);
  expect(() => completeWord([], "a", limit)).toThrow("no limit: " + limit);
}
`,
  wrongTests: `
// C1: the case of what was typed matters
expect(completeWord([{ word: "oven", uses: 1 }], "O", 5)).toEqual([]);

// C3: equally used words keep their order
expect(completeWord([{ word: "b", uses: 1 }, { word: "a", uses: 1 }], "", 5)).toEqual(["b", "a"]);
`,
  omissions: `
// C1: missing-edge-case
-   const beginning = typed.toLowerCase();
+   const beginning = typed;
// C3: ignored-constraint
-     .toSorted((one, other) => other.uses - one.uses || (one.word < other.word ? -1 : 1))
+     .toSorted((one, other) => other.uses - one.uses)
// C2: swapped-arguments
-     .toSorted((one, other) => other.uses - one.uses || (one.word < other.word ? -1 : 1))
+     .toSorted((one, other) => one.uses - other.uses || (one.word < other.word ? -1 : 1))
// C4: wrong-boundary
-     .slice(0, limit)
+     .slice(0, limit + 1)
// C6: missing-error-surface
-   if (!Number.isInteger(limit) || limit < 1) throw new BadLimit("no limit: " + limit);
+   if (limit < 0) throw new BadLimit("no limit: " + limit);
// C6: wrong-boundary
-   if (!Number.isInteger(limit) || limit < 1) throw new BadLimit("no limit: " + limit);
+   if (!Number.isInteger(limit) || limit < 0) throw new BadLimit("no limit: " + limit);
// C1: ignored-constraint
-     .filter(({ word }) => word.toLowerCase().startsWith(beginning))
+     .filter(({ word }) => word.toLowerCase().includes(beginning))
`,
  oracle: ORACLE,
});
