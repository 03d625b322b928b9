import { expect, test } from "vitest";
import { indexEntry, openIndex, wordEmbedder } from "../../test/code-index-samples.ts";
import { temporaryDirectory } from "../../test/temporary.ts";
import type { Embedder } from "./port.ts";

const entries = Array.from({ length: 300 }, (_, n) => indexEntry(`m${n}`, { purpose: `number ${n}` }));

test("vectors of another model are never searched or added to; reindexing says how it goes on", async () => {
  const directory = temporaryDirectory();
  const first = await openIndex(directory, wordEmbedder("test:one"));
  await first.index.append(first.fence, entries.slice(0, 5));
  const second = await openIndex(directory, wordEmbedder("test:two", 300));
  const refusal = {
    code: "index_outdated",
    message: expect.stringMatching(/test:one \(256 dimensions\), but test:two \(300\)/),
    hint: expect.stringMatching(/^cupel index reindex /),
  };
  await expect(second.index.search({ query: "number 3" })).rejects.toMatchObject(refusal);
  await expect(second.index.append(second.fence, entries.slice(5, 6))).rejects.toMatchObject(refusal);
  expect(await second.index.reindex(second.fence)).toEqual({
    entries: 5,
    model: "test:two",
    dimensions: 300,
  });
  expect((await second.index.search({ query: "number 3" }))[0]?.module_id).toBe("MM-m3");
  await second.index.append(second.fence, entries.slice(5, 6));
  await expect(first.index.search({ query: "number 3" })).rejects.toMatchObject({ code: "index_outdated" });
  expect(first.sql.get("SELECT count(*) AS n FROM code_index_vectors")).toEqual({ n: 6 });
});

test("the same model with other dimensions is another model", async () => {
  const directory = temporaryDirectory();
  const one = await openIndex(directory, wordEmbedder("test:one", 256));
  await one.index.append(one.fence, entries.slice(0, 1));
  const two = await openIndex(directory, wordEmbedder("test:one", 512));
  await expect(two.index.search({ query: "x" })).rejects.toMatchObject({ code: "index_outdated" });
});

test("a reindexing that fails half-way leaves the old vectors in use, and goes on where it stopped", async () => {
  const directory = temporaryDirectory();
  const old = await openIndex(directory, wordEmbedder("test:old"));
  await old.index.append(old.fence, entries);
  const fresh = wordEmbedder("test:new");
  const tired = failingAfter(fresh, 1);
  const broken = await openIndex(directory, tired);
  await expect(broken.index.reindex(broken.fence)).rejects.toThrow("tired");
  expect((await old.index.search({ query: "number 7" }))[0]?.module_id).toBe("MM-m7");
  await expect(broken.index.search({ query: "number 7" })).rejects.toMatchObject({ code: "index_outdated" });

  const again = await openIndex(directory, fresh);
  const before = fresh.asked.length;
  const progress: number[] = [];
  await again.index.reindex(again.fence, { onProgress: (done) => progress.push(done) });
  expect(fresh.asked.length - before).toBe(300 - 128);
  expect(progress).toEqual([256, 300]);
  expect((await again.index.search({ query: "number 7" }))[0]?.module_id).toBe("MM-m7");
});

test("entries that come while it goes on are embedded too, before the new vectors are used", async () => {
  const directory = temporaryDirectory();
  const old = await openIndex(directory, wordEmbedder("test:old"));
  await old.index.append(old.fence, entries.slice(0, 3));
  const words = wordEmbedder("test:new");
  let late = 3;
  const slow: Embedder = {
    ...words,
    embed: async (texts) => {
      if (late < 6) await old.index.append(old.fence, entries.slice(late, ++late));
      return words.embed(texts);
    },
  };
  const fresh = await openIndex(directory, slow);
  expect((await fresh.index.reindex(fresh.fence)).entries).toBe(6);
  expect(await fresh.index.search({ query: "number", top_k: 100 })).toHaveLength(6);
});

test("of two at once with different models, the first to begin gives way and harms nothing", async () => {
  const directory = temporaryDirectory();
  const old = await openIndex(directory, wordEmbedder("test:old"));
  await old.index.append(old.fence, entries.slice(0, 3));
  const second = await openIndex(directory, wordEmbedder("test:second"));
  const words = wordEmbedder("test:first");
  const overtaken: Embedder = {
    ...words,
    embed: async (texts) => {
      await second.index.reindex(second.fence);
      return words.embed(texts);
    },
  };
  const first = await openIndex(directory, overtaken);
  await expect(first.index.reindex(first.fence)).rejects.toMatchObject({ code: "stale_fence" });
  expect(await second.index.search({ query: "number", top_k: 100 })).toHaveLength(3);
});

function failingAfter(embedder: Embedder, calls: number): Embedder {
  let left = calls;
  return {
    ...embedder,
    embed: async (texts) => {
      if (left-- === 0) throw new Error("tired");
      return embedder.embed(texts);
    },
  };
}
