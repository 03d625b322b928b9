// What goes wrong around a product, as a person meets it: a clear word, what to type next, and nothing lost.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import Database from "libsql";
import { describe, expect, test } from "vitest";
import { MIGRATIONS } from "../src/store/migrations.ts";
import { checkStateStore } from "../src/store/state-store.ts";
import { bubblewrapWorks } from "./bubblewrap.ts";
import { BIN, cupelIn, type Ended, startCupel } from "./cupel-process.ts";
import { sampleProject } from "./git-samples.ts";
import { haltedProduct } from "./halted-product.ts";
import { id, specOf } from "./project-specs.ts";
import { smallProduct } from "./small-product.ts";
import { temporaryDirectory } from "./temporary.ts";

const LONG = 240_000;

describe("a specification that is none", () => {
  const [pillar] = specOf([[]]).pillars;
  test.each<[string, string, RegExp]>([
    ["is no JSON", "{ pillars: ", /is not JSON[\s\S]*next: cupel schema ProductSpec/],
    ["is of another form", '{"title": "Names"}', /pillars/],
    ["has no pillars", JSON.stringify({ ...specOf([[]]), pillars: [] }), /pillars/],
    [
      "waits for a task that is not there",
      JSON.stringify({ ...specOf([[]]), pillars: [pillar] }).replace(
        '"depends_on":[]',
        '"depends_on":["TSK-009"]',
      ),
      /TSK-009/,
    ],
    [
      "waits for itself in a circle of three",
      JSON.stringify(specOf([[3], [1], [2]])),
      /TSK-001.*TSK-002.*TSK-003|TSK-003.*TSK-001|TSK-001.*TSK-003/s,
    ],
  ])("because it %s is refused, and nothing was begun", (_, text, why) => {
    const project = sampleProject({
      "cupel.config.json": '{ "models": { "standard": "a:b", "strong": "a:b" } }',
    });
    const file = join(temporaryDirectory(), "spec.json");
    writeFileSync(file, text);
    const { code, err } = cupelIn(project, ["run", "--spec", file, "--yes"]);
    expect(code).toBe(2);
    expect(err).toMatch(why);
    const status = cupelIn(project, ["status", "--json"]);
    expect(status.code === 0 ? JSON.parse(status.out) : { tasks: [] }).toMatchObject({ tasks: [] });
  });
});

const ANSWERS = [
  ["--action", "AMEND_SPEC", "--criterion", "one", "--criterion", "two", "--rationale", "amended"],
  ["--action", "ABANDON_TASK", "--rationale", "abandoned"],
];

test(
  "of two people who answer at once one is heard, the other is told, and the product follows the first",
  { timeout: LONG },
  async () => {
    const directory = await haltedProduct();
    const both = ANSWERS.map((answer) => startCupel(directory, ["resolve", id(1), ...answer]).ended);
    const ends = await Promise.all(both);
    const first = ends.findIndex(({ code }) => code === 0);
    expect(ends[first]?.code).toBe(0);
    const second = ends[1 - first];
    expect(second?.code).toBe(2);
    expect(second?.err).toMatch(/the first answer counts|this one is (PENDING|ABANDONED)/);
    expect(second?.err).not.toMatch(/at file:|\.ts:\d/);
    const { tasks } = JSON.parse(cupelIn(directory, ["status", "--json"]).out);
    expect(tasks[0]).toMatchObject({ id: id(1), status: first === 0 ? "PENDING" : "ABANDONED" });
    const events = cupelIn(directory, ["log", "--jsonl"]).out;
    expect(events.match(/"kind":"escalation_resolved"/g)).toHaveLength(1);
  },
);

const seen = (directory: string): Ended[] =>
  [
    ["inbox", "--json"],
    ["log", "--jsonl"],
    ["store", "ls", "--json"],
  ].map((args) => cupelIn(directory, args));

