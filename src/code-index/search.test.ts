// Searches against a model written from the other side, and against whoever means no good.
import fc from "fast-check";
import { expect, test } from "vitest";
import { indexEntry, openIndex, wordEmbedder } from "../../test/code-index-samples.ts";
import { temporaryDirectory } from "../../test/temporary.ts";
import type { CodeIndexEntry } from "../domain/plan/reuse.ts";
import { embeddingText } from "../domain/plan/reuse.ts";

const TAGS = ["text", "Money", "time"];
const TYPES = ["string", "number", "Row[]"];

test("filters and order are those of a naive model", async () => {
  const { index, fence } = await openIndex(temporaryDirectory());
  const entries = Array.from({ length: 60 }, (_, n) =>
    indexEntry(`m${n}`, {
      purpose: ["slug of a title", "parse rows of text", "sum of money", "next time of a job"][n % 4] ?? "",
      tags: TAGS.filter((_tag, bit) => ((n >> bit) & 1) === 1),
      io_summary: {
        inputs: TYPES.filter((_type, bit) => ((n >> (bit + 1)) & 1) === 1).map(
          (type) => `value: ${type} (given)`,
        ),
        outputs: [`out: ${TYPES[n % 3] ?? ""} | null`],
        error_surfaces: [],
        effects: [],
        modes: [],
      },
    }),
  );
  await index.append(fence, entries);
  for (const n of [3, 10, 17]) {
    await index.setStatus(fence, `MM-m${n}@1.0.0`, { to: "DEPRECATED", note: "n" });
  }
  const given = new Map((await index.list()).map((entry) => [entry.module_id, entry]));
  const Query = fc.record({
    query: fc.constantFrom("title slug", "money", "a job in time", "zebra"),
    tags: some(["TEXT", "money ", "nothing"]),
    input_types: some(["String", "Array<Row>", "bigint"]),
    output_types: some(["number", "null", "string|null"]),
    include_inactive: fc.boolean(),
    top_k: fc.integer({ min: 1, max: 70 }),
  });
  await fc.assert(
    fc.asyncProperty(Query, async (query) => {
      const hits = await index.search(query);
      const fits = entries
        .map(({ module_id }) => given.get(module_id))
        .filter((entry) => entry !== undefined)
        .filter((entry) => naiveFit(entry, query));
      expect(hits.length).toBe(Math.min(fits.length, query.top_k));
      expect(fits.map(({ module_id }) => module_id)).toEqual(
        expect.arrayContaining(hits.map(({ module_id }) => module_id)),
      );
      const scores = hits.map(({ similarity_score }) => similarity_score);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true);
      const more = await index.search({ ...query, top_k: 100 });
      expect(hits).toEqual(more.slice(0, query.top_k));
    }),
    { numRuns: 150 },
  );
});

function some(values: string[]) {
  return fc.option(fc.subarray(values), { nil: undefined });
}

interface Filters {
  tags?: string[] | undefined;
  input_types?: string[] | undefined;
  output_types?: string[] | undefined;
  include_inactive: boolean;
}

/** Spelled out for the values above, without any of the index's own functions. */
function naiveFit(
  entry: CodeIndexEntry,
  { tags, input_types, output_types, include_inactive }: Filters,
): boolean {
  const [output = ""] = entry.io_summary.outputs;
  return (
    (include_inactive || entry.status === "SHIPPED") &&
    has(tags, (tag) => entry.tags.some((each) => each.toLowerCase() === tag.trim().toLowerCase())) &&
    has(input_types, (type) => {
      const line = { String: "value: string (given)", "Array<Row>": "value: Row[] (given)" }[type];
      return line !== undefined && entry.io_summary.inputs.includes(line);
    }) &&
    has(output_types, (type) => {
      const names = { number: ["number"], null: TYPES, "string|null": ["string"] }[type] ?? [];
      return names.some((name) => output === `out: ${name} | null`);
    })
  );
}

function has(wanted: string[] | undefined, there: (value: string) => boolean): boolean {
  return wanted === undefined || wanted.length === 0 || wanted.some(there);
}

test("the score is the cosine of the vectors when no word is shared", async () => {
  const embedder = { ...wordEmbedder(), embed: async (texts: readonly string[]) => texts.map(vectorOf) };
  const { index, fence } = await openIndex(temporaryDirectory(), embedder);
  await index.append(fence, [indexEntry("a")]);
  const [hit] = await index.search({ query: "wholly other" });
  expect(hit?.similarity_score).toBeCloseTo(0.6, 5);
});

function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(256);
  vector[0] = text === "wholly other" ? 3 : 2;
  vector[1] = text === "wholly other" ? 4 : 0;
  return vector;
}

