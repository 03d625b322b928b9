// SIGKILL during inserts and during reindexing, and several processes at once: nothing acknowledged is lost, nothing mixed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { indexEntry, openIndex, wordEmbedder } from "./code-index-samples.ts";
import { bundleWorker } from "./worker-bundle.ts";

const LONG = process.env["CUPEL_LONG"] === "1";
const INSERTS = LONG ? 10_000 : 400;
/** Each process is killed after about so many. */
const INSERTS_PER_KILL = LONG ? 250 : 40;

const place = mkdtempSync(join(tmpdir(), "cupel-test-"));
const worker = join(place, "worker.mjs");
beforeAll(() => bundleWorker("code-index-worker.ts", worker));
afterAll(() => rmSync(place, { recursive: true }));

const Line = z.looseObject({ what: z.string(), ref: z.string().optional(), points: z.int().optional() });
type Line = z.infer<typeof Line>;

test(
  `${INSERTS} inserts with a kill every now and then lose nothing`,
  { timeout: LONG ? 1_200_000 : 60_000 },
  async () => {
    const directory = newDirectory();
    const acknowledged = new Set<string>();
    let kills = 0;
    for (let next = 0; next < INSERTS; kills++) {
      const lines = await run(
        directory,
        ["append", "w", String(next), String(INSERTS)],
        INSERTS_PER_KILL + (kills % 7),
      );
      const refs = lines.flatMap(({ ref }) => ref ?? []);
      for (const ref of refs) acknowledged.add(ref);
      next += refs.length;
      const { index, sql } = await openIndex(directory, wordEmbedder("test:old"));
      const there = new Set((await index.list()).map(({ module_id, version }) => `${module_id}@${version}`));
      expect([...acknowledged].filter((ref) => !there.has(ref))).toEqual([]);
      // At most the one that was under way came in addition, and it is whole.
      expect(there.size - acknowledged.size).toBeLessThanOrEqual(1);
      for (const ref of there) acknowledged.add(ref);
      next = acknowledged.size;
      expect(sql.get("SELECT count(*) AS n FROM code_index_vectors")).toEqual({ n: there.size });
      expect(await index.search({ query: "does", top_k: 100 })).toHaveLength(Math.min(100, there.size));
      sql.close();
    }
    expect(kills).toBeGreaterThan(5);
  },
);

test("three processes insert at once without loss", { timeout: 60_000 }, async () => {
  const directory = newDirectory();
  const each = LONG ? 1000 : 60;
  const { index, sql } = await openIndex(directory, wordEmbedder("test:old"));
  const all = await Promise.all(
    ["a", "b", "c"].map((name) => run(directory, ["append", name, "0", String(each)])),
  );
  for (const lines of all) expect(lines.at(-1)?.what).toBe("done");
  expect(await index.size()).toBe(3 * each);
  expect(sql.get("SELECT count(*) AS n FROM code_index_vectors")).toEqual({ n: 3 * each });
  const [hit] = await index.search({ query: `b_${each - 1}` });
  expect(hit?.name).toBe(`b_${each - 1}`);
  sql.close();
});

test(
  "killed anywhere in a reindexing: the old vectors or the new ones, never some of each",
  { timeout: 120_000 },
  async () => {
    const prepared = newDirectory();
    const old = await openIndex(prepared, wordEmbedder("test:old"));
    await old.index.append(
      old.fence,
      Array.from({ length: 150 }, (_, n) => indexEntry(`m${n}`)),
    );
    old.sql.close();
    const undisturbed = await run(copyOf(prepared), ["reindex", "w"]);
    const points = undisturbed.at(-1)?.points ?? 0;
    expect(points).toBeGreaterThan(12);
    const seen = { old: 0, new: 0 };
    for (let killAt = 1; killAt <= points; killAt += LONG ? 1 : 2) {
      const directory = copyOf(prepared);
      const lines = await run(directory, ["reindex", "w", "0", "0", String(killAt)]);
      expect(lines.at(-1)?.what, `point ${killAt}`).toBe("killed");
      const usable = await usableModels(directory);
      expect(usable, `point ${killAt}`).toHaveLength(1);
      seen[usable[0] === "test:old" ? "old" : "new"] += 1;
      expect((await run(directory, ["reindex", "w"])).at(-1)?.what).toBe("done");
      expect(await usableModels(directory)).toEqual(["test:new"]);
      rmSync(directory, { recursive: true });
    }
    expect(seen.old).toBeGreaterThan(2);
    expect(seen.new).toBeGreaterThan(0);
  },
);

/** The models with which all 150 modules can be searched, each found by its own name. */
async function usableModels(directory: string): Promise<string[]> {
  const usable: string[] = [];
  for (const embedder of [wordEmbedder("test:old"), wordEmbedder("test:new", 300)]) {
    const { index, sql } = await openIndex(directory, embedder);
    const hits = await index.search({ query: "m77", top_k: 100 }).catch((error: unknown) => String(error));
    if (typeof hits !== "string") {
      expect(hits).toHaveLength(100);
      expect(hits[0]?.name).toBe("m77");
      usable.push(embedder.model);
    }
    sql.close();
  }
  return usable;
}

/** Killed from outside after so many lines, if any number is given. */
async function run(directory: string, args: string[], killAfter = Infinity): Promise<Line[]> {
  const child = spawn(process.execPath, [worker, directory, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
    if (output.split("\n").length > killAfter) child.kill("SIGKILL");
  });
  await once(child, "close");
  // The last line may be cut: only whole lines were acknowledged.
  return output
    .split("\n")
    .slice(0, -1)
    .map((line) => Line.parse(JSON.parse(line)));
}

let directories = 0;

function newDirectory(): string {
  const directory = join(place, `index-${directories++}`);
  mkdirSync(directory);
  return directory;
}

function copyOf(directory: string): string {
  const copy = join(place, `index-${directories++}`);
  cpSync(directory, copy, { recursive: true });
  return copy;
}
