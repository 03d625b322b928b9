// Walks below a root folder without ever following a link, so that no name can lead out of it, not even one that changes
// while we walk: every folder is opened from the handle of the one above it, and files are named through that handle.
//
// Where there is no /proc (macOS, Windows), folders are checked by name instead: no link in the path before, and the real
// path after. There, somebody who can swap folders for links in the very moment between check and use is not stopped.
import { constants, existsSync, lstatSync, mkdirSync, realpathSync } from "node:fs";
import { lstat, mkdir, open, readdir, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { CupelError } from "../../domain/error.ts";
import { isMissing } from "../atomic-file.ts";

/** An opened folder. Paths from `at` are good only until it is closed. */
export interface Folder {
  at(name: string): string;
  /** The same for a name that is not valid text. */
  bytesAt(name: Buffer): Buffer;
  open(name: string | Buffer): Promise<Folder>;
  close(): Promise<void>;
}

export interface JailOptions {
  /** Whether folders are held by handle (the safe way); by default wherever the system can. */
  handles?: boolean;
  /** Whether the disk takes `A` and `a` for the same name; found out by default. */
  ignoresCase?: boolean;
}

const HANDLES = "/proc/self/fd";
const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

export class Jail {
  readonly #root: string;
  readonly #handles: boolean;
  readonly #ignoresCase: boolean;

  constructor(root: string, options: JailOptions = {}) {
    this.#root = settle(resolve(root));
    this.#handles = options.handles ?? existsSync(HANDLES);
    this.#ignoresCase = options.ignoresCase ?? ignoresCase(this.#root);
  }

  /** Opens the folder at `segments`, making what is missing when told to, and closes it after the work. */
  async within<T>(
    segments: readonly string[],
    mode: "open" | "make",
    work: (folder: Folder) => Promise<T>,
  ): Promise<T> {
    let folder = await (this.#handles ? held(this.#root) : named(this.#root));
    try {
      for (const name of segments) {
        const next = await this.#enter(folder, name, mode);
        await folder.close();
        folder = next;
      }
      return await work(folder);
    } finally {
      await folder.close();
    }
  }

  /** On a disk that ignores case, only the spelling that lies there counts: another one would slip past every rule. */
  async assertSpelling(folder: Folder, name: string): Promise<void> {
    if (!this.#ignoresCase) return;
    const there = await lstat(folder.at(name)).then(
      () => true,
      () => false,
    );
    if (!there) return;
    const names = await readdir(folder.at("."));
    if (!names.some((other) => other.normalize("NFC") === name)) throw new SystemRefusal("ENOENT");
  }

  async #enter(folder: Folder, name: string, mode: "open" | "make"): Promise<Folder> {
    await this.assertSpelling(folder, name);
    try {
      return await folder.open(name);
    } catch (cause) {
      if (mode === "open" || !isMissing(cause)) throw cause;
    }
    await mkdir(folder.at(name)).catch((cause: unknown) => {
      if (!(cause instanceof Error && "code" in cause && cause.code === "EEXIST")) throw cause;
    });
    return folder.open(name);
  }
}

/** Speaks like the operating system, so that one table explains both. */
export class SystemRefusal extends Error {
  override readonly name = "SystemRefusal";
  readonly code: "ENOENT" | "ENOTDIR" | "ELOOP" | "EISDIR";

  constructor(code: SystemRefusal["code"]) {
    super(code);
    this.code = code;
  }
}

async function held(path: string | Buffer): Promise<Folder> {
  const handle = await open(path, FOLDER);
  const at = (name: string): string => `${HANDLES}/${handle.fd}/${name}`;
  return folderOf(at, held, () => handle.close());
}

async function named(path: string | Buffer): Promise<Folder> {
  const stats = await lstat(path);
  if (!stats.isDirectory()) throw new SystemRefusal("ENOTDIR");
  const text = path.toString();
  if ((await realpath(path)) !== text) throw new SystemRefusal("ELOOP");
  return folderOf(
    (name) => `${text}/${name}`,
    named,
    () => Promise.resolve(),
  );
}

function folderOf(
  at: (name: string) => string,
  opener: (path: string | Buffer) => Promise<Folder>,
  close: () => Promise<void>,
): Folder {
  const bytesAt = (name: Buffer): Buffer => Buffer.concat([Buffer.from(at("")), name]);
  return { at, bytesAt, open: (name) => opener(typeof name === "string" ? at(name) : bytesAt(name)), close };
}

/** The owner's own links above the root are followed once, here; none is followed later. */
function settle(root: string): string {
  try {
    mkdirSync(root, { recursive: true });
    return realpathSync(root);
  } catch (cause) {
    throw new CupelError("store_readonly", `${root} cannot be used as a folder`, {
      expected: "a folder that can be read and written",
      hint: `ls -ld ${dirname(root)} and mend its permissions`,
      cause,
    });
  }
}

function ignoresCase(root: string): boolean {
  const name = basename(root);
  const other = name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase();
  if (other === name) return process.platform === "darwin" || process.platform === "win32";
  const twin = lstatSync(join(dirname(root), other), { throwIfNoEntry: false });
  const self = lstatSync(root);
  return twin !== undefined && twin.ino === self.ino && twin.dev === self.dev;
}
