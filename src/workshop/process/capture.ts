// Holds the output of a command: its beginning in memory, all of it in a file when somebody will keep it.
import { constants } from "node:buffer";
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { CupelError } from "../../domain/error.ts";

/** Beyond this the output is read and dropped, so that it fills neither memory nor disk. */
const CEILING = 64 * 1024 ** 2;

export interface Capture {
  /** The beginning, without half a character at its end. */
  text(): string;
  bytes(): number;
  /** Whether the text holds less than was written. */
  cut(): boolean;
  /** All bytes up to the ceiling; throws `store_full` if they could not be kept. */
  whole(): Buffer;
  close(): void;
}

export function capture(stream: Readable, wanted: number, keepAll: boolean): Capture {
  const limit = Math.min(wanted, constants.MAX_STRING_LENGTH);
  const chunks: Buffer[] = [];
  let held = 0;
  let bytes = 0;
  let spool: Spool | undefined;
  stream.on("data", (chunk: Buffer) => {
    const room = Math.min(chunk.length, limit - held);
    // A copy where only a part is held, or the small part would keep the large chunk alive.
    if (room > 0) chunks.push(room === chunk.length ? chunk : Buffer.from(chunk.subarray(0, room)));
    held += Math.max(room, 0);
    const rest = chunk.subarray(room, Math.max(room, CEILING - bytes));
    if (keepAll && rest.length > 0) (spool ??= openSpool()).write(rest);
    bytes += chunk.length;
  });
  stream.on("error", () => undefined);
  const start = () => Buffer.concat(chunks);
  return {
    text: () => (bytes > held ? withoutHalfCharacter(start()) : start()).toString("utf8"),
    bytes: () => bytes,
    cut: () => bytes > held,
    whole: () => Buffer.concat([...chunks, spool?.read() ?? Buffer.alloc(0)]),
    close: () => spool?.close(),
  };
}

/** Steps back over the bytes 10xxxxxx to the one that starts the last character, and drops it if it is not whole. */
function withoutHalfCharacter(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

interface Spool {
  write(bytes: Uint8Array): void;
  read(): Buffer;
  close(): void;
}

/** A file without a name, so that nothing stays behind however the harness ends. */
function openSpool(): Spool {
  let failure: unknown;
  let size = 0;
  let file: number | undefined;
  const attempt = (act: () => void) => {
    try {
      if (failure === undefined) act();
    } catch (error) {
      failure = error;
    }
  };
  attempt(() => {
    const directory = mkdtempSync(join(tmpdir(), "cupel-output-"));
    try {
      file = openSync(join(directory, "output"), "wx+", 0o600);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
  return {
    write: (bytes) =>
      attempt(() => {
        const open = file;
        if (open === undefined) return;
        for (let done = 0; done < bytes.length;) done += writeSync(open, bytes, done);
        size += bytes.length;
      }),
    read: () => {
      if (failure !== undefined || file === undefined) throw spoolError(failure);
      const all = Buffer.alloc(size);
      for (let done = 0, got = -1; done < size && got !== 0; done += got)
        got = readSync(file, all, done, size - done, done);
      return all;
    },
    close: () => {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}

function spoolError(cause: unknown): CupelError {
  return new CupelError("store_full", `the output of a command could not be kept: ${String(cause)}`, {
    hint: `free some space in ${tmpdir()} and run the same command again`,
    cause,
  });
}