test("equal scores come in the order in which they were appended, also after a change and in another process", async () => {
  const directory = temporaryDirectory();
  const { index, fence } = await openIndex(directory);
  const twins = Array.from({ length: 30 }, (_, n) => indexEntry("same", { version: `1.0.${29 - n}` }));
  await index.append(fence, twins);
  await index.addNote(fence, "MM-same@1.0.20", "moves to the end of what changed");
  const order = twins.map(({ version }) => version).slice(0, 7);
  const other = await openIndex(directory);
  for (const each of [index, other.index]) {
    expect((await each.search({ query: "same", top_k: 7 })).map(({ version }) => version)).toEqual(order);
  }
});

test("what another process appends or gives up shows in the next search", async () => {
  const directory = temporaryDirectory();
  const { index, fence } = await openIndex(directory);
  const other = await openIndex(directory);
  expect(await other.index.search({ query: "a" })).toEqual([]);
  await index.append(fence, [indexEntry("a")]);
  expect(await other.index.search({ query: "a" })).toHaveLength(1);
  await index.append(fence, [indexEntry("b")]);
  expect(await other.index.search({ query: "a" })).toHaveLength(2);
  await index.setStatus(fence, "MM-b@1.0.0", { to: "DEPRECATED", note: "n" });
  expect(await other.index.search({ query: "a" })).toHaveLength(1);
});

test("an index of several pages is taken over whole, and then only what is new", async () => {
  const { index, fence, sql } = await openIndex(temporaryDirectory());
  await index.append(
    fence,
    Array.from({ length: 2100 }, (_, n) =>
      indexEntry(`m${n}`, { tags: [n % 700 === 699 ? "some" : "other"] }),
    ),
  );
  const found = await index.search({ query: "m1399", tags: ["some"] });
  expect(found.map(({ name }) => name)).toEqual(["m1399", "m699", "m2099"]);
  const read: number[] = [];
  const all = sql.all.bind(sql);
  sql.all = (...given) => {
    const rows = all(...given);
    read.push(rows.length);
    return rows;
  };
  await index.append(fence, [indexEntry("late", { tags: ["some"] })]);
  expect(await index.search({ query: "late", tags: ["some"] })).toHaveLength(4);
  expect(Math.max(...read)).toBe(1);
});

const NASTY = [
  'a" OR "b',
  "NEAR(a b, 2) AND NOT c*",
  "name: ^x -y {z}",
  "'; DROP TABLE code_index; --",
  "\u0000nul\u0000",
  "half \ud800 pair",
  "🙂🙃",
  "!!! … ???",
  "\u200b",
  "long ".repeat(5000),
];

test.each(NASTY)("a hostile query is only a query: %j", async (query) => {
  const { index, fence } = await openIndex(temporaryDirectory());
  await index.append(fence, [indexEntry("a"), indexEntry("b")]);
  expect(await index.search({ query })).toHaveLength(2);
});

test("hostile entries come back as they were", async () => {
  const { index, fence } = await openIndex(temporaryDirectory());
  const entries = [...NASTY, "p".repeat(100_000), "constructor __proto__ toString"].map((text, n) =>
    indexEntry(`n${n}`, { purpose: text.trim() || "x", tags: [text.trim() || "x"], notes: text }),
  );
  await index.append(fence, entries);
  for (const entry of entries) expect(await index.get(`${entry.module_id}@1.0.0`)).toEqual(entry);
  const [hit] = await index.search({ query: "anything", tags: ["half \ud800 pair"] });
  expect(hit?.module_id).toBe("MM-n5");
  expect(embeddingText(entries[0] ?? indexEntry("none"))).toContain('a" OR "b');
  const tooLong = indexEntry("huge", { purpose: "p".repeat(2_000_000) });
  await expect(index.append(fence, [tooLong])).rejects.toMatchObject({ code: "invalid_input" });
});

test("a model that answers nonsense is refused, and nothing is kept of it", async () => {
  for (const vector of [[Number.NaN], [0], [Infinity], [1, 2]]) {
    const embedder = {
      ...wordEmbedder(),
      embed: async () => [new Float32Array(vector.length === 2 ? 2 : 256).fill(vector[0] ?? 0)],
    };
    const { index, fence } = await openIndex(temporaryDirectory(), embedder);
    await expect(index.append(fence, [indexEntry("a")])).rejects.toMatchObject({ code: "embedding_failed" });
    expect(await index.size()).toBe(0);
  }
  for (const dimensions of [255, 1537, 1.5]) {
    await expect(openIndex(temporaryDirectory(), wordEmbedder("m", dimensions))).rejects.toMatchObject({
      code: "invalid_config",
    });
  }
});
