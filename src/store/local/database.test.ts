import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import Database from "libsql";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { acquire, everythingIn, furnish } from "../database-bench.suite.ts";
import { eventSample, questionSample } from "../database-samples.suite.ts";
import { databaseSuite } from "../database.suite.ts";
import { Sql } from "../sql.ts";
import { openLocalDatabase } from "./database.ts";
import type { FullDatabase } from "./database.ts";

const NORMAL = { durability: "normal" } as const;

databaseSuite("the local adapter", async () => {
  const directory = mkdtempSync(join(tmpdir(), "cupel-database-"));
  return {
    connect: async (now) => openLocalDatabase(join(directory, "store.db"), { ...NORMAL, now }),
    destroy: async () => rmSync(directory, { recursive: true, force: true }),
  };
});

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "cupel-local-"));
  path = join(directory, ".cupel", "store.db");
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe("a local database", () => {
  it.each(["normal", "full"] as const)(
    "keeps everything when it is closed, with %s durability",
    async (durability) => {
      const first = openLocalDatabase(path, { durability });
      await fill(first);
      const before = await everythingIn(first);
      await first.close();
      expect(await everythingIn(openLocalDatabase(path, { durability }))).toBe(before);
    },
  );

  it("takes the time from the machine unless it is told otherwise", async () => {
    const database = openLocalDatabase(path, NORMAL);
    const before = Date.now();
    await acquire(database, "run:r-1", "worker-a", 1000);
    const [lease] = await database.leases.list();
    const left = Date.parse(lease?.expiresAt ?? "") - before;
    expect(left).toBeGreaterThanOrEqual(1000);
    expect(left).toBeLessThan(11_000);
  });

  it("knows what to do with a path that is partly made of odd characters", async () => {
    const odd = join(directory, 'it\'s a 100% "ü" dir?mode=ro#x', "store.db");
    await fill(openLocalDatabase(odd, NORMAL));
    expect(await openLocalDatabase(odd, NORMAL).journal.latest()).toBe(2);
  });
});

describe("a local database that cannot be opened", () => {
  it.each([
    {
      what: "another program's database",
      code: "store_foreign",
      hint: /point Cupel at another directory/,
      make: () => new Database(path).exec("CREATE TABLE notes (id TEXT)"),
    },
    {
      what: "a newer store",
      code: "store_newer",
      hint: /npm install cupel@latest/,
      make: () => {
        Sql.open(path, NORMAL).close();
        new Database(path).exec("PRAGMA user_version = 999");
      },
    },
    {
      what: "a file that is no database",
      code: "store_damaged",
      hint: /cupel store fsck/,
      make: () => writeFileSync(path, "Dear diary, ".repeat(1000)),
    },
    {
      what: "a short file that is no database",
      code: "store_damaged",
      hint: /cupel store fsck/,
      make: () => writeFileSync(path, "Dear diary"),
    },
    {
      what: "a directory in its place",
      code: "store_readonly",
      hint: /another directory/,
      make: () => mkdirSync(path),
    },
    {
      what: "a file in place of its directory",
      code: "store_readonly",
      hint: /another directory/,
      make: () => {
        rmSync(join(directory, ".cupel"), { recursive: true });
        writeFileSync(join(directory, ".cupel"), "");
      },
    },
    {
      what: "a file in place of the directory above",
      code: "store_readonly",
      hint: /another directory/,
      make: () => {
        rmSync(directory, { recursive: true });
        writeFileSync(directory, "");
      },
    },
  ])("because of $what says so", ({ code, hint, make }) => {
    mkdirSync(join(directory, ".cupel"));
    make();
    expect(() => openLocalDatabase(path, NORMAL)).toThrow(
      expect.objectContaining({
        name: "CupelError",
        code,
        message: expect.stringContaining(path),
        hint: expect.stringMatching(hint),
      }),
    );
  });

  it("because its directory is read-only says so", () => {
    chmodSync(directory, 0o755);
    mkdirSync(join(directory, ".cupel"), { mode: 0o555 });
    expect(() => withoutPrivileges(() => openLocalDatabase(path, NORMAL))).toThrow(
      expect.objectContaining({ code: "store_readonly", hint: expect.stringMatching(/ls -ld/) }),
    );
  });

  it("for writing, because its files are read-only, says so and loses nothing", async () => {
    const database = openLocalDatabase(path, NORMAL);
    await fill(database);
    const before = await everythingIn(database);
    await database.close();
    chmodSync(directory, 0o755);
    for (const file of readdirSync(dirname(path))) chmodSync(join(dirname(path), file), 0o444);
    chmodSync(dirname(path), 0o555);
    const writing = async () =>
      withoutPrivileges(() => openLocalDatabase(path, NORMAL).leases.acquire("run:r-2", "b", 1000));
    await expect(writing()).rejects.toMatchObject({
      code: "store_readonly",
      message: expect.stringContaining(path),
    });
    for (const file of readdirSync(dirname(path))) chmodSync(join(dirname(path), file), 0o644);
    chmodSync(dirname(path), 0o755);
    expect(await everythingIn(openLocalDatabase(path, NORMAL))).toBe(before);
  });
});

