// The hidden oracle of fewest-hops: other inputs than a worker sees, and what holds for all of them.
export const ORACLE = `
// small networks
const ring = ["ab", "bc", "cd", "de", "ea"].map((pair): [string, string] => [pair.charAt(0), pair.charAt(1)]);
for (const [from, to, hops] of [["a", "b", 1], ["a", "c", 2], ["a", "d", 2], ["e", "b", 2], ["c", "c", 0], ["d", "a", 2]] as const) {
  expect(fewestHops(ring, from, to)).toBe(hops);
}
expect(fewestHops([...ring, ["a", "c"], ["c", "a"], ["b", "b"]], "a", "d")).toBe(2);

// it is the same there and back, and no detour is shorter
const stop = fc.constantFrom("p", "q", "r", "s", "t", "u");
fc.assert(
  fc.property(fc.array(fc.tuple(stop, stop), { minLength: 1, maxLength: 12 }), fc.nat(), fc.nat(), (links, one, other) => {
    const stops = links.flat();
    const [from, to] = [stops[one % stops.length] ?? "", stops[other % stops.length] ?? ""];
    let reached = [from];
    let hops = 0;
    while (!reached.includes(to) && hops < 10) {
      reached = [...new Set([...reached, ...links.filter((link) => link.some((each) => reached.includes(each))).flat()])];
      hops += 1;
    }
    if (hops === 10) expect(() => fewestHops(links, from, to)).toThrow(NoRoute);
    else expect(fewestHops(links, from, to)).toBe(hops);
  }),
);

// unknown stops and islands
expect(() => fewestHops([["m", "n"]], "m", "z")).toThrow(UnknownStop);
expect(() => fewestHops([["m", "n"]], "k", "z")).toThrow("no stop k");
expect(() => fewestHops([["m", "n"], ["o", "o"]], "n", "o")).toThrow(NoRoute);
expect(() => fewestHops([["m", "n"], ["o", "o"]], "n", "o")).toThrow("no route from n to o");
`;
