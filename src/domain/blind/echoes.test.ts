// Nothing passes between two blind agents that both did not have already.
import fc from "fast-check";
import { expect, test } from "vitest";
import { SLUG_SPEC, specOf } from "./blind.suite.ts";
import { filterEchoes } from "./echoes.ts";

const SPECS = [SLUG_SPEC, specOf("shorten")];
const words = fc.array(
  fc.oneof(fc.constantFrom("slugify", "shorten", "noSpaces", "shortenHolds"), fc.string()),
);

test("only names of the specification come through, in its order, and the rest is counted", () => {
  fc.assert(
    fc.property(words, words, (fromImpl, fromTests) => {
      const { echoes, dropped } = filterEchoes({ fromImpl, fromTests }, SPECS);
      expect(["slugify", "shorten"].filter((name) => echoes.fromImpl.includes(name))).toEqual(
        echoes.fromImpl,
      );
      expect(["noSpaces", "shortenHolds"].filter((name) => echoes.fromTests.includes(name))).toEqual(
        echoes.fromTests,
      );
      const strange = [
        ...fromImpl.filter((word) => !["slugify", "shorten"].includes(word)),
        ...fromTests.filter((word) => !["noSpaces", "shortenHolds"].includes(word)),
      ];
      expect(dropped).toBe(strange.length);
    }),
  );
});

test("the order and the number of names carry no message", () => {
  const one = filterEchoes({ fromImpl: ["shorten", "slugify", "slugify"], fromTests: [] }, SPECS);
  const other = filterEchoes({ fromImpl: ["slugify", "shorten"], fromTests: [] }, SPECS);
  expect(one.echoes).toEqual(other.echoes);
});
