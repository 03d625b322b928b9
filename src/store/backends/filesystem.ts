// Files below one folder of the disk, and nothing else: no link is followed, and every write is whole or not there at all.
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import type { Stats } from "node:fs";
import { lstat, open, opendir, rename, rmdir, unlink } from "node:fs/promises";
import { flawOfText, MAX_FILE_BYTES, mimeTypeOf, page, replaced, textOf } from "./file-content.ts";
import { Jail, SystemRefusal } from "./jail.ts";
import type { Folder, JailOptions } from "./jail.ts";
import { OneAtATime } from "./one-at-a-time.ts";
import type {
  Backend,
  DeleteResult,
  EditResult,
  FileData,
  FileInfo,
  GlobResult,
  GrepResult,
  LsResult,
  ReadRawResult,
  ReadResult,
  WriteResult,
} from "./port.ts";
import { explained, isFolder, notPlain, rootStays, tooBig } from "./refusal.ts";
import { byPath, globIn, grepIn } from "./search.ts";
import { below, isPlainName, virtualPath } from "./virtual-path.ts";

/** Of a larger folder only so many entries are shown. */
const MAX_ENTRIES = 10_000;
/** Half-written files; never shown, and no name of this form can be asked for. */
const TEMPORARY = ".cupel-writing-";
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

export class FilesystemBackend implements Backend {
  readonly #jail: Jail;
  readonly #changes = new OneAtATime();

  /** Makes the folder if it is not there. */
  constructor(root: string, options: JailOptions = {}) {
    this.#jail = new Jail(root, options);
  }

  ls(path: string): Promise<LsResult> {
    return this.#on(path, ({ segments, path }) =>
      this.#jail.within(segments, "open", (folder) => listed(folder, path)),
    );
  }

  async read(path: string, offset?: number, limit?: number): Promise<ReadResult> {
    const { data, error } = await this.readRaw(path);
    if (data === undefined) return error === undefined ? {} : { error };
    const { content, mimeType } = data;
    return typeof content === "string" ? page(path, content, offset, limit) : { content, mimeType };
  }

  readRaw(path: string): Promise<ReadRawResult> {
    return this.#on(path, (place) => this.#atFile(place, "open", (file) => contentOf(file, place.path)));
  }

  write(path: string, content: string): Promise<WriteResult> {
    return this.#change<WriteResult>(path, (place) => {
      const flaw = flawOfText(place.path, content);
      if (flaw !== undefined) return Promise.resolve({ error: flaw });
      return this.#atFile(place, "make", (file) => written(file, place.path, content));
    });
  }

  edit(path: string, oldText: string, newText: string, all = false): Promise<EditResult> {
    return this.#change<EditResult>(path, (place) => {
      const flaw = flawOfText(place.path, oldText) ?? flawOfText(place.path, newText);
      if (flaw !== undefined) return Promise.resolve({ error: flaw });
      return this.#atFile(place, "open", async (file) => {
        const { data, error } = await contentOf(file, place.path);
        if (data === undefined) return error === undefined ? {} : { error };
        if (typeof data.content !== "string") {
          return { error: `'${place.path}' was not edited: it is not text; write it as a whole` };
        }
        const edited = replaced(place.path, data.content, oldText, newText, all);
        if (edited.kind === "refused") return { error: edited.reason };
        const tooLong = flawOfText(place.path, edited.text);
        if (tooLong !== undefined) return { error: tooLong };
        const result = await written(file, place.path, edited.text);
        return result.error === undefined ? { ...result, occurrences: edited.occurrences } : result;
      });
    });
  }

  grep(
    pattern: string,
    path?: string | null,
    glob?: string | null,
    maxCount?: number | null,
  ): Promise<GrepResult> {
    return grepIn(this, pattern, path, glob, maxCount);
  }

  glob(pattern: string, path?: string): Promise<GlobResult> {
    return globIn(this, pattern, path);
  }

  delete(path: string): Promise<DeleteResult> {
    return this.#change<DeleteResult>(path, (place) => {
      if (place.segments.length === 0) return Promise.resolve({ error: rootStays(place.path) });
      return this.#atFile(place, "open", async ({ folder, name }) => {
        const stats = await lstat(folder.at(name));
        if (stats.isDirectory()) await emptied(folder, Buffer.from(name));
        else if (isPlainFile(stats)) await unlink(folder.at(name));
        else return { error: notPlain(place.path) };
        return { path: place.path };
      });
    });
  }

  #change<R extends object>(path: unknown, work: (place: Place) => Promise<R>): Promise<R | Refused> {
    return this.#changes.run(() => this.#on(path, work));
  }

  async #on<R extends object>(path: unknown, work: (place: Place) => Promise<R>): Promise<R | Refused> {
    const place = virtualPath(path);
    if (place.kind === "refused") return { error: place.reason };
    if (place.segments.some((name) => name.startsWith(TEMPORARY))) {
      return { error: `'${place.path}' is a name kept for files that are being written; use another one` };
    }
    try {
      return await work(place);
    } catch (cause) {
      return { error: explained(place.path, cause) };
    }
  }

  #atFile<R>(place: Place, mode: "open" | "make", work: (file: Entry) => Promise<R>): Promise<R> {
    const name = place.segments.at(-1);
    if (name === undefined) throw new SystemRefusal("EISDIR");
    return this.#jail.within(place.segments.slice(0, -1), mode, async (folder) => {
      await this.#jail.assertSpelling(folder, name);
      return work({ folder, name });
    });
  }
}

