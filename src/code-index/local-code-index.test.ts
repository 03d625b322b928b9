import { expect, test } from "vitest";
import { indexEntry, openIndex, wordEmbedder } from "../../test/code-index-samples.ts";
import { temporaryDirectory } from "../../test/temporary.ts";
import { CupelError } from "../domain/error.ts";
import { embeddingText } from "../domain/plan/reuse.ts";

test("what is appended is found, whole and with a score", async () => {
  const { index, fence } = await openIndex(temporaryDirectory());
  const slug = indexEntry("slug", { purpose: "Turns a title into a slug", tags: ["url"] });
  const csv = indexEntry("csv", { purpose: "Parses comma separated rows" });
  expect(await index.append(fence, [slug, csv])).toEqual({
    appended: ["MM-slug@1.0.0", "MM-csv@1.0.0"],
    known: [],
  });
  const hits = await index.search({ query: "comma separated rows" });
  expect(hits.map(({ module_id }) => module_id)).toEqual(["MM-csv", "MM-slug"]);
  expect(hits[0]).toEqual({ ...csv, similarity_score: expect.closeTo(1, 0) });
  expect(hits[1]?.similarity_score).toBeLessThan(hits[0]?.similarity_score ?? 0);
});

test("the embedder gets exactly the text of the entry, and the query as it is", async () => {
  const embedder = wordEmbedder();
  const { index, fence } = await openIndex(temporaryDirectory(), embedder);
  const entry = indexEntry("slug", { tags: ["a", "b"] });
  await index.append(fence, [entry]);
  await index.search({ query: "make a slug" });
  const io =
    '{"inputs":["text: string"],"outputs":["text: string"],"error_surfaces":[],"effects":[],"modes":["sync"]}';
  expect(embedder.asked).toEqual([`Does what slug does\na, b\n${io}`, "make a slug"]);
  expect(embeddingText(entry)).toBe(embedder.asked[0]);
});

test("the same entry again changes nothing and costs nothing; another under its key is refused", async () => {
  const embedder = wordEmbedder();
  const { index, fence } = await openIndex(temporaryDirectory(), embedder);
  const entry = indexEntry("slug");
  await index.append(fence, [entry]);
  await index.setStatus(fence, "MM-slug@1.0.0", { to: "DEPRECATED", note: "nobody needs it" });
  expect(await index.append(fence, [entry, indexEntry("new")])).toEqual({
    appended: ["MM-new@1.0.0"],
    known: ["MM-slug@1.0.0"],
  });
  expect(embedder.asked).toHaveLength(2);
  const other = indexEntry("slug", { purpose: "Does something else" });
  await expect(index.append(fence, [indexEntry("third"), other])).rejects.toMatchObject({
    code: "already_exists",
  });
  await expect(
    index.append(fence, [indexEntry("twin"), indexEntry("twin", { name: "x" })]),
  ).rejects.toMatchObject({
    code: "already_exists",
  });
  expect(await index.size()).toBe(2);
  expect((await index.get("MM-slug@1.0.0"))?.status).toBe("DEPRECATED");
});

test("who comes second with the same entry finds it known; with another it is refused", async () => {
  const directory = temporaryDirectory();
  const first = await openIndex(directory);
  const words = wordEmbedder();
  const overtaken = {
    ...words,
    embed: async (texts: readonly string[]) => {
      await first.index.append(first.fence, [indexEntry("a"), indexEntry("b")]);
      return words.embed(texts);
    },
  };
  const { index, fence } = await openIndex(directory, overtaken);
  expect(await index.append(fence, [indexEntry("a"), indexEntry("c")])).toEqual({
    appended: ["MM-c@1.0.0"],
    known: ["MM-a@1.0.0"],
  });
  const late = await openIndex(directory, overtaken);
  await expect(late.index.append(late.fence, [indexEntry("b", { name: "other" })])).rejects.toMatchObject({
    code: "already_exists",
  });
  expect(await index.size()).toBe(3);
});

