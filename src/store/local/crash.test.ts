import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openLocalDatabase } from "./database.ts";
import { startWriter } from "./writer.suite.ts";
import type { WriterEnd } from "./writer.suite.ts";

const LONG = process.env["CUPEL_LONG"] === "1";
const KILLS = LONG ? 200 : 15;
/** Stores at once; the writers of one store run after each other. */
const STORES = 3;
/** More than a writer can do before it is killed. */
const ENDLESS = 1_000_000;

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "cupel-crash-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe("a writer that is killed", () => {
  it(
    `${KILLS} times has lost nothing that it was told is safe`,
    { timeout: LONG ? 600_000 : 60_000 },
    async () => {
      const stores = Array.from({ length: STORES }, (_, n) =>
        killWriters(join(directory, `${n}.db`), 41 + n),
      );
      // Each to its end: a failure in one must not leave the others' writers running.
      const results = await Promise.allSettled(stores);
      expect(results.filter(({ status }) => status === "rejected")).toEqual([]);
      const counts = results.map((result) => (result.status === "fulfilled" ? result.value : 0));
      const acknowledged = counts.reduce((sum, count) => sum + count, 0);
      // Otherwise the writers were killed before they did anything, and the test has shown nothing.
      expect(acknowledged).toBeGreaterThan(KILLS);
    },
  );
});

/** Returns how many things were acknowledged, all of which were found again after every kill. */
async function killWriters(path: string, seed: number): Promise<number> {
  const random = randomNumbers(seed);
  const said: string[] = [];
  for (let kill = 0; kill < KILLS / STORES; kill++) {
    const { lines, code } = await killed(path, kill, random);
    expect(code).toBeNull();
    said.push(...lines);
    await expectKept(path, said);
  }
  return said.length;
}

/** Most are killed while they write, some while they start or open the store. */
async function killed(path: string, kill: number, random: () => number): Promise<WriterEnd> {
  const writer = startWriter(["write", path, "a", kill * ENDLESS, ENDLESS, Math.floor(random() * 5000)]);
  const early = random() < 0.2;
  await (early ? Promise.race([writer.said("open"), wait(random() * 400)]) : writer.said("event"));
  await wait(random() * (early ? 5 : 80));
  writer.kill();
  return writer.ended;
}

async function expectKept(path: string, said: string[]): Promise<void> {
  const database = openLocalDatabase(path, { durability: "normal" });
  const events = await database.journal.read(0, 1_000_000);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, n) => n + 1));
  const kept = new Set(
    events.map((event) => `event ${event.seq} ${Number.parseInt("reason" in event ? event.reason : "", 10)}`),
  );
  for (const { envelope } of await database.artifacts.query({})) {
    kept.add(`artifact ${envelope.artifact_id} ${Number.parseInt(envelope.artifact_id.slice(5), 16)}`);
  }
  expect(said.filter((line) => line !== "open" && !kept.has(line))).toEqual([]);
  await database.close();
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Mulberry32: the same moments in every run, as far as the machine allows. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
