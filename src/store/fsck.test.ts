// The check of the store: clean on a good one, and for every kind of damage that is planted it names the place.
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import Database from "libsql";
import { describe, expect, test } from "vitest";
import { filledStore } from "../../test/store-samples.ts";
import { temporaryDirectory } from "../../test/temporary.ts";
import { checkStateStore } from "./state-store.ts";

interface Planted {
  project: string;
  root: string;
  /** The shipped artifact and the one in debate. */
  ids: string[];
  sql(statement: string): void;
}

async function planted(): Promise<Planted> {
  const project = temporaryDirectory();
  const { store, fence, ids } = await filledStore(project);
  await store.leases.release(fence);
  await store.close();
  return {
    project,
    root: store.root,
    ids,
    sql: (statement) => {
      const database = new Database(join(project, ".cupel/cupel.db"));
      database.exec(statement);
      database.close();
    },
  };
}

function artifactFile({ root, ids }: Planted, file: string): string {
  return join(root, "artifacts/text", ids[0] ?? "", "1.0.0", file);
}

function firstPayload({ root }: Planted): string {
  const [shard = ""] = readdirSync(join(root, "payloads")).toSorted();
  const [name = ""] = readdirSync(join(root, "payloads", shard));
  return join(root, "payloads", shard, name);
}

const LOST = `sha256:${"ab".repeat(32)}`;
const SAID_NOTHING = { usage: "unknown", costUsd: "unknown" };
const CALL_ENDED = {
  kind: "role_call_finished",
  role: "arbiter",
  task: null,
  module: null,
  node: "ask",
  attempt: 1,
  ...SAID_NOTHING,
  transcriptRef: LOST,
};
const VERDICT = {
  kind: "gate_verdict_recorded",
  task: "T-a-b-c-001",
  module: "MM-slug@1.0.0",
  during: "ship",
  blocks: true,
  verdict: {
    verdict: "ERROR",
    gate: "green",
    evidence: [LOST],
    durationMs: 1,
    costUsd: 0,
    denominator: 0,
    findings: [],
    message: "it broke",
  },
};

function event(seq: number, { kind, ...rest }: { kind: string }): string {
  const at = "2026-01-02T03:04:05Z";
  const text = JSON.stringify({ kind, at, runId: "r-test", ...rest });
  return `INSERT INTO journal VALUES (${seq}, 'r-test', '${at}', '${kind}', '${text}')`;
}

function entryRow(entry: string): string {
  return `INSERT INTO code_index VALUES (1, 'MM-slug', '1.0.0', '${entry}', 'x', 'SHIPPED', NULL, '""', 1);`;
}

test("a good store is clean, and the check says how much it looked at", async () => {
  const { project } = await planted();
  expect(await checkStateStore(project, { repair: false })).toEqual({
    clean: true,
    problems: [],
    leftovers: [],
    looked: {
      events: 3,
      artifacts: 2,
      contributions: 0,
      questions: 0,
      modules: 1,
      tasks: 0,
      indexed: 0,
      payloads: expect.any(Number),
      files: 11,
    },
  });
});

