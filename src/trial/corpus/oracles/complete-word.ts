// The hidden oracle of complete-word: other inputs than a worker sees, and what holds for all of them.
export const ORACLE = `
// beginnings in any case
const words = [{ word: "Salt", uses: 2 }, { word: "salad", uses: 2 }, { word: "SAGE", uses: 7 }, { word: "basalt", uses: 99 }];
expect(completeWord(words, "sa", 10)).toEqual(["SAGE", "Salt", "salad"]);
expect(completeWord(words, "SAL", 10)).toEqual(["Salt", "salad"]);
expect(completeWord(words, "salt and", 10)).toEqual([]);

// limits
const words = [{ word: "k3", uses: 1 }, { word: "k1", uses: 1 }, { word: "k2", uses: 8 }];
expect(completeWord(words, "k", 1)).toEqual(["k2"]);
expect(completeWord(words, "", 2)).toEqual(["k2", "k1"]);
expect(completeWord(words, "k", 3)).toEqual(["k2", "k1", "k3"]);

// more uses never come later
const entry = fc.record({ word: fc.stringMatching(/^[a-c]{1,5}$/), uses: fc.nat(5) });
fc.assert(
  fc.property(fc.uniqueArray(entry, { selector: ({ word }) => word }), fc.integer({ min: 1, max: 6 }), (words, limit) => {
    const usesOf = (word: string) => words.find((each) => each.word === word)?.uses ?? -1;
    const offers = completeWord(words, "a", limit);
    const all = words.filter(({ word }) => word.startsWith("a"));
    expect(offers.length).toBe(Math.min(limit, all.length));
    const ranks = offers.map((word) => String(9 - usesOf(word)) + word);
    expect(ranks).toEqual(ranks.toSorted());
  }),
);

// no limit
for (const limit of [0, -2, 1.1, Number.NaN]) {
  expect(() => completeWord([{ word: "a", uses: 1 }], "a", limit)).toThrow(BadLimit);
  expect(() => completeWord([], "", limit)).toThrow("no limit: " + limit);
}
`;
