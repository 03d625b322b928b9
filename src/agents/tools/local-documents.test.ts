import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { localDocuments } from "./local-documents.ts";

const never = new AbortController().signal;

function folder(files: Readonly<Record<string, string | Buffer>>): string {
  const directory = temporaryDirectory();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(directory, path, ".."), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
  return directory;
}

async function found(directory: string, query: string, most = 10): Promise<string[]> {
  const result = await localDocuments(directory).search(query, most, never);
  return result.kind === "found" ? result.hits.map(({ url }) => url) : [];
}

test("gives the passages that share the most telling words, best first, with title and source", async () => {
  const directory = folder({
    "guide/slugs.md": "# Slugs\n\nA slug is the part of an address that names a page.\n\nIt is lower case.",
    "money.md": "# Money\n\nAmounts of money are kept in the smallest unit, and the page says so.",
    "other.txt": "Nothing to see on this page.",
  });
  const result = await localDocuments(directory).search("which slugs name a page", 2, never);
  expect(result).toMatchObject({
    kind: "found",
    hits: [{ url: "guide/slugs.md", title: "Slugs", snippet: expect.stringContaining("lower case") }, {}],
  });
});

test("long documents come in passages, at most three of one document", async () => {
  const paragraphs = Array.from(
    { length: 40 },
    (_, index) => `Rounding rule ${index}. ${"words ".repeat(60)}`,
  );
  const directory = folder({ "long.md": paragraphs.join("\n\n"), "short.md": "One rounding remark." });
  const result = await localDocuments(directory).search("rounding", 10, never);
  const hits = result.kind === "found" ? result.hits : [];
  expect(hits.filter(({ url }) => url === "long.md")).toHaveLength(3);
  expect(hits.map(({ url }) => url)).toContain("short.md");
  for (const { snippet } of hits) expect(snippet.length).toBeLessThan(2000);
});

test("what does not share a word is not a result", async () => {
  expect(await found(folder({ "a.md": "apples" }), "pears")).toEqual([]);
});

test("reads neither links, nor hidden files, nor what is no text, nor what is too large", async () => {
  const outside = folder({ "secret.md": "treasure outside" });
  const directory = folder({
    "plain.md": "treasure here",
    ".hidden/a.md": "treasure hidden",
    "image.png": "treasure in a picture",
    "bytes.md": Buffer.from([0xff, 0xfe, 0x00, 0x74]),
    "large.md": `treasure ${"x".repeat(2_000_000)}`,
  });
  symlinkSync(join(outside, "secret.md"), join(directory, "link.md"));
  symlinkSync(outside, join(directory, "folder"));
  expect(await found(directory, "treasure")).toEqual(["plain.md"]);
});

test.each(["/nowhere/at/all", undefined])("says so when there are no documents (%j)", async (directory) => {
  expect(await localDocuments(directory ?? folder({})).search("anything", 3, never)).toEqual({
    kind: "unavailable",
    why: "the folder of documents is empty or cannot be read",
  });
});

test("a query of signs only finds nothing and does not fail", async () => {
  expect(await found(folder({ "a.md": "text" }), "?!* (.*)+$")).toEqual([]);
});
