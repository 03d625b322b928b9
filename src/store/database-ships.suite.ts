// The contract of ships: one moment in which all of it is there, under two leases, once for each module version.
import { describe, expect, it } from "vitest";
import { acquire, everythingIn, furnish } from "./database-bench.suite.ts";
import type { Bench } from "./database-bench.suite.ts";
import { artifactSample, contributionSample, payloadSample, shipSample } from "./database-samples.suite.ts";
import type { NewShip } from "./local/ship-table.ts";

const COMMIT = "c".repeat(40);

export function shipsSuite(bench: () => Bench): void {
  describe("the table of ships", () => {
    it("seals the module together with everything that says so", async () => {
      const { one, two, fence } = bench();
      const ship = shipSample("1.0.0", 1);
      expect(await one.ships.commit(fence, fence, ship)).toBe(true);
      expect(await two.modules.isSealed("MM-shipped", "1.0.0")).toBe(true);
      expect((await two.artifacts.get(ship.record.shipId))?.envelope.status).toBe("CHALLENGED");
      expect(await two.artifacts.contributions()).toEqual(ship.contributions);
      expect(await two.journal.read(0, 10)).toMatchObject(ship.events);
      expect(await two.ships.list()).toEqual([{ record: ship.record, commit: null, finishedAt: null }]);
    });

    it("is finished once, with the first commit", async () => {
      const { one, two, fence } = bench();
      await one.ships.commit(fence, fence, shipSample("1.0.0", 1));
      await one.ships.commit(fence, fence, shipSample("1.1.0", 2));
      await one.ships.finish(fence, "MM-shipped@1.0.0", COMMIT);
      await two.ships.finish(fence, "MM-shipped@1.0.0", "d".repeat(40));
      const finished = { commit: COMMIT, finishedAt: "2026-11-15T12:00:00.000Z" };
      expect(await two.ships.get("MM-shipped@1.0.0")).toMatchObject(finished);
      const open = await two.ships.list({ unfinished: true });
      expect(open.map(({ record }) => record.module)).toEqual(["MM-shipped@1.1.0"]);
      expect(await two.ships.get("MM-shipped@2.0.0")).toBeUndefined();
    });

    it("is no second ship with the same files, and is refused with others", async () => {
      const { one, fence } = bench();
      await one.ships.commit(fence, fence, shipSample("1.0.0", 1));
      const before = await everythingIn(one);
      const again = { ...shipSample("1.0.0", 2), files: { "contract.json": payloadSample(1) } };
      expect(await one.ships.commit(fence, fence, again)).toBe(false);
      await expect(one.ships.commit(fence, fence, shipSample("1.0.0", 2))).rejects.toMatchObject({
        code: "already_exists",
      });
      expect(await everythingIn(one)).toBe(before);
    });

    it("needs the lease of the product beside that of the run", async () => {
      const { one, two, clock, fence } = bench();
      const lease = await acquire(one, "ship", "worker-a", 1000);
      clock.now += 1000;
      await acquire(two, "ship", "worker-b");
      const before = await everythingIn(one);
      await expect(one.ships.commit(fence, lease, shipSample("1.0.0", 1))).rejects.toMatchObject({
        code: "stale_fence",
        message: expect.stringContaining('"ship"'),
      });
      expect(await everythingIn(one)).toBe(before);
    });

    const spoiled: [string, (ship: NewShip) => NewShip, RegExp][] = [
      [
        "an artifact that exists",
        (ship) => ({ ...ship, artifacts: [artifactSample(1)], transitions: [] }),
        /^already_exists$/,
      ],
      [
        "a status that has changed",
        (ship) => ({
          ...ship,
          transitions: [{ artifactId: "IMPL-00000001", from: "ADJUDICATED", to: "SHIPPED" }],
        }),
        /^illegal_transition$/,
      ],
      [
        "a contribution that exists with other content",
        (ship) => ({
          ...ship,
          contributions: [{ ...contributionSample(1), context_pack_ref: "CP-00000000" }],
        }),
        /^already_exists$/,
      ],
      [
        "the entry of another module",
        (ship) => ({
          ...ship,
          record: { ...ship.record, entry: { ...ship.record.entry, version: "9.0.0" } },
        }),
        /^invalid_input$/,
      ],
      ["no files", (ship) => ({ ...ship, files: {} }), /^invalid_input$/],
    ];
    it.each(spoiled)("leaves no trace when it fails at %s", async (_what, spoil, code) => {
      const { one, fence } = bench();
      await furnish(one, fence);
      const before = await everythingIn(one);
      const ship = one.ships.commit(fence, fence, spoil(shipSample("2.0.0", 2)));
      await expect(ship).rejects.toMatchObject({ code: expect.stringMatching(code) });
      expect(await everythingIn(one)).toBe(before);
    });
  });
}
