// The verdict follows from the worst hole, whatever the order and the rest.
import fc from "fast-check";
import { expect, test } from "vitest";
import { holeOf } from "./blind.suite.ts";
import { hardeningHints } from "./hints.ts";
import { blockingHoles, deriveTypeVerdict, hasCritical, Severity } from "./type-hole.ts";

const holes = fc.array(fc.constantFrom(...Severity.options).map((severity) => holeOf(severity)));

test.each([
  [[], "Sound"],
  [["Informational"], "MinorHoles"],
  [["Minor", "Informational"], "MinorHoles"],
  [["Minor", "Major"], "HasHoles"],
  [["Critical"], "HasHoles"],
] as const)("%j gives %s", (severities, verdict) => {
  expect(deriveTypeVerdict(severities.map((severity) => holeOf(severity)))).toBe(verdict);
});

test("a verdict never gets better by one more hole, and HasHoles means that something blocks", () => {
  const rank = { Sound: 0, MinorHoles: 1, HasHoles: 2 };
  fc.assert(
    fc.property(holes, holes, (some, more) => {
      const [less, all] = [deriveTypeVerdict(some), deriveTypeVerdict([...more, ...some])];
      expect(rank[all]).toBeGreaterThanOrEqual(rank[less]);
      expect(all === "HasHoles").toBe(blockingHoles([...some, ...more]).length > 0);
      expect(hasCritical(some)).toBe(some.some(({ severity }) => severity === "Critical"));
    }),
  );
});

test("every hole of every round teaches, each once", () => {
  const gap = { missingTest: "no test of a blank title", suggested: { invariant: "throws for blanks" } };
  const taught = hardeningHints({
    holes: [holeOf("Minor"), holeOf("Major"), holeOf("Minor", "b")],
    gaps: [gap, gap],
  });
  expect(taught.map(({ context, source }) => `${source}: ${context}`)).toEqual([
    "type_adversary: a blank title",
    "type_adversary: b",
    "mutation_adversary: no test of a blank title",
  ]);
});