type Refused = { error: string };
type Place = { path: string; segments: readonly string[] };
type Entry = { folder: Folder; name: string };

/** A file with a second name could be one from outside the root. */
function isPlainFile(stats: Stats): boolean {
  return stats.isFile() && stats.nlink === 1;
}

async function listed(folder: Folder, path: string): Promise<LsResult> {
  const names: string[] = [];
  let more = false;
  for await (const { name } of await opendir(folder.at("."))) {
    if (name.startsWith(TEMPORARY) || !isPlainName(name)) continue;
    more = names.length === MAX_ENTRIES;
    if (more) break;
    names.push(name);
  }
  const infos = await Promise.all(names.map((name) => infoOf(folder, name, below(path, name))));
  const files = infos.filter((info) => info !== undefined).toSorted(byPath);
  if (!more) return { files };
  return {
    files,
    error: `'${path}' holds more than ${MAX_ENTRIES} entries and only some are shown; use glob`,
  };
}

/** Folders tell no size and no time: both change with what is in them, which may be hidden from the reader. */
async function infoOf(folder: Folder, name: string, path: string): Promise<FileInfo | undefined> {
  const stats = await lstat(folder.at(name)).catch(() => undefined);
  if (stats?.isDirectory() === true) return { path: `${path}/`, is_dir: true };
  if (stats === undefined || !isPlainFile(stats)) return undefined;
  return { path, is_dir: false, size: stats.size, modified_at: stats.mtime.toISOString() };
}

async function contentOf({ folder, name }: Entry, path: string): Promise<ReadRawResult> {
  // Looked at before it is opened, since opening a device can already do something.
  const before = await lstat(folder.at(name));
  if (before.isDirectory()) return { error: isFolder(path) };
  if (!isPlainFile(before)) return { error: notPlain(path) };
  const handle = await open(folder.at(name), READ);
  try {
    const stats = await handle.stat();
    if (!isPlainFile(stats)) return { error: notPlain(path) };
    if (stats.size > MAX_FILE_BYTES) return { error: tooBig(path, stats.size, MAX_FILE_BYTES) };
    const bytes = await handle.readFile();
    const content = textOf(bytes) ?? new Uint8Array(bytes);
    return { data: { content, mimeType: mimeTypeOf(path, content), ...timesOf(stats) } };
  } finally {
    await handle.close();
  }
}

function timesOf(stats: Stats): Pick<FileData, "created_at" | "modified_at"> {
  return { created_at: stats.birthtime.toISOString(), modified_at: stats.mtime.toISOString() };
}

async function written({ folder, name }: Entry, path: string, content: string): Promise<WriteResult> {
  const there = await lstat(folder.at(name)).catch(() => undefined);
  if (there?.isDirectory() === true) return { error: isFolder(path) };
  if (there !== undefined && !isPlainFile(there)) return { error: notPlain(path) };
  const temporary = folder.at(`${TEMPORARY}${randomBytes(8).toString("hex")}`);
  try {
    const handle = await open(temporary, CREATE, 0o666);
    try {
      if (there !== undefined) await handle.chmod(there.mode & 0o777);
      await handle.writeFile(content);
    } finally {
      await handle.close();
    }
    await rename(temporary, folder.at(name));
  } catch (cause) {
    await unlink(temporary).catch(() => undefined);
    throw cause;
  }
  return { path };
}

/** By hand, since a recursive removal by name could be led out through a folder that turns into a link meanwhile. */
async function emptied(parent: Folder, name: Buffer): Promise<void> {
  const folder = await parent.open(name);
  try {
    // Bytes in disguise: a name need not be valid text to be in the way.
    for await (const entry of await opendir(folder.at("."), { encoding: "latin1" })) {
      const bytes = Buffer.from(entry.name, "latin1");
      if (entry.isDirectory()) await emptied(folder, bytes);
      else await unlink(folder.bytesAt(bytes));
    }
  } finally {
    await folder.close();
  }
  await rmdir(parent.bytesAt(name));
}
