// kill -9 in the middle of the gatekeeper protocol, again and again: it goes on and comes to the same module, made once.
import { describe, expect, test } from "vitest";
import { TestSuiteRecord } from "../src/domain/gatekeeper/test-suite-record.ts";
import { bubblewrapWorks } from "./bubblewrap.ts";
import { CODE, gatekeeperLines, SMALL, TESTS, TRIVIAL } from "./gatekeeper-samples.ts";
import { kept, type Killed, LONG, survived, survivedAnywhere } from "./protocol-kills.ts";

const KILLS = LONG ? Array.from({ length: 19 }, (_, index) => (index + 1) / 20) : [0.5, 0.85];

/** With weak tests and wrong code on the way. */
const GATEKEEPER: Killed = {
  protocol: "gatekeeper",
  lines: gatekeeperLines({ builder: [SMALL, CODE], tester: [TRIVIAL, TESTS] }),
  modules: ["initials"],
  same: async ({ store }) => TestSuiteRecord.parse(await kept(store, "TEST_SUITE", "suite.json")),
};

describe.skipIf(!bubblewrapWorks)("the gatekeeper protocol", () => {
  test(
    `killed ${KILLS.length} times on its way, it comes to the same end`,
    { timeout: LONG ? 3_600_000 : 600_000 },
    async () => {
      const { kills, again, found, undisturbed } = await survived(GATEKEEPER, KILLS);
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
      const ends = await survivedAnywhere(GATEKEEPER, 32);
      expect(ends.map(({ kills }) => kills)).toEqual(ends.map(() => 1));
      expect(ends.filter(({ again }) => again > 1)).toEqual([]);
      for (const { found, undisturbed } of ends) expect(found).toEqual(undisturbed);
    },
  );
});