describe("damage is named with its place", () => {
  const plants: [string, (store: Planted) => void, RegExp][] = [
    [
      "a changed payload",
      (s) => appendFileSync(firstPayload(s), "x"),
      /sha256:\S+ the bytes are not what was stored/,
    ],
    ["a lost payload", (s) => rmSync(firstPayload(s)), /its payload sha256:\S+ is missing/],
    [
      "a changed file",
      (s) => writeFileSync(artifactFile(s, "body/contract.json"), "two"),
      /body\/contract.json the file was changed/,
    ],
    ["a lost file", (s) => rmSync(artifactFile(s, "envelope.json")), /envelope.json the file is missing/],
    [
      "a forged envelope",
      (s) => forge(artifactFile(s, "envelope.json")),
      /envelope.json the file was changed/,
    ],
    [
      "changed sealed code",
      (s) => writeFileSync(join(s.root, "modules/MM-slug/1.0.0/implementation/index.ts"), "evil"),
      /implementation\/index.ts the file was changed/,
    ],
    [
      "an event taken out of the journal",
      (s) => s.sql("DELETE FROM journal WHERE seq = 2"),
      /journal 3 expected number 2: events are missing/,
    ],
    [
      "an event that is none",
      (s) => s.sql(`UPDATE journal SET event = '{"kind":"nonsense"}' WHERE seq = 2`),
      /journal 2 \$\.kind: expected one of/,
    ],
    [
      "an event that is not even JSON",
      (s) => s.sql("UPDATE journal SET event = '{' WHERE seq = 2"),
      /journal 2/,
    ],
    [
      "a transcript that nobody kept",
      (s) => s.sql(event(4, CALL_ENDED)),
      /journal 4 transcript its payload sha256:(ab){32} is missing/,
    ],
    [
      "a verdict that rests on nothing",
      (s) => s.sql(event(4, VERDICT)),
      /journal 4 evidence 1 of green its payload sha256:(ab){32} is missing/,
    ],
    [
      "an entry of the Code Index that is none",
      (s) => s.sql(entryRow("{}")),
      /Code Index MM-slug@1\.0\.0 \$\.entry\.\w+: expected/,
    ],
    [
      "an entry of the Code Index that nobody can find",
      (s) => s.sql(`${entryRow("{}")} INSERT INTO code_index_generations VALUES (1, 'm', 256, 'current');`),
      /Code Index MM-slug@1\.0\.0 it has no vector/,
    ],
    [
      "a vector of the Code Index that was cut",
      (s) =>
        s.sql(
          `${entryRow("{}")} INSERT INTO code_index_generations VALUES (1, 'm', 256, 'current');
           INSERT INTO code_index_vectors VALUES (1, 1, 1, x'0000');`,
        ),
      /Code Index entry 1 its vector has 2 bytes/,
    ],
    [
      "a vector of the Code Index without an entry",
      (s) => s.sql("PRAGMA foreign_keys = OFF; INSERT INTO code_index_vectors VALUES (1, 1, 9, x'0000');"),
      /Code Index entry 9 there is a vector of it, but no entry/,
    ],
    [
      "a budget that forgets what was spent",
      (s) => s.sql(`INSERT INTO run_budgets VALUES ('r-1', '{"reservations":{}}')`),
      /run_budgets r-1 \$\.budget\.run: expected an object, found nothing/,
    ],
    [
      "a status that skips the debate",
      (s) => s.sql("DELETE FROM artifact_transitions WHERE to_status = 'ADJUDICATED'"),
      /a change from ADJUDICATED was recorded when it was CHALLENGED/,
    ],
    [
      "a status nobody recorded",
      (s) =>
        s.sql(
          `UPDATE artifacts SET status = 'SHIPPED', envelope = json_set(envelope, '$.status', 'SHIPPED') WHERE status = 'CHALLENGED'`,
        ),
      /it is SHIPPED, but its recorded changes end in CHALLENGED/,
    ],
    [
      "row and envelope that disagree",
      (s) => s.sql("UPDATE artifacts SET status = 'DRAFT' WHERE status = 'SHIPPED'"),
      /its status differs between row and envelope/,
    ],
    [
      "an envelope that is none",
      (s) => s.sql("UPDATE artifacts SET envelope = json_set(envelope, '$.created_at', 'yesterday')"),
      /created_at: expected a valid datetime/,
    ],
    [
      "a reference to nothing",
      (s) =>
        s.sql(
          `UPDATE artifacts SET envelope = json_set(envelope, '$.inputs[0].ref', 'CTR-00000000@1.0.0') WHERE status = 'CHALLENGED'`,
        ),
      /it refers to CTR-00000000@1.0.0, which is not in the store/,
    ],
    [
      "a version that falls back",
      (s) =>
        s.sql(
          `UPDATE artifacts SET version = '0.9.0', envelope = json_set(envelope, '$.version', '0.9.0') WHERE status = 'CHALLENGED'; UPDATE artifacts SET lineage = 'one'`,
        ),
      /its version 0.9.0 does not follow 1.0.0/,
    ],
    [
      "an answer that its question does not take",
      (s) =>
        s.sql(
          `INSERT INTO questions (id, kind, run_id, title, body, answer_schema, asked_at) VALUES ('q1', 'budget', 'r', 't', '{}', 'TaskStatus', '2026-01-01T00:00:00Z'); INSERT INTO answers (question_id, answer, answered_by, answered_at) VALUES ('q1', '"MAYBE"', 'me', '2026-01-01T00:00:00Z')`,
        ),
      /question q1 \$: expected one of "PENDING"/,
    ],
  ];

  test.each(plants)("%s", async (_name, plant, message) => {
    const store = await planted();
    plant(store);
    const report = await checkStateStore(store.project, { repair: false });
    expect(report.problems.map(({ where, what }) => `${where} ${what}`).join("\n")).toMatch(message);
    expect(report.clean).toBe(false);
  });
});

