// Builtin task: how many lines of a network lead from one stop to another.
import { builtinTask } from "../builtin-task.ts";
import { ORACLE } from "../oracles/fewest-hops.ts";

export const FEWEST_HOPS = builtinTask({
  id: "fewest-hops",
  area: "small algorithms",
  title: "The fewest hops",
  purpose: "Finds how many hops it takes at least from one stop of a network to another.",
  tags: ["network", "shortest"],
  entries: [
    {
      entry: "fewestHops",
      signature: "(links: readonly (readonly [string, string])[], from: string, to: string) => number",
      inputs: [
        { name: "links", type: "readonly (readonly [string, string])[]" },
        {
          name: "from",
          type: "string",
          constraint: "is a stop of the network",
          requires: "args[0].flat().includes(args[1])",
        },
        {
          name: "to",
          type: "string",
          constraint: "is a stop of the network",
          requires: "args[0].flat().includes(args[2])",
        },
      ],
      output: {
        name: "hops",
        type: "number",
        invariants: [
          {
            invariant: "is 0 for the same stop, else from 1 to the number of links",
            ensures:
              "Number.isInteger(result) && (args[1] === args[2] ? result === 0 : result >= 1 && result <= args[0].length)",
          },
        ],
      },
      errors: [
        {
          name: "UnknownStop",
          when: "a stop is not in the network",
          says: "no stop ",
        },
        { name: "NoRoute", when: "no links lead there", says: "no route " },
      ],
      examples: [
        { title: "two hops", args: ['[["a", "b"], ["b", "c"]]', '"a"', '"c"'], gives: "2" },
        { title: "the same stop", args: ['[["a", "b"]]', '"b"', '"b"'], gives: "0" },
        { title: "an unknown stop", args: ['[["a", "b"]]', '"a"', '"x"'], throws: "UnknownStop: no stop x" },
        {
          title: "two islands",
          args: ['[["a", "b"], ["c", "d"]]', '"a"', '"d"'],
          throws: "NoRoute: no route from a to d",
        },
      ],
    },
  ],
  constraints: {
    C1: "A link joins two stops; the fewest links that lead from one stop to the other are counted.",
    C2: "Links can be used in both directions.",
    C3: "From a stop to itself it is 0 hops.",
    C4: "Circles, links of a stop with itself and links that come twice do no harm.",
    C5: "A stop that no link has throws UnknownStop: `no stop ` and it; the first one is looked at first.",
    C6: "Where no links lead there it throws NoRoute: `no route from `, the first stop, ` to ` and the other.",
  },
  source: `/** Thrown when a stop is not in the network. */
export class UnknownStop extends Error {}

/** Thrown when no links lead there. */
export class NoRoute extends Error {}

/** The fewest links that lead from one stop to another. */
export function fewestHops(links: readonly (readonly [string, string])[], from: string, to: string): number {
  for (const stop of [from, to]) {
    if (!links.flat().includes(stop)) throw new UnknownStop("no stop " + stop);
  }
  const hops = new Map([[from, 0]]);
  for (const [stop, count] of hops) {
    if (stop === to) return count;
    for (const next of neighbours(links, stop)) {
      if (!hops.has(next)) hops.set(next, count + 1);
    }
  }
  throw new NoRoute("no route from " + from + " to " + to);
}

function neighbours(links: readonly (readonly [string, string])[], stop: string): string[] {
  return links.filter((link) => link.includes(stop)).flat();
}
`,
  tests: `
// C1: the fewest links count
const links = [["a", "b"], ["b", "c"], ["c", "d"], ["a", "d"]] as const;
expect(fewestHops(links, "a", "b")).toBe(1);
expect(fewestHops(links, "a", "c")).toBe(2);
expect(fewestHops(links, "a", "d")).toBe(1);

// C1: along a line it is the distance
fc.assert(
  fc.property(fc.integer({ min: 1, max: 15 }), fc.nat(15), fc.nat(15), (length, one, other) => {
    const links = Array.from({ length }, (_, index): [string, string] => ["s" + index, "s" + (index + 1)]);
    const [from, to] = [Math.min(one, length), Math.min(other, length)];
    expect(fewestHops(links, "s" + from, "s" + to)).toBe(Math.abs(from - to));
  }),
);

// C2: links lead both ways
expect(fewestHops([["b", "a"], ["b", "c"]], "a", "c")).toBe(2);
expect(fewestHops([["a", "b"]], "b", "a")).toBe(1);

// C3: a stop is 0 hops from itself
expect(fewestHops([["a", "b"]], "b", "b")).toBe(0);

// C4: circles and repeated links do no harm
const links = [["a", "a"], ["a", "b"], ["b", "a"], ["b", "c"], ["c", "a"], ["c", "d"], ["c", "d"]] as const;
expect(fewestHops(links, "a", "d")).toBe(2);
expect(fewestHops(links, "a", "c")).toBe(1);

// C5: an unknown stop is told
expect(() => fewestHops([["a", "b"]], "x", "a")).toThrow(UnknownStop);
expect(() => fewestHops([["a", "b"]], "a", "y")).toThrow("no stop y");
expect(() => fewestHops([["a", "b"]], "x", "y")).toThrow("no stop x");
expect(() => fewestHops([], "a", "a")).toThrow(UnknownStop);

// C6: where nothing leads is told
expect(() => fewestHops([["a", "b"], ["c", "d"]], "a", "c")).toThrow(NoRoute);
expect(() => fewestHops([["a", "a"], ["b", "a"], ["c", "c"]], "b", "c")).toThrow("no route from b to c");
`,
  wrongTests: `
// C2: links lead one way only
expect(() => fewestHops([["a", "b"]], "b", "a")).toThrow(NoRoute);

// C1: stops are counted, not links
expect(fewestHops([["a", "b"], ["b", "c"]], "a", "c")).toBe(3);

// C6: where nothing leads it is -1
expect(fewestHops([["a", "b"], ["c", "d"]], "a", "d")).toBe(-1);
`,
  omissions: `
// C2: ignored-constraint
-   return links.filter((link) => link.includes(stop)).flat();
+   return links.filter((link) => link[0] === stop).flat();
// C4: missing-edge-case
-       if (!hops.has(next)) hops.set(next, count + 1);
+       if (!hops.has(next) || next === to) hops.set(next, count + 1);
// C5: missing-error-surface
-   for (const stop of [from, to]) {
+   for (const stop of [from]) {
// C1: wrong-boundary
-       if (!hops.has(next)) hops.set(next, count + 1);
+       if (!hops.has(next)) hops.set(next, count + 2);
// C6: swapped-arguments
-   throw new NoRoute("no route from " + from + " to " + to);
+   throw new NoRoute("no route from " + to + " to " + from);
// C3: missing-edge-case
-   const hops = new Map([[from, 0]]);
+   const hops = new Map([[from, from === to ? 1 : 0]]);
// C6: missing-error-surface
-   throw new NoRoute("no route from " + from + " to " + to);
+   if (links.length === 0) throw new NoRoute("no route from " + from + " to " + to);
+   return 0;
`,
  oracle: ORACLE,
});
