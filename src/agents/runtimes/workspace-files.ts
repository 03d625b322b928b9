// Reads and writes a workspace as scripts and recordings need it; whatever an agent put there is not followed.
import { constants } from "node:fs";
import { lstat, mkdir, open, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ScriptFile } from "../../domain/agent/script-line.ts";
import { staysInside } from "../../domain/artifact/context-pack.ts";
import { sha256Hex } from "../../domain/canonical.ts";
import { hasCode } from "../../domain/environment-error.ts";
import { CupelError } from "../../domain/error.ts";

/** Every plain file by its path, with a mark that changes when it does. */
export type Snapshot = ReadonlyMap<string, string>;

export interface Changes {
  files: Record<string, ScriptFile>;
  /** Changed, but too large to keep. */
  omitted: string[];
}

const MAX_BYTES = 4 * 1024 * 1024;
const NOT_WORK = new Set([".git", "node_modules"]);

export async function snapshot(workspace: string): Promise<Snapshot> {
  const hashes = new Map<string, string>();
  for (const path of await plainFiles(workspace, "")) {
    const content = await read(join(workspace, path));
    if (content !== undefined) hashes.set(path, content.mark);
  }
  return hashes;
}

/** What is different from `before`; files that are gone are null. */
export async function changesSince(before: Snapshot, workspace: string): Promise<Changes> {
  const changes: Changes = { files: {}, omitted: [] };
  const paths = await plainFiles(workspace, "");
  for (const path of paths) {
    const content = await read(join(workspace, path));
    if (content === undefined || content.mark === before.get(path)) continue;
    if (content.bytes === undefined) changes.omitted.push(path);
    else changes.files[path] = textOf(content.bytes);
  }
  for (const path of before.keys()) if (!paths.includes(path)) changes.files[path] = null;
  return changes;
}

/** Each file is made anew, so that neither a link nor a second name of it leads anywhere else. */
export async function writeFiles(
  workspace: string,
  files: Readonly<Record<string, ScriptFile>>,
): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await checkPath(workspace, path);
    const target = join(workspace, path);
    await rm(target, { recursive: true, force: true });
    if (content === null) continue;
    await mkdir(dirname(target), { recursive: true });
    const file = await open(target, "wx");
    try {
      await file.writeFile(typeof content === "string" ? content : Buffer.from(content.base64, "base64"));
    } finally {
      await file.close();
    }
  }
}

async function plainFiles(root: string, under: string): Promise<string[]> {
  const entries = await readdir(join(root, under), { withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = under === "" ? entry.name : `${under}/${entry.name}`;
    if (entry.isDirectory() && !NOT_WORK.has(entry.name)) found.push(...(await plainFiles(root, path)));
    else if (entry.isFile()) found.push(path);
  }
  return found;
}

/** Undefined for what is no plain file any more; a large one is known by its size and time alone. */
async function read(path: string): Promise<{ mark: string; bytes?: Buffer } | undefined> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const { size, mtimeMs } = await file.stat();
      if (size > MAX_BYTES) return { mark: `${size} bytes of ${mtimeMs}` };
      const bytes = await file.readFile();
      return { mark: sha256Hex(bytes), bytes };
    } finally {
      await file.close();
    }
  } catch (cause) {
    if (hasCode(cause, "ENOENT", "ELOOP", "EACCES")) return undefined;
    throw cause;
  }
}

function textOf(bytes: Buffer): ScriptFile {
  const text = bytes.toString("utf8");
  return Buffer.from(text, "utf8").equals(bytes) ? text : { base64: bytes.toString("base64") };
}

async function checkPath(workspace: string, path: string): Promise<void> {
  const parts = path.split("/");
  if (!staysInside(path) || parts.some((part) => part.toLowerCase() === ".git")) {
    throw new CupelError("invalid_input", `a script cannot write ${JSON.stringify(path)}`, {
      expected: "a path inside the workspace, spelled plainly, outside of .git",
    });
  }
  for (let depth = 1; depth < parts.length; depth++) {
    const parent = parts.slice(0, depth).join("/");
    const found = await lstat(join(workspace, parent)).catch(() => undefined);
    if (found !== undefined && !found.isDirectory()) {
      throw new CupelError("invalid_input", `a script cannot write ${path}: ${parent} is no directory`, {
        expected: "directories on the way, no links",
      });
    }
  }
}
