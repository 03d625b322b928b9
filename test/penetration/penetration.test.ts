// A hostile agent tries every door: each attack gets through a careless harness, and none through the sandbox.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OPEN_WITHOUT_SANDBOX } from "../../src/workshop/sandbox/open-doors.ts";
import { bubblewrapWorks } from "../bubblewrap.ts";
import { THEMES } from "./attack.ts";
import { startAttacked } from "./attacked.ts";
import type { Attacked, Played } from "./attacked.ts";
import { ATTACKS, INNOCENT } from "./attacks.ts";
import type { Level } from "./ground.ts";

const SETUP_MS = 120_000;
const AT_LEAST = 45;
const careless = new Map<string, Played>();
const isRoot = process.getuid?.() === 0;
const table = ATTACKS.map((attack) => [`${attack.theme}: ${attack.name}`, attack] as const);

describe.skipIf(process.platform !== "linux")("penetration", () => {
  describe("the attacks", () => {
    test("have names of their own", () => {
      expect(new Set(ATTACKS.map(({ name }) => name)).size).toBe(ATTACKS.length);
    });

    test.each(THEMES)("cover %s", (theme) => {
      expect(ATTACKS.some((attack) => attack.theme === theme)).toBe(true);
    });
  });

  describe("a careless harness", () => {
    const results = playAll("careless", careless);

    test("takes honest work", () => expect(results.get(INNOCENT.name)).toMatchObject({ succeeded: true }));

    test.for(table)("falls to %s", ([_title, { name, needs }], { skip }) => {
      const { succeeded, outcome } = resultOf(results, name);
      // What cannot be shown here does not count below.
      if (!succeeded && needs !== undefined) skip(`needs ${needs}`);
      expect({ succeeded, outcome }).toMatchObject({ succeeded: true });
    });

    test(`falls to at least ${AT_LEAST} attacks`, () => {
      const shown = ATTACKS.filter(({ name }) => isShown(name));
      expect(shown.length).toBeGreaterThanOrEqual(AT_LEAST);
    });
  });

  describe("without a sandbox", () => {
    const results = playAll("none", new Map());

    test("honest work is taken", () => expect(results.get(INNOCENT.name)).toMatchObject({ succeeded: true }));

    test.each(table)("it is known whether the door is open to %s", (_title, { name, onlyAsRoot }) => {
      const { succeeded, outcome } = resultOf(results, name);
      const isNamed = OPEN_WITHOUT_SANDBOX.some(({ attack }) => attack === name);
      const isPossible = isShown(name) && (isRoot || onlyAsRoot !== true);
      expect({ succeeded, outcome }).toMatchObject({ succeeded: isNamed && (isPossible || succeeded) });
    });

    test("every open door that is named is one of an attack", () => {
      const names = ATTACKS.map(({ name }) => name);
      expect(OPEN_WITHOUT_SANDBOX.filter(({ attack }) => !names.includes(attack))).toEqual([]);
    });
  });

  describe.skipIf(!bubblewrapWorks)("in the sandbox (needs bubblewrap)", () => {
    const results = playAll("bubblewrap", new Map());

    test("honest work is taken", () => expect(results.get(INNOCENT.name)).toMatchObject({ succeeded: true }));

    test.each(table)("the door is shut to %s", (_title, { name }) => {
      const { succeeded, outcome } = resultOf(results, name);
      expect({ succeeded, outcome }).toMatchObject({ succeeded: false, outcome: { stolen: [] } });
    });
  });
});

/** Plays everything before the first test looks, two attacks at a time. */
function playAll(level: Level, results: Map<string, Played>): Map<string, Played> {
  let attacked: Attacked | undefined;
  beforeAll(async () => {
    const harness = (attacked = await startAttacked(level));
    const left = [INNOCENT, ...ATTACKS];
    const playSome = async () => {
      for (let attack = left.shift(); attack !== undefined; attack = left.shift())
        results.set(attack.name, await harness.attack(attack.name));
    };
    await Promise.all([playSome(), playSome()]);
  }, SETUP_MS);
  afterAll(() => attacked?.end(), SETUP_MS);
  return results;
}

function resultOf(results: ReadonlyMap<string, Played>, name: string): Played {
  const played = results.get(name);
  if (played === undefined) throw new Error(`${name} was not played`);
  return played;
}

/** Whether a careless harness on this machine fell to it. */
function isShown(name: string): boolean {
  return careless.get(name)?.succeeded === true;
}
