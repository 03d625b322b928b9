// Every cheat is refused by the gates that must refuse it, and every honest twin by none.
import { describe, expect, test } from "vitest";
import { CHEAT_FAMILIES } from "../src/simulator/cheats/port.ts";
import { EVERY_CHEAT } from "../src/simulator/cheats/every-cheat.ts";
import { bubblewrapWorks } from "./bubblewrap.ts";
import { blockedBy, isForGates } from "./cheat-gates.ts";

const long = process.env["CUPEL_LONG"] === "1";
const LONGEST = { timeout: 180_000 };

/** Quick ones that stand for the principle of a family. */
const ALWAYS = new Set([
  "early-return",
  "expect-without-matcher",
  "types-of-its-own",
  "rewritten-results",
  "padded-mutants",
  "cast-away",
  "reads-the-clock",
  "examples-of-nothing",
]);

test("there are cheats of every family, each by a name of its own", () => {
  expect(new Set(EVERY_CHEAT.map(({ family }) => family))).toEqual(new Set(CHEAT_FAMILIES));
  expect(new Set(EVERY_CHEAT.map(({ name }) => name)).size).toBe(EVERY_CHEAT.length);
  expect(EVERY_CHEAT.length).toBeGreaterThanOrEqual(100);
  const known = EVERY_CHEAT.map(({ name }) => name);
  expect([...ALWAYS].filter((name) => !known.includes(name))).toEqual([]);
});

const judged = EVERY_CHEAT.filter(isForGates).filter(({ name }) => long || ALWAYS.has(name));

describe.skipIf(!bubblewrapWorks)("the gates (needs bubblewrap)", () => {
  test.for(judged)("refuse $name", LONGEST, async (cheat) => {
    const gates = (await blockedBy(cheat, "cheat")).map((line) => line.split(":")[0]);
    expect(gates.filter((gate) => cheat.refusedBy.some((each) => each === gate))).not.toEqual([]);
  });

  test.for(judged)("accept the twin of $name", LONGEST, async (cheat) => {
    expect(await blockedBy(cheat, "twin")).toEqual([]);
  });
});
