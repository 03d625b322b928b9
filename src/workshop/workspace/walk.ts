// Looks at everything in a directory that an agent could write, without following, opening or trusting any of it.
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  statSync,
} from "node:fs";
import type { BigIntStats, Dirent } from "node:fs";
import { hasCode } from "../../domain/environment-error.ts";
import { asBytePath, toBuffer, toBytePath } from "../git/byte-path.ts";
import type { BytePath } from "../git/byte-path.ts";

export type FoundEntry = { path: BytePath } & (
  | { kind: "file" | "link" | "other"; stat: BigIntStats }
  /** Deeper than a path can be long, closed, or gone while one looked. */
  | { kind: "unreachable" }
);

/** `look`: what is closed stays closed and is unreachable; `open`: it is opened, since it is the harness's to judge. */
type Closed = "look" | "open";

/** Everything below `root` but directories themselves; `skip` leaves out a directory or file by its path. */
export function* walk(
  root: string,
  skip: (path: BytePath, isDirectory: boolean) => boolean,
  closed: Closed = "open",
): Generator<FoundEntry> {
  const pending: BytePath[] = [asBytePath("")];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const entries = list(at(root, folder), closed);
    if (entries === undefined) yield { path: folder, kind: "unreachable" };
    for (const entry of entries ?? []) {
      const path = asBytePath(folder === "" ? entry.name : `${folder}/${entry.name}`);
      if (skip(path, entry.isDirectory())) continue;
      if (entry.isDirectory()) pending.push(path);
      else yield look(root, path);
    }
  }
}

/** What a directory says of its entries, names as bytes; undefined where none can be reached. */
function list(path: Buffer, closed: Closed): Dirent[] | undefined {
  let directory: number | undefined;
  try {
    // Held by its descriptor: whatever is put in its place meanwhile is neither opened up nor read.
    directory = HAS_PROC ? openSync(path, O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW) : undefined;
    const held = directory === undefined ? path : `/proc/self/fd/${directory}`;
    if (closed === "open") openUp(held);
    return readdirSync(held, { withFileTypes: true, encoding: "latin1" });
  } catch (error) {
    if (hasCode(error, ...UNREACHABLE)) return undefined;
    throw error;
  } finally {
    if (directory !== undefined) closeSync(directory);
  }
}

const HAS_PROC = process.platform === "linux";

/** A directory that is only held, not read. */
const O_PATH = 0o10000000;

/** Too long a path, closed, or gone since it was listed. */
const UNREACHABLE = ["ENAMETOOLONG", "EACCES", "ENOENT", "ENOTDIR", "ELOOP"];

/** Its owner may have closed it; it is still ours to look into, and to empty. */
function openUp(directory: string | Buffer): void {
  const { mode } = statSync(directory);
  if ((mode & 0o700) !== 0o700) chmodSync(directory, 0o700);
}

function look(root: string, path: BytePath): FoundEntry {
  try {
    const stat = lstatSync(at(root, path), { bigint: true });
    return { path, kind: stat.isFile() ? "file" : stat.isSymbolicLink() ? "link" : "other", stat };
  } catch (error) {
    if (hasCode(error, ...UNREACHABLE)) return { path, kind: "unreachable" };
    throw error;
  }
}

/** The bytes of a regular file, never through a link, never from something that would block. */
export function readRegular(root: string, path: BytePath): Buffer {
  const file = openRegular(at(root, path));
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(size);
    let filled = 0;
    while (filled < size) {
      const count = readSync(file, bytes, filled, size - filled, filled);
      if (count === 0) break;
      filled += count;
    }
    return bytes.subarray(0, filled);
  } finally {
    closeSync(file);
  }
}

function openRegular(path: Buffer): number {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  try {
    return openSync(path, flags);
  } catch (error) {
    if (!hasCode(error, "EACCES")) throw error;
    chmodSync(path, 0o600);
    return openSync(path, flags);
  }
}

export function readLink(root: string, path: BytePath): Buffer {
  return readlinkSync(at(root, path), { encoding: "buffer" });
}

/** The place on the disk, in bytes, since a name need not be text. */
export function at(root: string, path: BytePath): Buffer {
  return toBuffer(path === "" ? toBytePath(root) : asBytePath(`${toBytePath(root)}/${path}`));
}
