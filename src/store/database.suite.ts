// The contract of every database adapter, as tests: an adapter's own tests call this with a way to make an empty store.
import { afterEach, beforeEach, describe } from "vitest";
import { acquire, HOLDER } from "./database-bench.suite.ts";
import type { Bench, SuiteStore } from "./database-bench.suite.ts";
import { fencesSuite, refusalsSuite } from "./database-fences.suite.ts";
import { inboxAndJournalSuite } from "./database-flow.suite.ts";
import { leasesSuite } from "./database-leases.suite.ts";
import { projectSuite } from "./database-project.suite.ts";
import { recordsSuite } from "./database-records.suite.ts";
import { shipsSuite } from "./database-ships.suite.ts";
import { treesSuite } from "./database-trees.suite.ts";

const START = Date.parse("2026-11-15T12:00:00Z");

export function databaseSuite(name: string, makeStore: () => Promise<SuiteStore>): void {
  describe(`the database contract of ${name}`, () => {
    let bench: Bench;
    beforeEach(async () => {
      const clock = { now: START };
      const store = await makeStore();
      const one = await store.connect(() => clock.now);
      const two = await store.connect(() => clock.now);
      bench = { store, one, two, clock, fence: await acquire(one, "run:r-1", HOLDER, 1000) };
    });
    afterEach(async () => {
      await bench.one.close();
      await bench.two.close();
      await bench.store.destroy();
    });
    leasesSuite(() => bench);
    fencesSuite(() => bench);
    refusalsSuite(() => bench);
    inboxAndJournalSuite(() => bench);
    recordsSuite(() => bench);
    shipsSuite(() => bench);
    treesSuite(() => bench);
    projectSuite(() => bench);
  });
}
