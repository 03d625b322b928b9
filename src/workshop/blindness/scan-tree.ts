// Reads everything in a directory that may be hostile: no link is followed, nothing is opened that could block.
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
} from "node:fs";
import type { BigIntStats } from "node:fs";
import { asBytePath, type BytePath, toBuffer } from "../git/byte-path.ts";

export type TreeEntry =
  | { kind: "file"; path: BytePath; bytes: Buffer }
  | { kind: "link"; path: BytePath; target: Buffer }
  | { kind: "directory"; path: BytePath }
  /** Beside what of it could be read. */
  | { kind: "unread"; path: BytePath; reason: string };

export interface TreeLimits {
  /** Of one file, this much is read. */
  fileBytes: number;
  /** Of the whole tree, this much. */
  treeBytes: number;
  entries: number;
}

export function* treeEntries(root: string, limits: TreeLimits): Generator<TreeEntry> {
  const pending: BytePath[] = [asBytePath("")];
  let entries = 0;
  let bytes = 0;
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const listed = list(root, folder);
    if (listed.unread !== undefined) yield { kind: "unread", path: folder, reason: listed.unread };
    for (const name of listed.names) {
      const path = folder === "" ? name : asBytePath(`${folder}/${name}`);
      if (++entries > limits.entries || bytes > limits.treeBytes) {
        yield {
          kind: "unread",
          path,
          reason: "there is too much before it; nothing from here on was looked at",
        };
        return;
      }
      for (const entry of entriesAt(root, path, limits.fileBytes)) {
        if (entry.kind === "directory") pending.push(path);
        if (entry.kind === "file") bytes += entry.bytes.length;
        yield entry;
      }
    }
  }
}

interface Listed {
  names: BytePath[];
  unread?: string;
}

/** A directory that is swapped for a link while it is read has another identity afterwards. */
function list(root: string, folder: BytePath): Listed {
  const place = placeOf(root, folder);
  try {
    const before = lstatSync(place, { bigint: true });
    if (!before.isDirectory()) return { names: [], unread: "it is not a directory" };
    const names = readdirSync(place, { encoding: "latin1" }).map(asBytePath);
    const same = unchanged(before, lstatSync(place, { bigint: true }));
    return same ? { names } : { names, unread: CHANGED };
  } catch (error) {
    return { names: [], unread: reasonOf(error) };
  }
}

function* entriesAt(root: string, path: BytePath, limit: number): Generator<TreeEntry> {
  const place = placeOf(root, path);
  try {
    const stat = lstatSync(place, { bigint: true });
    if (stat.isDirectory()) yield { kind: "directory", path };
    else if (stat.isSymbolicLink()) {
      yield { kind: "link", path, target: readlinkSync(place, { encoding: "buffer" }) };
    } else if (stat.isFile()) {
      const { bytes, unread } = read(place, stat, limit);
      yield { kind: "file", path, bytes };
      if (unread !== undefined) yield { kind: "unread", path, reason: unread };
    } else yield { kind: "unread", path, reason: `it is a ${kindOf(stat)}` };
  } catch (error) {
    yield { kind: "unread", path, reason: reasonOf(error) };
  }
}

function read(place: Buffer, listed: BigIntStats, limit: number): { bytes: Buffer; unread?: string } {
  const file = openSync(
    place,
    constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY,
  );
  try {
    const before = fstatSync(file, { bigint: true });
    if (!before.isFile() || before.ino !== listed.ino || before.dev !== listed.dev) throw new Error(CHANGED);
    const wanted = Math.min(Number(before.size), limit);
    const bytes = Buffer.allocUnsafe(wanted);
    let filled = 0;
    for (let count = -1; count !== 0 && filled < wanted; filled += count) {
      count = readSync(file, bytes, filled, wanted - filled, filled);
    }
    const read = { bytes: bytes.subarray(0, filled) };
    if (!unchanged(before, fstatSync(file, { bigint: true }))) return { ...read, unread: CHANGED };
    if (before.size > BigInt(limit)) {
      return { ...read, unread: `only ${limit} of its ${before.size} bytes were looked at` };
    }
    return filled === wanted ? read : { ...read, unread: CHANGED };
  } finally {
    closeSync(file);
  }
}

const CHANGED = "it changed while it was read";

function unchanged(a: BigIntStats, b: BigIntStats): boolean {
  return (
    a.ino === b.ino &&
    a.dev === b.dev &&
    a.size === b.size &&
    a.mtimeNs === b.mtimeNs &&
    a.ctimeNs === b.ctimeNs
  );
}

function kindOf(stat: BigIntStats): string {
  if (stat.isFIFO()) return "FIFO";
  if (stat.isSocket()) return "socket";
  return stat.isCharacterDevice() || stat.isBlockDevice() ? "device" : "file of an unknown kind";
}

function reasonOf(error: unknown): string {
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
  if (code === "EACCES" || code === "EPERM") return "it may not be read";
  if (code === "ENOENT" || code === "ELOOP") return CHANGED;
  if (code === "ENAMETOOLONG") return "it lies too deep for its path to be opened";
  return error instanceof Error ? error.message.replace(/, \w+ '.*/s, "") : String(error);
}

/** In bytes, since a name need not be text. */
function placeOf(root: string, path: BytePath): Buffer {
  return path === "" ? Buffer.from(root) : Buffer.concat([Buffer.from(`${root}/`), toBuffer(path)]);
}
