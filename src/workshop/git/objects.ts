// Reads trees and blobs out of a repository that Cupel owns, in as few processes as possible.
import { buffer } from "node:stream/consumers";
import { CupelError } from "../../domain/error.ts";
import { asBytePath } from "./byte-path.ts";
import { startGit } from "./git.ts";
import { ByteQueue } from "./byte-queue.ts";
import { isHash, remembered } from "./known-objects.ts";
import { hasObject, oneAnswer, type ReadObject, readObjects } from "./object-reader.ts";
import { fewEntries, type TreeEntry } from "./tree-entries.ts";

export type { TreeEntry };

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

export async function hasTree(gitDir: string, tree: string): Promise<boolean> {
  return LISTINGS.read(`${gitDir} ${tree}`) !== undefined || hasObject(gitDir, tree, "tree");
}

async function readListing(gitDir: string, treeish: string): Promise<TreeEntry[]> {
  return (await fewEntries(gitDir, treeish)) ?? listAll(gitDir, treeish);
}

async function listAll(gitDir: string, treeish: string): Promise<TreeEntry[]> {
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

/** Every wanted file below a commit or tree with its content. */
export async function* readTree(
  gitDir: string,
  treeish: string,
  wanted: (entry: TreeEntry) => boolean,
): AsyncGenerator<TreeEntry & { content: Buffer }> {
  const entries = (await listTree(gitDir, treeish)).filter(wanted);
  const known = entries.map(({ id }) => CONTENTS.read(`${gitDir} ${id}`));
  const lacking = entries.flatMap(({ id }, at) => (known[at] === undefined ? [id] : []));
  const contents = readBlobs(gitDir, lacking);
  try {
    for (const [at, entry] of entries.entries()) {
      const kept = known[at];
      const content = kept === undefined ? (await contents.next()).value : Buffer.from(kept);
      if (!Buffer.isBuffer(content)) throw lacks(gitDir, entry.id);
      if (kept === undefined) CONTENTS.write(`${gitDir} ${entry.id}`, Buffer.from(content));
      yield { ...entry, content };
    }
    await contents.next();
  } finally {
    await contents.return(undefined);
  }
}

/** More are quicker from a process of their own, which does not stop after each of them. */
const FEW = 100;

/** The content of each blob, in the order asked. */
export async function* readBlobs(gitDir: string, ids: readonly string[]): AsyncGenerator<Buffer> {
  if (ids.length <= FEW) {
    // One after the other: together they could be more than memory holds.
    for (const id of ids) {
      const [object] = await readObjects(gitDir, [id]);
      yield contentOf(object, gitDir, id);
    }
    return;
  }
  const reader = startGit(["cat-file", "--batch", "--buffer"], { gitDir });
  reader.stdin.end(ids.map((id) => `${id}\n`).join(""));
  const bytes = new ByteQueue(reader.stdout);
  let complete = false;
  try {
    for (const id of ids) yield contentOf(await oneAnswer(bytes, id), gitDir, id);
    complete = true;
  } finally {
    // What it was asked for is read, and its input has ended: it goes by itself, and nobody needs to wait for it.
    if (!complete) {
      reader.kill();
      await reader.ended;
    }
  }
}

function contentOf(object: ReadObject | undefined, gitDir: string, id: string): Buffer {
  if (object?.type !== "blob" || object.id !== id) throw lacks(gitDir, id);
  return object.content;
}

function lacks(gitDir: string, id: string): CupelError {
  return new CupelError("git_failed", `the repository ${gitDir} lacks the file content ${id}`, {
    hint: `git --git-dir=${gitDir} fsck`,
  });
}
