// SIGKILL all over two threads that send and read, with work side by side, a graph within the graph and advice beside it:
// they end as if nothing had happened, no message is lost or handled twice, and the advice is there exactly once.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { Sql } from "../src/store/sql.ts";
import { EXPECTED } from "./graph-mail-samples.ts";
import { bundleWorker } from "./worker-bundle.ts";

const LONG = process.env["CUPEL_LONG"] === "1";
const KILLS_PER_THREAD = LONG ? 2 : 4;

const Line = z.looseObject({
  what: z.string(),
  points: z.int().optional(),
  reader: z.unknown().optional(),
  sender: z.unknown().optional(),
});
type Line = z.infer<typeof Line>;

const place = mkdtempSync(join(tmpdir(), "cupel-test-"));
const worker = join(place, "worker.mjs");
let undisturbed: Line;

beforeAll(async () => {
  await bundleWorker("graph-mail-worker.ts", worker);
  const directory = join(place, "undisturbed");
  mkdirSync(directory);
  const lines = await run(directory, "first", 0);
  undisturbed = lines.at(-1) ?? { what: "nothing" };
  expectWhole(directory, 0);
}, 30_000);
afterAll(() => rmSync(place, { recursive: true }));

describe("kill -9 of a reader, a sender and a job", () => {
  test("undisturbed they finish, with all the mail and the advice", () => {
    expect(undisturbed.reader).toMatchObject({
      kind: "finished",
      state: { got: EXPECTED },
      advice: [{ job: "mutants", outcome: { kind: "reported", report: { killed: 7 } } }],
    });
    expect(undisturbed.sender).toMatchObject({ kind: "finished" });
  });

  test(`at ${LONG ? "every point" : "points all over"}`, { timeout: LONG ? 900_000 : 60_000 }, async () => {
    const points = undisturbed.points ?? 0;
    expect(points).toBeGreaterThan(150);
    const places = Array.from({ length: points }, (_, index) => index + 1);
    // A step that shares no factor with the number of kinds of points, so that all kinds are hit.
    const chosen = LONG ? places : places.filter((point) => point % 59 === 7);
    let kills = 0;
    for (let next = 0; next < chosen.length; next += 2) {
      const both = await Promise.all(chosen.slice(next, next + 2).map(killOnTheWay));
      kills += both.reduce((sum, one) => sum + one, 0);
    }
    expect(kills).toBeGreaterThanOrEqual(LONG ? 200 : 9);
  });
});

describe("kill -9 around the end of a node that has read its mail", () => {
  test.each([2, 3, 4, 5, 6, 7, 8])("%i points after it", { timeout: 30_000 }, async (offset) => {
    const directory = mkdtempSync(join(place, "end-"));
    const lines = await run(directory, "first", `${offset} read ends`);
    expect(lines.at(-1)?.what).toBe("killed");
    const { reader, sender } = (await run(directory, "second", 0)).at(-1) ?? {};
    expect({ reader, sender }).toEqual({ reader: undisturbed.reader, sender: undisturbed.sender });
    expectWhole(directory, 1);
  });
});

describe("a reader and a sender in processes of their own", () => {
  test("both killed again and again while the other goes on", { timeout: 60_000 }, async () => {
    const directory = mkdtempSync(join(place, "processes-"));
    const [reader, sender] = await Promise.all([
      insist(directory, "reader", [90, 61, 47]),
      insist(directory, "sender", [14, 23, 31]),
    ]);
    expect({ reader: reader.outcome.reader, sender: sender.outcome.sender }).toEqual({
      reader: undisturbed.reader,
      sender: undisturbed.sender,
    });
    expect([reader.kills, sender.kills]).toEqual([3, 3]);
    expectWhole(directory, reader.kills + sender.kills);
  });
});

async function insist(directory: string, which: "reader" | "sender", killAt: readonly number[]) {
  let kills = 0;
  for (let start = 0; ; start++) {
    const lines = await run(directory, `${which}-${start}`, killAt[start] ?? 0, which);
    const outcome = lines.at(-1);
    if (outcome?.what === "outcome") return { outcome, kills };
    expect(outcome?.what).toBe("killed");
    kills++;
  }
}

