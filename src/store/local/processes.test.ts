import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { acquire } from "../database-bench.suite.ts";
import { artifactSample, eventSample } from "../database-samples.suite.ts";
import { openLocalDatabase } from "./database.ts";
import { startWriter } from "./writer.suite.ts";

const LONG = process.env["CUPEL_LONG"] === "1";
/** Each is an event or an artifact. */
const WRITES = LONG ? 10_000 : 1000;
/** Runs a command whose mounts nobody else sees and that end with it. */
const PRIVATE_MOUNTS = ["unshare", "-m"] as const;
const NORMAL = { durability: "normal" } as const;

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "cupel-processes-"));
  path = join(directory, "store.db");
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe("two processes", () => {
  it(`write ${WRITES} things into one new store; none is lost or doubled`, { timeout: 120_000 }, async () => {
    const each = WRITES / 4;
    const start = soon();
    const writers = [
      startWriter(["write", path, "a", 0, each, 1, start]),
      startWriter(["write", path, "b", each, each, 1, start]),
    ];
    const ends = await Promise.all(writers.map(({ ended }) => ended));
    for (const { lines } of ends) expect(lines).toHaveLength(2 * each + 2);

    expect(await keptIn(path)).toEqual(acknowledgedIn(ends.flatMap(({ lines }) => lines)));
    const database = openLocalDatabase(path, NORMAL);
    const events = await database.journal.read(0, WRITES);
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 2 * each }, (_, n) => n + 1));
    const numbers = events.map(numberIn).toSorted((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 2 * each }, (_, n) => n));
    expect(await database.artifacts.query({})).toHaveLength(2 * each);
  });

  it("open one new store in the same moment, again and again", { timeout: 60_000 }, async () => {
    for (let round = 0; round < (LONG ? 25 : 3); round++) {
      const fresh = join(directory, `new-${round}.db`);
      const start = soon();
      const writers = ["a", "b", "c", "d"].map((name, n) =>
        startWriter(["write", fresh, name, n, 1, 1, start]),
      );
      const ends = await Promise.all(writers.map(({ ended }) => ended));
      expect(ends.map(({ lines }) => lines.at(-1))).toEqual(["done", "done", "done", "done"]);
    }
  });

  it("never both get a lease", { timeout: 60_000 }, async () => {
    const start = soon();
    const runners = ["a", "b"].map((name) => startWriter(["race", path, name, 0, 300, 1, start]));
    const ends = await Promise.all(runners.map(({ ended }) => ended));
    const won = ends.map(({ lines }) => lines.filter((line) => line.startsWith("won ")));
    expect(won.flat().toSorted()).toEqual(Array.from({ length: 300 }, (_, n) => `won ${n}`).toSorted());
  });

  it("take over from each other: the first one's next write fails and leaves nothing", async () => {
    const database = openLocalDatabase(path, NORMAL);
    const fence = await acquire(database, "run:a", "the first", 1);
    await database.journal.append(fence, [eventSample("mine")]);
    await new Promise((resolve) => setTimeout(resolve, 5));
    const second = await startWriter(["write", path, "a", 1, 1]).ended;
    expect(second.lines.at(-1)).toBe("done");

    const stale = {
      code: "stale_fence",
      message: expect.stringMatching(/"run:a" is held by "writer-\d+" now/),
    };
    await expect(database.journal.append(fence, [eventSample("late")])).rejects.toMatchObject(stale);
    await expect(database.artifacts.insert(fence, artifactSample(2))).rejects.toMatchObject(stale);
    await expect(database.leases.heartbeat(fence, 1000)).rejects.toMatchObject(stale);
    expect(await database.journal.latest()).toBe(2);
    expect(await database.artifacts.query({})).toHaveLength(1);
  });
});

describe("a disk that is full", () => {
  const FULL = {
    code: "store_full",
    message: expect.stringContaining("nothing was changed"),
    hint: expect.stringContaining("run the same command again"),
  };
  const LIMITED = ["sh", "-c", 'ulimit -f 1400; exec "$@"', "sh"];

  it("is reported, and all that was acknowledged is there afterwards", async () => {
    const { lines } = await startWriter(["write", path, "a", 0, 5000, 3000], LIMITED).ended;
    expect(refusalIn(lines)).toMatchObject(FULL);
    expect(await keptIn(path)).toEqual(acknowledgedIn(lines));
    expect(acknowledgedIn(lines).length).toBeGreaterThan(20);
    const more = await startWriter(["write", path, "a", 6000, 5]).ended;
    expect(more.lines.at(-1)).toBe("done");
    expect(await keptIn(path)).toEqual(acknowledgedIn([...lines, ...more.lines]));
  });

  it.skipIf(!canMount())("is reported when it really is (needs leave to mount a tmpfs)", async () => {
    // The mount lives only as long as the process that sees it; the copy is what we look at.
    const script = `mount -t tmpfs -o size=800k tmpfs "$0" && "$@"; cp "$0"/store.db* "$0/../"`;
    const small = join(directory, "small");
    mkdirSync(small);
    const inside = join(small, "store.db");
    const mounted = [...PRIVATE_MOUNTS, "sh", "-c", script, small];
    const { lines } = await startWriter(["write", inside, "a", 0, 5000, 3000], mounted).ended;
    expect(refusalIn(lines)).toMatchObject(FULL);
    expect(await keptIn(path)).toEqual(acknowledgedIn(lines));
    expect(acknowledgedIn(lines).length).toBeGreaterThan(20);
  });
});

/** When two processes started now will both be ready, on most machines. */
function soon(): number {
  return Date.now() + 1200;
}

/** The error that a writer ended with. */
function refusalIn(lines: string[]): unknown {
  const last = lines.at(-1) ?? "";
  return last.startsWith("error ") ? JSON.parse(last.slice("error ".length)) : last;
}

function acknowledgedIn(lines: string[]): string[] {
  return lines.filter((line) => /^(event|artifact) /.test(line)).toSorted();
}

/** The same words for what is in the store. */
async function keptIn(file: string): Promise<string[]> {
  const database = openLocalDatabase(file, NORMAL);
  const events = await database.journal.read(0, 100_000);
  const artifacts = await database.artifacts.query({});
  await database.close();
  return [
    ...events.map((event) => `event ${event.seq} ${numberIn(event)}`),
    ...artifacts.map(
      ({ envelope: { artifact_id: id } }) => `artifact ${id} ${Number.parseInt(id.slice(5), 16)}`,
    ),
  ].toSorted();
}

function numberIn(event: object): number {
  return "reason" in event ? Number.parseInt(String(event.reason), 10) : Number.NaN;
}

function canMount(): boolean {
  try {
    const [command, ...rest] = PRIVATE_MOUNTS;
    execFileSync(command, [...rest, "mount", "-t", "tmpfs", "tmpfs", tmpdir()], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