test("a status goes one way, leaves a note with its time, and can be said twice", async () => {
  const { index, fence } = await openIndex(temporaryDirectory());
  await index.append(fence, [indexEntry("a"), indexEntry("a", { version: "2.0.0" }), indexEntry("b")]);
  const supersede = { to: "SUPERSEDED", successor: "MM-a@2.0.0", note: "use the new one" } as const;
  expect(await index.setStatus(fence, "MM-a@1.0.0", supersede)).toBe(true);
  expect(await index.setStatus(fence, "MM-a@1.0.0", supersede)).toBe(false);
  expect(await index.get("MM-a@1.0.0")).toMatchObject({
    status: "SUPERSEDED",
    superseded_by: "MM-a@2.0.0",
    notes: "2026-01-02T03:04:05.000Z SUPERSEDED by MM-a@2.0.0: use the new one",
  });
  const refused = async (ref: string, change: Parameters<typeof index.setStatus>[2]): Promise<string> =>
    index.setStatus(fence, ref, change).then(
      () => "done",
      (error: unknown) => (error instanceof CupelError ? error.code : String(error)),
    );
  expect(await refused("MM-a@1.0.0", { to: "DEPRECATED", note: "n" })).toBe("illegal_transition");
  expect(await refused("MM-b@1.0.0", { to: "SUPERSEDED", note: "n" })).toBe("invalid_input");
  expect(await refused("MM-b@1.0.0", { to: "SUPERSEDED", successor: "MM-c@1.0.0", note: "n" })).toBe(
    "not_found",
  );
  expect(await refused("MM-a@2.0.0", { to: "SUPERSEDED", successor: "MM-a@1.0.0", note: "n" })).toBe(
    "dependency_cycle",
  );
  expect(await refused("MM-b@1.0.0", { to: "SUPERSEDED", successor: "MM-b@1.0.0", note: "n" })).toBe(
    "dependency_cycle",
  );
  expect(await refused("MM-b@1.0.0", { to: "DEPRECATED", note: "  " })).toBe("invalid_input");
  expect((await index.get("MM-b@1.0.0"))?.status).toBe("SHIPPED");
  await index.addNote(fence, "MM-a@1.0.0", "still there");
  expect((await index.get("MM-a@1.0.0"))?.notes.split("\n")).toHaveLength(2);
});

test("what is given up is found only when asked for", async () => {
  const { index, fence } = await openIndex(temporaryDirectory());
  await index.append(fence, [indexEntry("old"), indexEntry("new")]);
  await index.search({ query: "old" });
  await index.setStatus(fence, "MM-old@1.0.0", { to: "DEPRECATED", note: "n" });
  const found = async (include_inactive: boolean): Promise<string[]> =>
    (await index.search({ query: "old", include_inactive })).map(({ module_id }) => module_id);
  expect(await found(false)).toEqual(["MM-new"]);
  expect(await found(true)).toEqual(["MM-old", "MM-new"]);
});

test("dependents are those whose ranges admit the version", async () => {
  const { index, fence } = await openIndex(temporaryDirectory());
  await index.append(fence, [
    indexEntry("base"),
    indexEntry("near", { dependencies: ["MM-base@^1.0.0"] }),
    indexEntry("far", { dependencies: ["MM-base@^2.0.0"] }),
    indexEntry("talk", { purpose: 'Speaks of "MM-base@ only' }),
  ]);
  expect((await index.dependents("MM-base@1.4.0")).map(({ name }) => name)).toEqual(["near"]);
});

test("a stale fence writes nothing", async () => {
  const { index, sql } = await openIndex(temporaryDirectory());
  const stale = { name: "run:gone", token: 1 };
  await expect(index.append(stale, [indexEntry("a")])).rejects.toMatchObject({ code: "stale_fence" });
  await expect(index.reindex(stale)).rejects.toMatchObject({ code: "stale_fence" });
  expect(await index.size()).toBe(0);
  expect(sql.all("SELECT * FROM code_index_generations")).toEqual([]);
});

test("the database itself refuses to delete, to replace, to rewrite and to go back", async () => {
  const { index, fence, sql } = await openIndex(temporaryDirectory());
  await index.append(fence, [indexEntry("a")]);
  await index.setStatus(fence, "MM-a@1.0.0", { to: "DEPRECATED", note: "n" });
  const copy = "module_id, version, entry, text_hash, status, superseded_by, notes, revision";
  const forbidden = [
    "DELETE FROM code_index",
    `INSERT OR REPLACE INTO code_index (${copy}) SELECT ${copy} FROM code_index`,
    "UPDATE code_index SET entry = '{}'",
    "UPDATE code_index SET version = '9.9.9'",
    "UPDATE code_index SET status = 'SHIPPED'",
    "DELETE FROM code_index_vectors",
    "UPDATE code_index_vectors SET vector = x'00'",
  ];
  for (const statement of forbidden) expect(() => sql.run(statement)).toThrow(/append-only|never/);
  expect(await index.get("MM-a@1.0.0")).toMatchObject({ status: "DEPRECATED", name: "a" });
});

test("an empty index answers with nothing and asks no model", async () => {
  const embedder = wordEmbedder();
  const { index } = await openIndex(temporaryDirectory(), embedder);
  expect(await index.search({ query: "anything" })).toEqual([]);
  expect(await index.list()).toEqual([]);
  expect(embedder.asked).toEqual([]);
});

test("a watcher sees what another connection appends and changes, in order", async () => {
  const directory = temporaryDirectory();
  const { index, fence } = await openIndex(directory);
  const watcher = await openIndex(directory);
  await index.append(fence, [indexEntry("a")]);
  const stop = new AbortController();
  const seen: string[] = [];
  for await (const { entry } of watcher.index.watch(0, { signal: stop.signal, pollMs: 1 })) {
    seen.push(`${entry.name} ${entry.status}`);
    if (seen.length === 1) await index.append(fence, [indexEntry("b")]);
    if (seen.length === 2) await index.setStatus(fence, "MM-a@1.0.0", { to: "DEPRECATED", note: "n" });
    if (seen.length === 3) stop.abort();
  }
  expect(seen).toEqual(["a SHIPPED", "b SHIPPED", "a DEPRECATED"]);
});