/** Root may write anywhere, so it acts as nobody for a moment. */
function withoutPrivileges<T>(work: () => T): T {
  if (process.getuid?.() !== 0) return work();
  process.seteuid?.("nobody");
  try {
    return work();
  } finally {
    process.seteuid?.("root");
  }
}

describe("a local database that is damaged", () => {
  it("because its file was cut off says so instead of answering from what is left", async () => {
    const database = openLocalDatabase(path, NORMAL);
    const fence = await acquire(database, "run:r-1", "worker-a");
    const many = Array.from({ length: 500 }, (_, n) => eventSample(`${n}:${"x".repeat(500)}`));
    await database.journal.append(fence, many);
    await database.close();
    new Database(path).pragma("wal_checkpoint(TRUNCATE)");
    const cut = join(directory, "cut.db");
    renameSync(path, cut);
    truncateSync(cut, 100_000);
    const reading = async () => openLocalDatabase(cut, NORMAL).journal.read(0, 1000);
    await expect(reading()).rejects.toMatchObject({ code: "store_damaged", hint: "cupel store fsck" });
  });

  it.each([
    ["journal", "1", "UPDATE journal SET event = '{'", "journal"],
    ["journal", "1", "UPDATE journal SET event = '{}'", "journal"],
    ["artifacts", '"IMPL-00000001"', "UPDATE artifacts SET envelope = 'null'", "artifacts"],
    ["artifacts", '"IMPL-00000001"', "UPDATE artifacts SET status = 'SHIPPED'", "artifacts"],
    ["artifacts", '"IMPL-00000001"', "UPDATE artifacts SET version = '9.0.0'", "artifacts"],
    ["artifacts", '"IMPL-00000001"', `UPDATE artifacts SET body = '{"../x":"y"}'`, "artifacts"],
    ["artifacts", '"IMPL-00000001"', "UPDATE artifacts SET pillar = ''", "artifacts"],
    ["contributions", '"CONTRIB-00000001"', "UPDATE contributions SET contribution = '[]'", "contributions"],
    ["questions", '"q-1"', "UPDATE questions SET kind = 'gossip'", "inbox"],
    ["questions", '"q-1"', "UPDATE questions SET body = 'x'", "inbox"],
    ["answers", '"q-1"', "UPDATE answers SET answered_at = 'soon'", "inbox"],
    ["answers", '"q-1"', "UPDATE answers SET applied_at = 'never'", "inbox"],
    ["pack_access", "1", "UPDATE pack_access SET granted = 2", "packAudit"],
    ["pack_access", "1", "UPDATE pack_access SET path = '/old'", "packAudit"],
    ["modules", '"MM-slug@1.0.0"', "UPDATE modules SET files = '{}' WHERE module_id = 'MM-slug'", "modules"],
    [
      "modules",
      '"MM-slug@1.0.0"',
      "UPDATE modules SET sealed_at = 'yes' WHERE module_id = 'MM-slug'",
      "modules",
    ],
    ["leases", '"run:r-1"', "UPDATE leases SET token = 0", "leases"],
  ])("names the table %s and the row %s after %s", async (table, key, damage, part) => {
    const database = openLocalDatabase(path, NORMAL);
    await fill(database);
    new Database(path).exec(damage);
    await expect(READS[part]?.(database)).rejects.toMatchObject({
      code: "store_damaged",
      message: expect.stringContaining(`the row ${key} of the table ${table} is damaged:\n`),
      hint: "cupel store fsck",
    });
  });

  it("refuses an answer when nobody knows the schema of its question any more", async () => {
    const database = openLocalDatabase(path, NORMAL);
    const fence = await acquire(database, "run:r-1", "worker-a");
    await database.inbox.ask(fence, questionSample("q-1"));
    new Database(path).exec("UPDATE questions SET answer_schema = 'Gone'");
    await expect(database.inbox.answer("q-1", {}, "Ada")).rejects.toMatchObject({ code: "store_damaged" });
  });
});

const READS: Record<string, (database: FullDatabase) => Promise<unknown>> = {
  journal: ({ journal }) => journal.read(0, 10),
  artifacts: ({ artifacts }) => artifacts.query({}),
  contributions: ({ artifacts }) => artifacts.contributions(),
  inbox: ({ inbox }) => inbox.find("q-1"),
  packAudit: ({ packAudit }) => packAudit.list(),
  modules: ({ modules }) => modules.list(),
  leases: ({ leases }) => leases.list(),
};

async function fill(database: FullDatabase): Promise<void> {
  await furnish(database, await acquire(database, "run:r-1", "worker-a"));
}