describe("what a crash leaves is told apart from damage", () => {
  test("an envelope older than the database, and files without a row, are leftovers", async () => {
    const store = await planted();
    forge(artifactFile(store, "envelope.json"), "ADJUDICATED");
    writeFileSync(join(store.root, "artifacts/text/orphan.json"), "{}");
    const report = await checkStateStore(store.project, { repair: false });
    expect(report.clean).toBe(true);
    expect(report.leftovers.map(({ what }) => what)).toEqual([
      "the file is older than the database",
      "nothing in the database knows this file",
    ]);
  });
});

describe("repair", () => {
  test("rebuilds files from the database and clears old leftovers, but not young ones", async () => {
    const store = await planted();
    writeFileSync(artifactFile(store, "body/contract.json"), "changed");
    rmSync(artifactFile(store, "envelope.json"));
    for (const name of ["old", "young"]) writeFileSync(join(store.root, `artifacts/text/${name}`), "");
    utimesSync(join(store.root, "artifacts/text/old"), 0, 0);
    const report = await checkStateStore(store.project, { repair: true });
    expect(report).toMatchObject({ clean: true, leftovers: [{ where: "artifacts/text/young" }] });
    expect(readFileSync(artifactFile(store, "body/contract.json"), "utf8")).toBe("one");
  });

  test("is refused while somebody works", async () => {
    const project = temporaryDirectory();
    const { store } = await filledStore(project);
    await expect(checkStateStore(project, { repair: true })).rejects.toMatchObject({ code: "store_busy" });
    await store.close();
  });

  test("touches only what the database answers for", async () => {
    const store = await planted();
    const others = ["context_packs/CP-1.json", "project/state_machine.json", "escalations/ESC-1.json"].map(
      (path) => join(store.root, path),
    );
    for (const path of others) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, "{}");
      utimesSync(path, 0, 0);
    }
    await checkStateStore(store.project, { repair: true });
    expect(others.filter((path) => !existsSync(path))).toEqual([]);
  });

  test("removes nothing while the database itself is damaged: a file may be the last good copy", async () => {
    const store = await planted();
    store.sql("UPDATE artifacts SET envelope = substr(envelope, 1, 40)");
    const copy = artifactFile(store, "envelope.json");
    utimesSync(copy, 0, 0);
    expect((await checkStateStore(store.project, { repair: true })).clean).toBe(false);
    expect(existsSync(copy)).toBe(true);
  });

  test("writes nowhere else, whatever a row says", async () => {
    const store = await planted();
    store.sql(`UPDATE artifacts SET body = replace(body, 'contract.json', '../../../../../../pwned.txt')`);
    const report = await checkStateStore(store.project, { repair: true });
    expect(report.problems.map(({ what }) => what).join("\n")).toContain("a relative path without . and ..");
    expect(
      readdirSync(store.project, { recursive: true, encoding: "utf8" }).filter((path) =>
        path.includes("pwned"),
      ),
    ).toEqual([]);
  });

  test("does not hide what it cannot mend", async () => {
    const store = await planted();
    rmSync(firstPayload(store));
    expect((await checkStateStore(store.project, { repair: true })).clean).toBe(false);
  });
});

function forge(path: string, status = "DEPRECATED"): void {
  writeFileSync(path, readFileSync(path, "utf8").replace('"SHIPPED"', `"${status}"`));
}
