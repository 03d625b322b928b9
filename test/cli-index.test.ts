// `cupel index` as a person uses it, with the embedding model that comes with Cupel.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { localEmbedder } from "../src/code-index/embed-local.ts";
import { LocalCodeIndex } from "../src/code-index/local-code-index.ts";
import type { CodeIndexEntry } from "../src/domain/plan/reuse.ts";
import { Sql } from "../src/store/sql.ts";
import { indexEntry } from "./code-index-samples.ts";
import { cupelIn } from "./cupel-process.ts";
import { leased } from "./store-samples.ts";
import { temporaryDirectory } from "./temporary.ts";

const ENTRIES: CodeIndexEntry[] = [
  indexEntry("slugify", {
    purpose: "Turns a title into a URL-safe slug",
    tags: ["text", "url"],
    io_summary: {
      inputs: ["title: string (not blank)"],
      outputs: ["slug: string"],
      error_surfaces: ["EmptySlug: nothing remains"],
      effects: [],
      modes: ["sync"],
    },
  }),
  indexEntry("iban", {
    purpose: "Verifies the checksum of a bank account number \u001b[31m",
    tags: ["banking"],
    dependencies: ["MM-slugify@^1.0.0"],
  }),
  indexEntry("iban", { version: "1.10.0", purpose: "Verifies bank account numbers", tags: ["banking"] }),
];

test("store fsck looks at every entry, and finds a vector of another text", { timeout: 60_000 }, async () => {
  const project = temporaryDirectory();
  await fill(project, ENTRIES);
  const clean = cupelIn(project, ["store", "fsck", "--json"]);
  expect(JSON.parse(clean.out)).toMatchObject({ clean: true, problems: [], looked: { indexed: 3 } });
  const sql = Sql.open(join(project, ".cupel/cupel.db"), { durability: "normal" });
  sql.run("DROP TRIGGER code_index_stays", []);
  sql.run("UPDATE code_index SET text_hash = 'x' WHERE seq = 1", []);
  sql.close();
  expect(cupelIn(project, ["store", "fsck"]).out).toContain(
    "MM-slugify@1.0.0  its vector was made of another text",
  );
});

test("search, show and reindex", { timeout: 60_000 }, async () => {
  const project = temporaryDirectory();
  await fill(project, ENTRIES);

  const found = cupelIn(project, [
    "index",
    "search",
    "make",
    "a",
    "link",
    "from",
    "a",
    "headline",
    "--top",
    "1",
  ]);
  expect(found).toMatchObject({ code: 0, err: "" });
  expect(found.out).toMatch(
    /^0\.\d\d {2}MM-slugify@1\.0\.0 {2}slugify\n {6}Turns a title into a URL-safe slug\n {6}title: string \(not blank\) → slug: string\n {6}text, url\n$/,
  );

  const asJson: unknown = JSON.parse(
    cupelIn(project, ["index", "search", "money", "--tag", "BANKING", "--tag", "none", "--all", "--json"])
      .out,
  );
  expect(asJson).toHaveLength(2);
  const nothing = cupelIn(project, ["index", "search", "money", "--output-type", "Uint8Array"]);
  expect(nothing.out).toMatch(
    /^None of 3 modules passes the filters\.\nLeave out some of --output-type Uint8Array\.\n--all also/,
  );
  expect(cupelIn(project, ["index", "search", "money"]).out).not.toContain("\u001b");
  expect(cupelIn(project, ["index", "search", "money", "--top", "many"])).toMatchObject({ code: 2 });

  const shown = cupelIn(project, ["index", "show", "MM-slugify"]).out;
  expect(shown).toMatch(/^MM-slugify@1\.0\.0 {2}slugify\n {2}status {5}SHIPPED\n/);
  expect(shown).toMatch(/^ {2}needed by {2}MM-iban@1\.0\.0$/m);
  expect(cupelIn(project, ["index", "show", "MM-iban"]).out).toMatch(/^MM-iban@1\.10\.0 /);
  expect(cupelIn(project, ["index", "show", "MM-ibam"])).toMatchObject({
    code: 2,
    err: expect.stringMatching(/"MM-ibam" is not in the Code Index[^]*next: cupel index show MM-iban/),
  });

  const settings = { codeIndex: { embeddings: "openai-compatible:other", dimensions: 512 } };
  writeFileSync(join(project, "cupel.config.json"), JSON.stringify(settings));
  expect(cupelIn(project, ["index", "search", "money"])).toMatchObject({
    code: 78,
    err: expect.stringMatching(/made with local:minilm[^]*next: cupel index reindex/),
  });
  expect(cupelIn(project, ["index", "reindex"])).toMatchObject({
    code: 78,
    err: expect.stringMatching(/export OPENAI_COMPATIBLE_BASE_URL=/),
  });
  writeFileSync(join(project, "cupel.config.json"), "{}");
  expect(cupelIn(project, ["index", "reindex"])).toMatchObject({
    code: 0,
    out: "3 modules in the Code Index, embedded by local:minilm-l6-v2-512 (384 dimensions).\n",
  });
});

test(
  "an empty index and a directory without a project say what to do next",
  { timeout: 60_000 },
  async () => {
    const project = temporaryDirectory();
    expect(cupelIn(project, ["index", "search", "money"])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/there is no state store[^]*next: change to the directory of your project/),
    });
    await fill(project, []);
    expect(cupelIn(project, ["index", "search", "money"]).out).toMatch(
      /^The Code Index is empty: [^]*cupel index reindex adds them/,
    );
    expect(JSON.parse(cupelIn(project, ["index", "search", "money", "--json"]).out)).toEqual([]);
  },
);

test(
  "reindexing finds what was sealed and never indexed, and says what it cannot read",
  { timeout: 60_000 },
  async () => {
    const project = temporaryDirectory();
    const { store, fence } = await leased(project);
    await store.modules.record(fence, "MM-odd@1.0.0", {
      "contract.json": "{}",
      "examples.md": "",
      "ship.json": "",
    });
    await store.modules.seal(fence, "MM-odd@1.0.0");
    await store.close();
    expect(cupelIn(project, ["index", "reindex"])).toMatchObject({
      code: 13,
      out: expect.stringMatching(/✕ MM-odd@1\.0\.0 cannot be indexed: the contract of MM-odd@1\.0\.0/),
    });
  },
);

async function fill(project: string, entries: CodeIndexEntry[]): Promise<void> {
  const { store, fence } = await leased(project);
  const sql = Sql.open(join(project, ".cupel", "cupel.db"), { durability: "normal" });
  await new LocalCodeIndex({ sql, embedder: localEmbedder() }).append(fence, entries);
  sql.close();
  await store.close();
}
