// Builtin task: which accesses a cache of limited size answers.
import { builtinTask } from "../builtin-task.ts";
import { ORACLE } from "../oracles/lru-hits.ts";

export const LRU_HITS = builtinTask({
  id: "lru-hits",
  area: "data structures",
  title: "Hits of a small cache",
  purpose: "Says of each access to a cache of limited size whether the key was in it.",
  tags: ["cache", "recency"],
  entries: [
    {
      entry: "lruHits",
      signature: "(capacity: number, keys: readonly string[]) => boolean[]",
      inputs: [
        {
          name: "capacity",
          type: "number",
          constraint: "is a whole number of at least 1",
          requires: "Number.isInteger(args[0]) && args[0] >= 1",
        },
        { name: "keys", type: "readonly string[]" },
      ],
      output: {
        name: "hits",
        type: "boolean[]",
        invariants: [
          {
            invariant: "has one answer for each access, and none is a hit that is the first of its key",
            ensures:
              "result.length === args[1].length && args[1].every((key, at) => args[1].indexOf(key) < at || result[at] === false)",
          },
        ],
      },
      errors: [
        {
          name: "BadCapacity",
          when: "the capacity is none",
          says: "no capacity: ",
        },
      ],
      examples: [
        { title: "a key that comes again", args: ["2", '["a", "b", "a"]'], gives: "[false, false, true]" },
        { title: "no accesses", args: ["1", "[]"], gives: "[]" },
        { title: "no room at all", args: ["0", "[]"], throws: "BadCapacity: no capacity: 0" },
      ],
    },
  ],
  constraints: {
    C1: "An access is a hit when its key is in the cache; a key that is not there is put in.",
    C2: "When the cache is full, the key whose last access is longest ago makes room.",
    C3: "A hit counts as an access: it makes its key the most recent one.",
    C4: "The cache holds exactly `capacity` keys before one makes room.",
    C5: "A capacity that is not a whole number of at least 1 throws BadCapacity: `no capacity: ` and the capacity.",
  },
  source: `/** Thrown when a cache could hold nothing. */
export class BadCapacity extends Error {}

/** For each access in turn whether a cache of that capacity has its key. */
export function lruHits(capacity: number, keys: readonly string[]): boolean[] {
  if (!Number.isInteger(capacity) || capacity < 1) throw new BadCapacity("no capacity: " + capacity);
  const held: string[] = [];
  return keys.map((key) => {
    const at = held.indexOf(key);
    const isHit = at !== -1;
    if (isHit) held.splice(at, 1);
    else if (held.length === capacity) held.shift();
    held.push(key);
    return isHit;
  });
}
`,
  tests: `
// C1: a key is a hit when it comes again
expect(lruHits(3, ["a", "b", "a", "c", "b"])).toEqual([false, false, true, false, true]);
expect(lruHits(1, ["a", "a"])).toEqual([false, true]);
expect(lruHits(1, [])).toEqual([]);

// C1: a cache with room for all misses each key once
fc.assert(
  fc.property(fc.array(fc.constantFrom("a", "b", "c", "d")), (keys) => {
    expect(lruHits(4, keys)).toEqual(keys.map((key, index) => keys.indexOf(key) < index));
  }),
);

// C2: the key that was not used for longest makes room
expect(lruHits(2, ["a", "b", "c", "b", "a"])).toEqual([false, false, false, true, false]);

// C3: a hit makes its key the most recent one
expect(lruHits(2, ["a", "b", "a", "c", "a", "b"])).toEqual([false, false, true, false, true, false]);

// C4: the cache holds as many keys as its capacity
expect(lruHits(3, ["a", "b", "c", "a"])).toEqual([false, false, false, true]);
expect(lruHits(3, ["a", "b", "c", "d", "a"])).toEqual([false, false, false, false, false]);

// C5: what is no capacity is refused
for (const capacity of [0, -1, 1.5, Number.NaN]) {
  expect(() => lruHits(capacity, ["a"])).toThrow(BadCapacity);
  expect(() => lruHits(capacity, [])).toThrow("no capacity: " + capacity);
}
`,
  wrongTests: `
// C3: the oldest key makes room, although it was used again
expect(lruHits(2, ["a", "b", "a", "c", "a"])).toEqual([false, false, true, false, false]);

// C5: a cache of no capacity never has a key
expect(lruHits(0, ["a", "a"])).toEqual([false, false]);
`,
  omissions: `
// C3: ignored-constraint
-     if (isHit) held.splice(at, 1);
+     if (isHit) return isHit;
// C4: wrong-boundary
-     else if (held.length === capacity) held.shift();
+     else if (held.length === capacity + 1) held.shift();
// C2: missing-edge-case
-     else if (held.length === capacity) held.shift();
+     else if (held.length === capacity) held.pop();
// C5: missing-error-surface
-   if (!Number.isInteger(capacity) || capacity < 1) throw new BadCapacity("no capacity: " + capacity);
+   if (!Number.isInteger(capacity)) throw new BadCapacity("no capacity: " + capacity);
// C5: wrong-boundary
-   if (!Number.isInteger(capacity) || capacity < 1) throw new BadCapacity("no capacity: " + capacity);
+   if (!Number.isInteger(capacity) || capacity < 0) throw new BadCapacity("no capacity: " + capacity);
// C5: missing-edge-case
-   if (!Number.isInteger(capacity) || capacity < 1) throw new BadCapacity("no capacity: " + capacity);
+   if (capacity < 1) throw new BadCapacity("no capacity: " + capacity);
// C3: swapped-arguments
-     if (isHit) held.splice(at, 1);
+     if (isHit) held.splice(1, at);
`,
  oracle: ORACLE,
});