describe("a store of another version", () => {
  test("that is older is brought up to date, with all that it held", { timeout: LONG }, async () => {
    const directory = await haltedProduct();
    const before = seen(directory);
    expect(before.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(before[0]?.out).toContain("ESC-");
    const path = join(directory, ".cupel/cupel.db");
    asOfVersion(path, MIGRATIONS.length - 1);
    expect(seen(directory)).toEqual(before);
    const database = new Database(path);
    expect(database.prepare("PRAGMA user_version").get()).toMatchObject({ user_version: MIGRATIONS.length });
    database.close();
    expect((await checkStateStore(directory, { repair: false })).problems).toEqual([]);
  });

  test("that is newer is refused and left as it is", { timeout: LONG }, async () => {
    const directory = await haltedProduct();
    const database = new Database(join(directory, ".cupel/cupel.db"));
    database.exec(`PRAGMA user_version = ${MIGRATIONS.length + 1}; CREATE TABLE of_the_future (id TEXT)`);
    database.close();
    for (const args of [["status"], ["run", "--resume"], ["resolve", id(1), ...(ANSWERS[0] ?? [])]]) {
      const { code, err } = cupelIn(directory, args);
      expect(code).toBe(78);
      expect(err).toMatch(/was written by a newer Cupel[\s\S]*next: npm install cupel@latest/);
    }
    const after = new Database(join(directory, ".cupel/cupel.db"));
    expect(after.prepare("SELECT count(*) AS n FROM of_the_future").get()).toMatchObject({ n: 0 });
    after.close();
  });
});

/** The same rows in the tables of an earlier version, as a Cupel of that time would have left them. */
function asOfVersion(path: string, version: number): void {
  const old = new Database(`${path}.old`);
  old.exec(MIGRATIONS.slice(0, version).join("\n"));
  old.exec(`ATTACH '${path}' AS new`);
  const tables = old.prepare("SELECT name FROM main.sqlite_master WHERE type = 'table'").all();
  const names = tables.map((row: unknown) => String(Reflect.get(Object(row), "name")));
  for (const name of names) {
    // Later versions may have columns more.
    const columns = old.prepare(`PRAGMA main.table_info(${name})`).all();
    const list = columns.map((row: unknown) => String(Reflect.get(Object(row), "name"))).join(", ");
    old.exec(`DELETE FROM main.${name}; INSERT INTO main.${name} (${list}) SELECT ${list} FROM new.${name}`);
  }
  const application: unknown = old.prepare("PRAGMA new.application_id").get();
  old.exec(`PRAGMA main.application_id = ${String(Reflect.get(Object(application), "application_id"))}`);
  old.exec(`PRAGMA main.user_version = ${version}`);
  old.close();
  for (const rest of ["-wal", "-shm"]) rmSync(`${path}${rest}`, { force: true });
  renameSync(`${path}.old`, path);
}

describe.skipIf(!bubblewrapWorks)("a run (needs bubblewrap)", () => {
  test(
    "on a disk that is full, and later with its workspaces deleted, says so and goes on to the same end",
    { timeout: LONG },
    async () => {
      const { project, spec, script } = smallProduct();
      const replay = ["--replay", script, "--ignore-input"];
      const full = /cupel\.db: the disk takes no more[\s\S]*next: look with df -h/;
      const early = limitedIn(project, 1000, ["run", "--spec", spec, ...replay]);
      expect(early).toMatchObject({ code: 1, err: expect.stringMatching(full) });
      const later = limitedIn(project, 1400, ["run", "--spec", spec, ...replay]);
      expect(later).toMatchObject({ code: 1, err: expect.stringMatching(full) });
      expect(later.err).toContain("STARTED");
      expect(JSON.parse(cupelIn(project, ["status", "--json"]).out).tasks).toHaveLength(2);

      const killed = startCupel(project, ["run", "--resume", ...replay]);
      const workspaces = join(project, ".cupel/workspaces");
      const made = (): boolean => existsSync(workspaces) && readdirSync(workspaces).length > 0;
      while (!made() && killed.child.exitCode === null) await wait(10);
      killed.child.kill("SIGKILL");
      await killed.ended;
      rmSync(workspaces, { recursive: true, force: true });

      const ended = await startCupel(project, ["run", "--resume", ...replay], {}, LONG).ended;
      expect(ended).toMatchObject({ code: 0, err: expect.stringContaining("2/2 shipped") });
      expect((await checkStateStore(project, { repair: false })).problems).toEqual([]);
      expect(readFileSync(join(project, "modules/initials/ship.json"), "utf8")).toContain("MM-initials");
    },
  );
});

/** No file may become longer than so many blocks of 512 bytes. */
function limitedIn(directory: string, blocks: number, args: string[]): Ended {
  const result = spawnSync(
    "sh",
    ["-c", `ulimit -f ${blocks}; exec "$@"`, "sh", process.execPath, BIN, ...args],
    {
      cwd: directory,
      env: { PATH: process.env["PATH"] ?? "" },
      encoding: "utf8",
      timeout: LONG,
    },
  );
  return { code: result.status, out: result.stdout, err: result.stderr };
}
