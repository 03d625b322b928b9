// Refs as git's files have them: most questions about one can be answered without starting git. Whatever is stored in any
// other way is left to git.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

export type StoredRef = { kind: "at"; commit: string } | { kind: "none" } | { kind: "ask-git" };

/** A ref is packed before its own file goes, so whoever looks for the file first never misses it. */
export function storedRef(gitDir: string, ref: string): StoredRef {
  const own = isPlain(gitDir) ? ownFile(join(gitDir, ref)) : undefined;
  if (own === undefined) return { kind: "ask-git" };
  if (own !== "")
    return /^(?:[0-9a-f]{40}|[0-9a-f]{64})\n$/.test(own) ? at(own.trimEnd()) : { kind: "ask-git" };
  const packed = packedRefs(gitDir);
  if (packed === undefined) return { kind: "ask-git" };
  const end = `${packed}\n`.indexOf(` ${ref}\n`);
  if (end === -1) return { kind: "none" };
  return at(packed.slice(packed.lastIndexOf("\n", end) + 1, end));
}

/** Whether it is certain that no ref lies below a prefix such as `refs/heads/`. */
export function hasNoneBelow(gitDir: string, prefix: string): boolean {
  if (!prefix.endsWith("/") || !isPlain(gitDir) || !isEmpty(join(gitDir, prefix))) return false;
  return packedRefs(gitDir)?.includes(` ${prefix}`) === false;
}

function at(commit: string): StoredRef {
  return { kind: "at", commit };
}

/** One place for all refs, and each in a file: no work tree beside another one, and no table. */
function isPlain(gitDir: string): boolean {
  return !existsSync(join(gitDir, "commondir")) && !existsSync(join(gitDir, "reftable"));
}

/** Empty where there is none; undefined where nobody can tell. */
function ownFile(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch (error) {
    return isMissing(error) ? "" : undefined;
  }
}

const MOST_PACKED_BYTES = 1 << 20;

function packedRefs(gitDir: string): string | undefined {
  const path = join(gitDir, "packed-refs");
  try {
    return statSync(path).size > MOST_PACKED_BYTES ? undefined : readFileSync(path, "latin1");
  } catch (error) {
    return isMissing(error) ? "" : undefined;
  }
}

/** Folders are left standing where refs have gone. */
function isEmpty(folder: string): boolean {
  try {
    return readdirSync(folder, { withFileTypes: true }).every(
      (entry) => entry.isDirectory() && isEmpty(join(folder, entry.name)),
    );
  } catch (error) {
    return isMissing(error);
  }
}

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ENOENT" || code === "ENOTDIR" || code === "EISDIR";
}
