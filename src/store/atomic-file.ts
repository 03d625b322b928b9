// Writes a file so that readers see the old text or the new one, never a torn one, whatever is killed when.
import { randomUUID } from "node:crypto";
import { closeSync, fsync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { environmentError, hasCode } from "../domain/environment-error.ts";

export type Durability = "normal" | "full";

/** Marks files that a crash may leave behind; nothing ever reads them. */
export const TEMPORARY_PREFIX = ".tmp-";

const flush = promisify(fsync);

/**
 * With `full` durability the bytes and the name are on the disk before it returns. Only that waiting is asynchronous:
 * for the small files of the store, a system call costs less than handing it to another thread and back.
 */
export async function writeAtomically(
  path: string,
  content: string | Uint8Array,
  durability: Durability,
): Promise<void> {
  const directory = dirname(path);
  const temporary = join(directory, `${TEMPORARY_PREFIX}${randomUUID()}`);
  try {
    await writeNew(temporary, content, durability);
    renameSync(temporary, path);
    if (durability === "full") await flushDirectory(directory);
  } catch (cause) {
    discard(temporary);
    throw environmentError(path, cause);
  }
}

/** Whatever keeps it from going away, the first error is the one that counts. */
function discard(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    return;
  }
}

/** For a file that nobody looks for before its owner is in the database: a torn one would only be a leftover. */
export async function writeFirst(
  path: string,
  content: string | Uint8Array,
  durability: Durability,
): Promise<void> {
  try {
    await writeNew(path, content, durability);
    if (durability === "full") await flushDirectory(dirname(path));
  } catch (cause) {
    throw environmentError(path, cause);
  }
}

async function writeNew(path: string, content: string | Uint8Array, durability: Durability): Promise<void> {
  const file = openInNewDirectory(path);
  try {
    writeFileSync(file, content);
    if (durability === "full") await flush(file);
  } finally {
    closeSync(file);
  }
}

function openInNewDirectory(path: string): number {
  try {
    return openSync(path, "wx");
  } catch (error) {
    if (!isMissing(error)) throw error;
    mkdirSync(dirname(path), { recursive: true });
    return openSync(path, "wx");
  }
}

async function flushDirectory(path: string): Promise<void> {
  const directory = openSync(path, "r");
  try {
    await flush(directory);
  } finally {
    closeSync(directory);
  }
}

export function isMissing(error: unknown): boolean {
  return hasCode(error, "ENOENT");
}