/** Killed at the point, then some more times on the way from there, then left alone. */
async function killOnTheWay(point: number): Promise<number> {
  const directory = mkdtempSync(join(place, "threads-"));
  let kills = 0;
  let lines: Line[] = [];
  for (let start = 0; lines.at(-1)?.what !== "outcome"; start++) {
    const advised = adviceIn(directory).some(({ given }) => given === 1);
    const killAt = start === 0 ? point : start < KILLS_PER_THREAD ? 9 + ((point * 13 + start * 31) % 110) : 0;
    lines = await run(directory, `process-${start}`, killAt);
    kills += lines.at(-1)?.what === "killed" ? 1 : 0;
    if (advised)
      expect(
        lines.map(({ what }) => what),
        `killed at ${point}`,
      ).not.toContain("job");
    expect(lines.at(-1)?.what, `killed at ${point}`).toMatch(/^(killed|outcome)$/);
  }
  const { reader, sender } = lines.at(-1) ?? {};
  expect({ reader, sender }, `killed at ${point}`).toEqual({
    reader: undisturbed.reader,
    sender: undisturbed.sender,
  });
  expectWhole(directory, kills);
  rmSync(directory, { recursive: true });
  return kills;
}

function expectWhole(directory: string, kills: number): void {
  const sql = Sql.open(join(directory, "cupel.db"), { durability: "normal" });
  const mail = sql.all("SELECT dedupe_key FROM graph_mail WHERE message IS NULL ORDER BY dedupe_key");
  const unread = sql.all("SELECT dedupe_key FROM graph_mail WHERE message IS NOT NULL");
  const finished = sql.all(
    `SELECT event ->> '$.node' AS node, count(*) AS times FROM journal
     WHERE kind = 'node_finished' AND event ->> '$.node' <> 'read' GROUP BY 1 ORDER BY 1`,
  );
  const told = sql.all(
    `SELECT kind, count(*) AS times FROM journal
     WHERE kind LIKE 'message_%' OR (kind LIKE 'advice_%' AND kind <> 'advice_started') GROUP BY kind ORDER BY kind`,
  );
  const starts = sql.get(
    `SELECT (SELECT count(*) FROM journal WHERE kind = 'advice_started') AS told,
            (SELECT sum(starts) FROM graph_advice) AS counted`,
  );
  sql.close();
  expect(told.map(({ kind, times }) => `${String(kind)} ${String(times)}`)).toEqual([
    "advice_reported 1",
    `message_acknowledged ${EXPECTED.length}`,
    `message_delivered ${EXPECTED.length}`,
  ]);
  expect(starts?.["told"]).toBe(starts?.["counted"]);
  expect(mail.map((row) => row["dedupe_key"])).toEqual(EXPECTED);
  expect(unread).toEqual([]);
  expect(adviceIn(directory)).toEqual([{ job: "mutants", given: 1 }]);
  expect(finished.map(({ node, times }) => `${String(node)} ${String(times)}`)).toEqual(
    ["alone", "first", "fork", "inner-done", "inner/left", "inner/right", "join", "second", "third"].map(
      (node) => `${node} 1`,
    ),
  );
  const effects = readFileSync(join(directory, "effects"), "utf8").split("\n").slice(0, -1);
  expect(new Set(effects).size).toBe(9 + EXPECTED.length);
  // At most what was under way when a process died, in three nodes side by side.
  expect(effects.length).toBeLessThanOrEqual(9 + EXPECTED.length + 3 * kills);
}

function adviceIn(directory: string) {
  const sql = Sql.open(join(directory, "cupel.db"), { durability: "normal" });
  const rows = sql.all("SELECT job, outcome IS NOT NULL AS given FROM graph_advice");
  sql.close();
  return rows;
}

async function run(
  directory: string,
  holder: string,
  killAt: number | string,
  which = "both",
): Promise<Line[]> {
  const child = spawn(process.execPath, [worker, directory, holder, `${killAt}`, which], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  await once(child, "close");
  return output
    .split("\n")
    .slice(0, -1)
    .map((line) => Line.parse(JSON.parse(line)));
}
