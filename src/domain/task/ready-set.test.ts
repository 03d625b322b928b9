// The ordered set of ready tasks against a plain sorted set.
import fc from "fast-check";
import { expect, test } from "vitest";
import { ReadySet } from "./ready-set.ts";

test("any sequence of additions and deletions leaves the same smallest members as a sorted set", () => {
  // The edges of words and levels are where a bit tree goes wrong.
  const members = fc.oneof(
    fc.nat(70),
    fc.constantFrom(31, 32, 33, 1023, 1024, 1025, 32_767, 32_768, 40_000, 1_048_576),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), members), { maxLength: 80 }), fc.nat(10), (steps, count) => {
      const set = new ReadySet();
      const naive = new Set<number>();
      for (const [add, member] of steps) {
        if (add) {
          set.add(member);
          naive.add(member);
        } else {
          set.delete(member);
          naive.delete(member);
        }
        expect(set.first(count)).toEqual([...naive].toSorted((a, b) => a - b).slice(0, count));
      }
    }),
  );
});
