// The hidden oracle of unique-slugs: other inputs than a worker sees, and what holds for all of them.
export const ORACLE = `
// one title at a time
for (const [title, slug] of [["Über uns", "ber-uns"], ["C++ & C#", "c-c"], ["100%", "100"], ["__a__b__", "a-b"], ["***", "untitled"], ["Untitled", "untitled"]] as const) {
  expect(uniqueSlugs([title])).toEqual([slug]);
}

// several of the same
expect(uniqueSlugs(["x", "x", "x", "x"])).toEqual(["x", "x-2", "x-3", "x-4"]);
expect(uniqueSlugs(["x 2", "x", "X", "x-3", "x"])).toEqual(["x-2", "x", "x-3", "x-3-2", "x-4"]);
expect(uniqueSlugs(["untitled", ""])).toEqual(["untitled", "untitled-2"]);

// what comes later changes nothing before it
fc.assert(
  fc.property(fc.array(fc.string({ maxLength: 4 })), fc.array(fc.string({ maxLength: 4 })), (one, other) => {
    const all = uniqueSlugs([...one, ...other]);
    expect(all.slice(0, one.length)).toEqual(uniqueSlugs(one));
    expect(new Set(all).size).toBe(one.length + other.length);
    expect(all.every((slug) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug))).toBe(true);
  }),
);

// the lowest number that is free
fc.assert(
  fc.property(fc.integer({ min: 2, max: 9 }), fc.integer({ min: 1, max: 9 }), (held, count) => {
    const titles = ["k " + held, ...Array.from({ length: count }, () => "k")];
    const expected = ["k", ...Array.from({ length: 10 }, (_, index) => "k-" + (index + 2))].filter((slug) => slug !== "k-" + held);
    expect(uniqueSlugs(titles)).toEqual(["k-" + held, ...expected.slice(0, count)]);
  }),
);
`;
