// kill -9 in the middle of the blind protocol, again and again: it goes on and comes to the same module, made once.
import { describe, expect, test } from "vitest";
import { HybridResult } from "../src/domain/blind/hybrid-result.ts";
import { blindLines, honestFix, honestRetest, TRIVIAL_TESTS, WRONG_CODE } from "./blind-samples.ts";
import { bubblewrapWorks } from "./bubblewrap.ts";
import { kept, type Killed, LONG, survived, survivedAnywhere } from "./protocol-kills.ts";

const KILLS = LONG ? Array.from({ length: 19 }, (_, index) => (index + 1) / 20) : [0.45, 0.85];

/** With rejected tests and a fix on the way. */
const BLIND: Killed = {
  protocol: "blind",
  lines: blindLines({ tests: TRIVIAL_TESTS, code: WRONG_CODE, more: [honestRetest(), honestFix()] }),
  modules: ["initials"],
  async same({ store }) {
    const result = await kept(store, "WITNESS_REPORT", "result.json");
    const { witness: _, totalCost: __, ...rest } = HybridResult.parse(result);
    return rest;
  },
};

describe.skipIf(!bubblewrapWorks)("the blind protocol", () => {
  test(
    `killed ${KILLS.length} times on its way, it comes to the same end`,
    { timeout: LONG ? 3_600_000 : 600_000 },
    async () => {
      const { kills, again, found, undisturbed } = await survived(BLIND, KILLS);
      expect(kills).toBeGreaterThan(0);
      // An answer that was told of but not kept yet when the process died is asked for again.
      expect(again).toBeLessThanOrEqual(kills);
      expect(found).toEqual(undisturbed);
    },
  );

  test.skipIf(!LONG)(
    "killed once, wherever it is, it comes to the same end (long form)",
    { timeout: 3_600_000 },
    async () => {
      const ends = await survivedAnywhere(BLIND, 32);
      expect(ends.map(({ kills }) => kills)).toEqual(ends.map(() => 1));
      expect(ends.filter(({ again }) => again > 1)).toEqual([]);
      for (const { found, undisturbed } of ends) expect(found).toEqual(undisturbed);
    },
  );
});
