// Reads trees and blobs out of a repository that Cupel owns, in as few processes as possible.
import { buffer } from "node:stream/consumers";
import { CupelError } from "../../domain/error.ts";
import { asBytePath } from "./byte-path.ts";
import type { BytePath } from "./byte-path.ts";
import { startGit } from "./git.ts";
import { isHash, remembered } from "./known-objects.ts";
import type { RunningCommand } from "../process/run-command.ts";

export interface TreeEntry {
  path: BytePath;
  /** 100644, 100755, 120000 (symbolic link) or 160000 (another repository's commit). */
  mode: string;
  id: string;
}

const LISTINGS = remembered<readonly TreeEntry[]>((entries) => entries.length, { each: 5_000, all: 50_000 });
const CONTENTS = remembered<Buffer>((bytes) => bytes.length, { each: 1 << 18, all: 1 << 25 });

/** Every file below a commit or tree, in git's order. */
export async function listTree(gitDir: string, treeish: string): Promise<TreeEntry[]> {
  const known = LISTINGS.read(`${gitDir} ${treeish}`);
  if (known !== undefined) return [...known];
  const entries = await readListing(gitDir, treeish);
  if (isHash(treeish)) LISTINGS.write(`${gitDir} ${treeish}`, entries);
  return [...entries];
}

/** Whether what is below it was listed before, so that it is there. */
export function isListed(gitDir: string, treeish: string): boolean {
  return LISTINGS.read(`${gitDir} ${treeish}`) !== undefined;
}

async function readListing(gitDir: string, treeish: string): Promise<TreeEntry[]> {
  const listing = startGit(["ls-tree", "-r", "-z", "--full-tree", treeish], { gitDir });
  listing.stdin.end();
  const [output, errors, ending] = await Promise.all([
    buffer(listing.stdout),
    buffer(listing.stderr),
    listing.ended,
  ]);
  if (ending.kind !== "exited" || ending.code !== 0) {
    throw new CupelError("git_failed", `git ls-tree ${treeish}: ${errors.toString("utf8").trim()}`);
  }
  return output
    .toString("latin1")
    .split("\0")
    .filter((line) => line !== "")
    .map(parseEntry);
}

function parseEntry(line: string): TreeEntry {
  // "100644 blob <id>\t<path>"
  const tab = line.indexOf("\t");
  const [mode = "", , id = ""] = line.slice(0, tab).split(" ");
  return { path: asBytePath(line.slice(tab + 1)), mode, id };
}

/** Every wanted file below a commit or tree with its content; both processes start at once. */
export async function* readTree(
  gitDir: string,
  treeish: string,
  wanted: (entry: TreeEntry) => boolean,
): AsyncGenerator<TreeEntry & { content: Buffer }> {
  const known = LISTINGS.read(`${gitDir} ${treeish}`)?.filter(wanted);
  const kept = known?.flatMap((entry) => {
    const content = CONTENTS.read(`${gitDir} ${entry.id}`);
    return content === undefined ? [] : [{ ...entry, content: Buffer.from(content) }];
  });
  if (kept !== undefined && kept.length === known?.length) {
    yield* kept;
    return;
  }
  const reader = startGit(["cat-file", "--batch", "--buffer"], { gitDir });
  let entries: TreeEntry[];
  try {
    entries = (await listTree(gitDir, treeish)).filter(wanted);
  } catch (error) {
    reader.kill();
    throw error;
  }
  const contents = readFrom(reader, gitDir, entries);
  for (const entry of entries) {
    const { value } = await contents.next();
    if (value === undefined) continue;
    CONTENTS.write(`${gitDir} ${entry.id}`, Buffer.from(value));
    yield { ...entry, content: value };
  }
  await contents.next();
}

/** The content of each blob, in the order asked; one process for all of them. */
export async function* readBlobs(gitDir: string, ids: readonly string[]): AsyncGenerator<Buffer> {
  if (ids.length === 0) return;
  const reader = startGit(["cat-file", "--batch", "--buffer"], { gitDir });
  yield* readFrom(
    reader,
    gitDir,
    ids.map((id) => ({ id })),
  );
}

async function* readFrom(
  reader: RunningCommand,
  gitDir: string,
  wanted: readonly { id: string }[],
): AsyncGenerator<Buffer, undefined> {
  reader.stdin.end(wanted.map(({ id }) => `${id}\n`).join(""));
  let complete = false;
  try {
    const bytes = new ByteQueue(reader.stdout);
    for (const { id } of wanted) {
      const header = (await bytes.line()).toString("latin1");
      const [found, type, size] = header.split(" ");
      if (found !== id || type !== "blob" || size === undefined) {
        throw new CupelError("git_failed", `the repository ${gitDir} lacks the file content ${id}`, {
          hint: `git --git-dir=${gitDir} fsck`,
        });
      }
      yield await bytes.take(Number(size));
      await bytes.take(1);
    }
    complete = true;
  } finally {
    // What it was asked for is read, and its input has ended: it goes by itself, and nobody needs to wait for it.
    if (!complete) {
      reader.kill();
      await reader.ended;
    }
  }
  return undefined;
}

/** Hands out a stream in the portions that its format names. */
class ByteQueue {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: AsyncIterable<Buffer>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  async line(): Promise<Buffer> {
    let end = this.#rest.indexOf(NEWLINE);
    while (end === -1) {
      await this.#more();
      end = this.#rest.indexOf(NEWLINE);
    }
    const line = this.#rest.subarray(0, end);
    this.#rest = this.#rest.subarray(end + 1);
    return line;
  }

  async take(size: number): Promise<Buffer> {
    if (this.#rest.length < size) await this.#atLeast(size);
    const bytes = this.#rest.subarray(0, size);
    this.#rest = this.#rest.subarray(size);
    return bytes;
  }

  /** Joins once, however many chunks a large file comes in. */
  async #atLeast(size: number): Promise<void> {
    const parts = [this.#rest];
    let length = this.#rest.length;
    while (length < size) {
      const chunk = await this.#next();
      parts.push(chunk);
      length += chunk.length;
    }
    this.#rest = Buffer.concat(parts);
  }

  async #more(): Promise<void> {
    this.#rest = Buffer.concat([this.#rest, await this.#next()]);
  }

  async #next(): Promise<Buffer> {
    const { done, value } = await this.#chunks.next();
    if (done === true) throw new CupelError("git_failed", "git cat-file ended before it had answered");
    return value;
  }
}

const NEWLINE = 0x0a;
