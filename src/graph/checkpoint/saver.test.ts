// LangGraph's own suite for checkpointers, and what it does not ask for: bytes, size, fences, damage.
import { validate, deltaChannelHistoryTests } from "@langchain/langgraph-checkpoint-validation";
import { emptyCheckpoint, uuid6 } from "@langchain/langgraph-checkpoint";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { LocalLeases } from "../../store/local/leases.ts";
import { Sql } from "../../store/sql.ts";
import { GraphSaver } from "./saver.ts";
import type { Session } from "./saver.ts";

const opened = new Map<GraphSaver, Sql>();
const initializer = {
  checkpointerName: "GraphSaver",
  async createCheckpointer() {
    const sql = Sql.open(join(mkdtempSync(join(tmpdir(), "cupel-test-")), "cupel.db"), {
      durability: "normal",
    });
    const saver = new GraphSaver(sql, await sessions(sql));
    opened.set(saver, sql);
    return saver;
  },
  destroyCheckpointer(saver: GraphSaver) {
    const sql = opened.get(saver);
    sql?.close();
    if (sql !== undefined) rmSync(dirname(sql.path), { recursive: true });
  },
};

// The suite is written for a runner that puts its words into the global scope.
Object.assign(globalThis, { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it });
validate(initializer);
deltaChannelHistoryTests(initializer);

async function sessions(sql: Sql): Promise<() => Session> {
  const lease = await new LocalLeases(sql, Date.now).acquire("thread:all", "test", 60_000);
  if (lease.kind !== "acquired") throw new Error("somebody holds the lease");
  return () => ({ fence: lease.fence, ending: () => undefined, broken: () => false });
}

async function open() {
  const sql = Sql.open(join(temporaryDirectory(), "cupel.db"), { durability: "normal" });
  const saver = new GraphSaver(sql, await sessions(sql));
  return { sql, saver };
}

describe("GraphSaver", () => {
  const meta = { source: "loop", step: 0, parents: {} } as const;
  const root = { configurable: { thread_id: "t", checkpoint_ns: "" } };

  it("keeps bytes, maps, sets and what looks like its own marks", async () => {
    const { sql, saver } = await open();
    const values = {
      bytes: new Uint8Array([0, 255, 128, 10]),
      map: new Map<unknown, unknown>([
        [1, { a: undefined }],
        ["b", new Set(["ü", null])],
      ]),
      marked: { $cupel: "bytes", base64: "no", deep: [new Uint8Array([7])] },
      nothing: null,
    };
    const versions = { bytes: 1, map: 1, marked: 1, nothing: 1 };
    const checkpoint = { ...emptyCheckpoint(), channel_values: values, channel_versions: versions };
    const config = await saver.put(root, checkpoint, meta, versions);
    await saver.putWrites(config, Object.entries(values), "task");
    const tuple = await saver.getTuple(root);
    expect(tuple?.checkpoint.channel_values).toEqual({
      ...values,
      map: new Map<unknown, unknown>([
        [1, {}],
        ["b", new Set(["ü", null])],
      ]),
    });
    expect(tuple?.pendingWrites?.[0]).toEqual(["task", "bytes", values.bytes]);
    sql.close();
  });

  it.each([
    [() => 1, "function"],
    [Number.NaN, "NaN"],
    [new Date(), "a Date"],
    [{ a: [Symbol("x")] }, "symbol at \\$.a"],
  ])("refuses to keep %s", async (value, what) => {
    const { sql, saver } = await open();
    const checkpoint = { ...emptyCheckpoint(), channel_values: { x: value }, channel_versions: { x: 1 } };
    await expect(saver.put(root, checkpoint, meta, { x: 1 })).rejects.toThrow(new RegExp(what));
    sql.close();
  });

  it(
    "stays small while a list grows by 200 bytes a step, and gives every step back",
    { timeout: 20_000 },
    async () => {
      const { sql, saver } = await open();
      const list: string[] = [];
      let config: Parameters<GraphSaver["put"]>[0] = root;
      for (let step = 1; step <= 1000; step++) {
        list.push(`${step}`.padEnd(200, "x"));
        const checkpoint = {
          ...emptyCheckpoint(),
          id: uuid6(step),
          channel_values: { list },
          channel_versions: { list: step },
        };
        config = await saver.put(config, checkpoint, { ...meta, step }, { list: step });
        await saver.putWrites(config, [["list", [...list, "next".padEnd(200, "y")]]], "task");
      }
      sql.all("PRAGMA wal_checkpoint(TRUNCATE)");
      expect(statSync(sql.path).size).toBeLessThan(2_500_000);
      const fresh = new GraphSaver(sql, await sessions(sql));
      let expected = 1000;
      for await (const { checkpoint, pendingWrites } of fresh.list(root, { limit: 150 })) {
        expect(checkpoint.channel_values).toEqual({ list: list.slice(0, expected) });
        expect(pendingWrites).toEqual([
          ["task", "list", [...list.slice(0, expected), "next".padEnd(200, "y")]],
        ]);
        expected--;
      }
      sql.close();
    },
  );

  it("takes the row that was written last for the newest, even when a clock went back", async () => {
    const { sql, saver } = await open();
    const [old, late] = [uuid6(1), uuid6(2)];
    const first = await saver.put(root, { ...emptyCheckpoint(), id: late }, meta, {});
    await saver.put(first, { ...emptyCheckpoint(), id: old }, { ...meta, step: 1 }, {});
    expect((await saver.getTuple(root))?.checkpoint.id).toBe(old);
    sql.close();
  });

  it("refuses every write once somebody else has the lease", async () => {
    const { sql, saver } = await open();
    const config = await saver.put(root, emptyCheckpoint(), meta, {});
    await new LocalLeases(sql, () => Date.now() + 120_000).acquire("thread:all", "another", 60_000);
    await expect(saver.put(config, emptyCheckpoint(), meta, {})).rejects.toThrow(/held by "another" now/);
    await expect(saver.putWrites(config, [["x", 1]], "task")).rejects.toThrow(/held by "another" now/);
    await expect(saver.deleteThread("t")).rejects.toThrow(/held by "another" now/);
    expect(sql.all("SELECT * FROM graph_checkpoints")).toHaveLength(1);
    expect(sql.all("SELECT * FROM graph_writes")).toHaveLength(0);
    sql.close();
  });

  it.each([
    ["UPDATE graph_values SET middle = x'00'", /its checksum is wrong/],
    ["UPDATE graph_values SET base = 99", /the value it rests on is gone/],
    ["DELETE FROM graph_values", /it is gone/],
    ["UPDATE graph_checkpoints SET head = '{'", /what should be JSON is not/],
    ["UPDATE graph_checkpoints SET head = '{}'", /expected/],
    ["UPDATE graph_checkpoints SET depth = 3", /a checkpoint that it rests on is gone/],
    ["UPDATE graph_writes SET first = 9, base = 1", /does not fit/],
  ])("says that a row is damaged after %s", async (damage, message) => {
    const { sql, saver } = await open();
    const checkpoint = { ...emptyCheckpoint(), channel_values: { x: "abc" }, channel_versions: { x: 1 } };
    const config = await saver.put(root, checkpoint, meta, { x: 1 });
    await saver.putWrites(config, [["x", 1]], "task");
    sql.run(damage);
    await expect(new GraphSaver(sql, await sessions(sql)).getTuple(root)).rejects.toMatchObject({
      code: "store_damaged",
    });
    await expect(new GraphSaver(sql, await sessions(sql)).getTuple(root)).rejects.toThrow(message);
    sql.close();
  });
});
