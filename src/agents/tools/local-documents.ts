// Search in a folder of documents on this machine: ranked by the words they share with the query, with their paths kept.
import { constants } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { SearchHit, WebSearch } from "./web-search.ts";

const TEXTS = /\.(md|markdown|txt|rst|adoc|html?|json|ya?ml|csv|tex)$/i;
const MAX_FILES = 2000;
const MAX_DEPTH = 12;
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_TOTAL_BYTES = 64 * 1024 * 1024;
/** Passages are this long: enough to answer, little enough to quote. */
const PASSAGE = 800;

/** Read anew at every search, so that it is never older than the folder. Links are not followed. */
export function localDocuments(directory: string): WebSearch {
  return {
    about: "the documents that this project brings along (there is no access to the web)",
    async search(query, maxResults, signal) {
      const wanted = [...new Set(wordsOf(query))];
      const passages: Passage[] = [];
      for await (const { path, text } of documentsIn(directory)) {
        if (signal.aborted) break;
        passages.push(...passagesOf(path, text));
      }
      if (passages.length === 0)
        return { kind: "unavailable", why: "the folder of documents is empty or cannot be read" };
      return { kind: "found", hits: best(passages, wanted, maxResults) };
    },
  };
}

/** Texts below a folder by their paths from it; what is too large, hidden, a link or no text is left out. */
export async function* documentsIn(directory: string): AsyncGenerator<{ path: string; text: string }> {
  let bytes = 0;
  for (const path of await textFiles(directory)) {
    if (bytes > MAX_TOTAL_BYTES) return;
    const text = await read(join(directory, path));
    if (text === undefined) continue;
    bytes += text.length;
    yield { path, text };
  }
}

interface Passage {
  path: string;
  title: string;
  text: string;
  /** How often each word is in it, its title included. */
  counts: ReadonlyMap<string, number>;
  length: number;
}

async function textFiles(directory: string, under = "", depth = 0, found: string[] = []): Promise<string[]> {
  if (depth > MAX_DEPTH) return found;
  const entries = await readdir(join(directory, under), { withFileTypes: true }).catch(() => []);
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (found.length >= MAX_FILES) break;
    const path = under === "" ? entry.name : `${under}/${entry.name}`;
    if (entry.name.startsWith(".")) continue;
    if (entry.isDirectory()) await textFiles(directory, path, depth + 1, found);
    else if (entry.isFile() && TEXTS.test(entry.name)) found.push(path);
  }
  return found;
}

/** Undefined for what is too large, no text, or no plain file any more. */
async function read(path: string): Promise<string | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined,
  );
  if (file === undefined) return undefined;
  try {
    const found = await file.stat();
    if (!found.isFile() || found.size > MAX_FILE_BYTES) return undefined;
    return new TextDecoder("utf-8", { fatal: true }).decode(await file.readFile());
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}

/** Whole paragraphs together, as many as fit. */
function passagesOf(path: string, text: string): Passage[] {
  const title = titleOf(path, text);
  const pieces: string[] = [];
  let piece = "";
  for (const paragraph of text.split(/\n\s*\n/).flatMap(chopped)) {
    if (piece !== "" && piece.length + paragraph.length > PASSAGE) {
      pieces.push(piece);
      piece = "";
    }
    piece = piece === "" ? paragraph : `${piece}\n\n${paragraph}`;
  }
  if (piece.trim() !== "") pieces.push(piece);
  return pieces.map((text) => {
    const words = [...wordsOf(title), ...wordsOf(text)];
    const counts = new Map<string, number>();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    return { path, title, text, counts, length: words.length };
  });
}

function titleOf(path: string, text: string): string {
  const heading =
    /^#{1,3}\s+(.{1,200})$/m.exec(text)?.[1] ?? /<title>([^<]{1,200})<\/title>/i.exec(text)?.[1];
  return heading?.trim() ?? path;
}

function chopped(paragraph: string): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < paragraph.length; start += PASSAGE * 2)
    pieces.push(paragraph.slice(start, start + PASSAGE * 2));
  return pieces;
}

/** How BM25 weighs repetition and length. */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;
/** Of one document; the others have something to say, too. */
const MOST_PER_DOCUMENT = 3;

function best(passages: readonly Passage[], wanted: readonly string[], maxResults: number): SearchHit[] {
  const average = passages.reduce((sum, { length }) => sum + length, 0) / passages.length;
  const weights = wanted.map((word) => {
    const holding = passages.filter(({ counts }) => counts.has(word)).length;
    return { word, weight: Math.log(1 + (passages.length - holding + 0.5) / (holding + 0.5)) };
  });
  const scored = passages.map((passage) => {
    const norm = SATURATION * (1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * passage.length) / average);
    const score = weights.reduce((sum, { word, weight }) => {
      const count = passage.counts.get(word) ?? 0;
      return sum + (weight * count * (SATURATION + 1)) / (count + norm);
    }, 0);
    return { passage, score };
  });
  const taken = new Map<string, number>();
  return scored
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || (a.passage.path < b.passage.path ? -1 : 1))
    .filter(({ passage: { path } }) => {
      taken.set(path, (taken.get(path) ?? 0) + 1);
      return (taken.get(path) ?? 0) <= MOST_PER_DOCUMENT;
    })
    .slice(0, maxResults)
    .map(({ passage: { path, title, text } }) => ({ url: path, title, snippet: text }));
}

function wordsOf(text: string): string[] {
  return (
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.map(stem) ?? []
  );
}

/** Plural and singular are one word; more would need a dictionary. */
function stem(word: string): string {
  return word.length > 3 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
}
