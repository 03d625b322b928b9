// Writes a file so that readers see the old text or the new one, never a torn one, whatever is killed when.
import { randomUUID } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CupelError } from "../domain/error.ts";
import { environmentError } from "./environment-error.ts";

export type Durability = "normal" | "full";

/** Marks files that a crash may leave behind; nothing ever reads them. */
export const TEMPORARY_PREFIX = ".tmp-";

/** With `full` durability the bytes and the name are on the disk before it returns. */
export async function writeAtomically(
  path: string,
  content: string | Uint8Array,
  durability: Durability,
): Promise<void> {
  const directory = dirname(path);
  const temporary = join(directory, `${TEMPORARY_PREFIX}${randomUUID()}`);
  try {
    await writeNew(temporary, content, durability);
    await rename(temporary, path);
    if (durability === "full") await flushDirectory(directory);
  } catch (cause) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw environmentError(path, cause);
  }
}

async function writeNew(path: string, content: string | Uint8Array, durability: Durability): Promise<void> {
  const file = await openInNewDirectory(path);
  try {
    await file.writeFile(content);
    if (durability === "full") await file.sync();
  } finally {
    await file.close();
  }
}

async function openInNewDirectory(path: string): Promise<Awaited<ReturnType<typeof open>>> {
  try {
    return await open(path, "wx");
  } catch (error) {
    if (!isMissing(error)) throw error;
    await mkdir(dirname(path), { recursive: true });
    return open(path, "wx");
  }
}

async function flushDirectory(path: string): Promise<void> {
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

export function isMissing(error: unknown): boolean {
  return (
    error instanceof Error && "code" in error && error.code === "ENOENT" && !(error instanceof CupelError)
  );
}
