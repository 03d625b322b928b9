// Writes one commit into a repository that Cupel owns: a stream of files in, a commit id out, one process.
import { once } from "node:events";
import type { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { toBuffer } from "./byte-path.ts";
import type { BytePath } from "./byte-path.ts";
import { gitError, IDENTITY, startGit } from "./git.ts";
import type { RunningCommand } from "../process/run-command.ts";

export type FileChange =
  | { kind: "write"; path: BytePath; mode: string; content: Uint8Array }
  /** Content that the repository holds already. */
  | { kind: "point"; path: BytePath; mode: string; id: string }
  | { kind: "delete"; path: BytePath };

export interface NewCommit {
  gitDir: string;
  /** Created or overwritten; the caller moves real branches itself, by compare and swap. */
  ref: string;
  /** None for a root commit. */
  parent?: string;
  message: string;
  /** Seconds since 1970. */
  at: number;
  /** All in one file, for a repository that is made by this; else many small files, for one that grows by it. */
  packed?: boolean;
  changes: AsyncIterable<FileChange> | Iterable<FileChange>;
}

/** The id of the commit. Nothing is in the repository when it throws, but for content that no commit holds. */
export async function importCommit(commit: NewCommit): Promise<string> {
  const importer = startGit([...settingsFor(commit), "fast-import", "--quiet", "--force"], {
    gitDir: commit.gitDir,
  });
  const answers = Promise.all([text(importer.stdout), text(importer.stderr)]);
  try {
    await feed(importer, commit);
    importer.stdin.end();
  } catch (error) {
    importer.kill();
    await importer.ended;
    throw error;
  }
  const [[stdout, stderr], ending] = await Promise.all([answers, importer.ended]);
  const id = /^[0-9a-f]{40,64}$/m.exec(stdout)?.[0];
  if (ending.kind === "exited" && ending.code === 0 && id !== undefined) return id;
  throw gitError(["fast-import"], { ...ending, stdout, stderr });
}

/** A repository that is being made is made again after a power failure; one that grows must not lose anything. */
function settingsFor({ packed = false }: NewCommit): string[] {
  const settings = packed
    ? ["fastimport.unpackLimit=1", "core.fsync=none"]
    : ["fastimport.unpackLimit=1000", "core.fsync=all"];
  return ["core.compression=1", ...settings].flatMap((setting) => ["-c", setting]);
}

async function feed(importer: RunningCommand, commit: NewCommit): Promise<void> {
  const message = Buffer.from(commit.message);
  const stamp = `${IDENTITY.name} <${IDENTITY.email}> ${commit.at} +0000`;
  const lines = [`commit ${commit.ref}`, "mark :1", `author ${stamp}`, `committer ${stamp}`];
  const out = new Sink(importer);
  await out.put(Buffer.from(`${lines.join("\n")}\ndata ${message.length}\n`), message, LINE_END);
  if (commit.parent !== undefined) await out.put(Buffer.from(`from ${commit.parent}\n`));
  for await (const change of commit.changes) {
    // An importer that gave up says why when it ends.
    if (importer.stdin.destroyed) return;
    await out.put(...render(change));
  }
  await out.put(Buffer.from("\nget-mark :1\n"));
  await out.flush();
}

function render(change: FileChange): Uint8Array[] {
  const path = quoted(change.path);
  switch (change.kind) {
    case "write":
      return [
        Buffer.from(`M ${change.mode} inline ${path}\ndata ${change.content.length}\n`, "latin1"),
        change.content,
        LINE_END,
      ];
    case "point":
      return [Buffer.from(`M ${change.mode} ${change.id} ${path}\n`, "latin1")];
    case "delete":
      return [Buffer.from(`D ${path}\n`, "latin1")];
  }
}

/** Always in quotes, so that no name can be taken for a command. */
function quoted(path: BytePath): string {
  let text = "";
  for (const byte of toBuffer(path)) {
    const plain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c;
    text += plain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, "0")}`;
  }
  return `"${text}"`;
}

/** Joins small writes, and waits when the importer falls behind. */
class Sink {
  readonly #importer: RunningCommand;
  #waiting: Uint8Array[] = [];
  #size = 0;

  constructor(importer: RunningCommand) {
    this.#importer = importer;
  }

  async put(...parts: Uint8Array[]): Promise<void> {
    for (const part of parts) {
      this.#waiting.push(part);
      this.#size += part.length;
    }
    if (this.#size > BATCH_BYTES) await this.flush();
  }

  async flush(): Promise<void> {
    const bytes = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#size = 0;
    const { stdin, ended } = this.#importer;
    if (stdin.destroyed) return;
    if (!stdin.write(bytes)) await untilReady(stdin, ended);
  }
}

/** An importer that ends while it is fed never asks for more. */
async function untilReady(stdin: Writable, ended: Promise<unknown>): Promise<void> {
  const done = new AbortController();
  const ready = once(stdin, "drain", { signal: done.signal }).catch(() => undefined);
  await Promise.race([ready, ended]);
  done.abort();
}

const BATCH_BYTES = 256 * 1024;
const LINE_END = Buffer.from("\n");
