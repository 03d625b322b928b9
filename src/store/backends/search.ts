// Glob and grep over anything that can list and read. What a backend does not show when listed is never entered, read or
// counted, so that a search cannot tell more than a listing does.
import { compileGlob } from "./glob-pattern.ts";
import type { GlobPattern, GlobState } from "./glob-pattern.ts";
import type { FileInfo, GlobResult, GrepMatch, GrepResult, LsResult, ReadRawResult } from "./port.ts";
import { isSealedRefusal } from "./refusal.ts";
import { below, virtualPath } from "./virtual-path.ts";

export interface Searched {
  ls(path: string): Promise<LsResult>;
  readRaw(path: string): Promise<ReadRawResult>;
}

export const MAX_RESULTS = 10_000;
export const MAX_MATCHES = 2000;
const MAX_VISITED = 100_000;
const MAX_LINE_LENGTH = 2000;

export async function globIn(source: Searched, pattern: unknown, path: unknown = "/"): Promise<GlobResult> {
  const base = virtualPath(path);
  if (base.kind === "refused") return { error: base.reason };
  const compiled = compileGlob(pattern);
  if (compiled.kind === "refused") return { error: compiled.reason };

  const walk = new Walk(source, compiled.glob);
  const files: FileInfo[] = [];
  for await (const file of walk.from(base.path)) {
    if (files.length === MAX_RESULTS) {
      walk.truncated = true;
      break;
    }
    files.push(file);
  }
  if (walk.error !== undefined) return { error: walk.error };
  return { files: files.toSorted(byPath), ...(walk.truncated ? { truncated: true } : {}) };
}

export async function grepIn(
  source: Searched,
  pattern: unknown,
  path?: unknown,
  glob?: unknown,
  maxCount?: unknown,
): Promise<GrepResult> {
  const wanted = grepRequest(pattern, path ?? "/", glob ?? "**", maxCount ?? MAX_MATCHES);
  if (wanted.kind === "refused") return { error: wanted.reason };
  const found = new Matches(wanted.text, wanted.cap);
  const walk = new Walk(source, wanted.glob);
  const { data } = await source.readRaw(wanted.base);
  if (data === undefined) await grepFolder(source, wanted.base, walk, found);
  else found.add(wanted.base, data.content);
  if (walk.error !== undefined) return { error: walk.error };
  const truncated = walk.truncated || found.full;
  return { matches: found.matches.toSorted(byPath), ...(truncated ? { truncated } : {}) };
}

async function grepFolder(source: Searched, base: string, walk: Walk, found: Matches): Promise<void> {
  for await (const file of walk.from(base)) {
    if (file.is_dir === true) continue;
    const { data } = await source.readRaw(file.path);
    if (data === undefined) walk.truncated = true;
    else found.add(file.path, data.content);
    if (found.full) return;
  }
}

class Walk {
  /** Why the first folder could not be listed. */
  error: string | undefined;
  truncated = false;
  readonly #source: Searched;
  readonly #glob: GlobPattern;
  #visited = 0;

  constructor(source: Searched, glob: GlobPattern) {
    this.#source = source;
    this.#glob = glob;
  }

  async *from(base: string): AsyncGenerator<FileInfo> {
    const pending: { path: string; state: GlobState }[] = [{ path: base, state: this.#glob.start() }];
    for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
      const folders: typeof pending = [];
      for (const file of await this.#list(folder.path, base)) {
        if (++this.#visited > MAX_VISITED) {
          this.truncated = true;
          return;
        }
        const name = nameOf(file);
        const state = this.#glob.step(folder.state, name);
        if (this.#glob.matches(state)) yield file;
        if (file.is_dir === true && this.#glob.goesOn(state)) {
          folders.push({ path: below(folder.path, name), state });
        }
      }
      pending.push(...folders.toReversed());
    }
  }

  async #list(path: string, base: string): Promise<FileInfo[]> {
    const { files, error } = await this.#source.ls(path);
    // A sealed folder is searched like an empty one.
    if (error === undefined || isSealedRefusal(error)) return files ?? [];
    if (files === undefined && path === base) this.error = error;
    else this.truncated = true;
    return files ?? [];
  }
}

class Matches {
  readonly matches: GrepMatch[] = [];
  readonly #needle: string;
  readonly #cap: number;
  /** More was found than may be told. */
  full = false;

  constructor(needle: string, cap: number) {
    this.#needle = needle;
    this.#cap = cap;
  }

  add(path: string, content: string | Uint8Array): void {
    if (typeof content !== "string" || !content.includes(this.#needle)) return;
    for (const [index, text] of content.split("\n").entries()) {
      if (!text.includes(this.#needle)) continue;
      if (this.matches.length === this.#cap) {
        this.full = true;
        return;
      }
      this.matches.push({ path, line: index + 1, text: shortened(text) });
    }
  }
}

type GrepRequest =
  | { kind: "ok"; text: string; base: string; glob: GlobPattern; cap: number }
  | { kind: "refused"; reason: string };

function grepRequest(text: unknown, path: unknown, glob: unknown, cap: unknown): GrepRequest {
  const base = virtualPath(path);
  if (base.kind === "refused") return base;
  if (typeof text !== "string" || text === "") {
    return refused("the text to search for is empty; give some text");
  }
  if (text.includes("\n")) {
    return refused("the text to search for spans lines, but lines are searched one by one; give one of them");
  }
  // A pattern without a slash is about names, wherever they are.
  const filter = typeof glob === "string" && !glob.includes("/") ? `**/${glob}` : glob;
  const compiled = compileGlob(filter);
  if (compiled.kind === "refused") return compiled;
  if (typeof cap !== "number" || !Number.isSafeInteger(cap) || cap < 1) {
    return refused("the greatest number of matches must be a whole number; ask for 1 or more");
  }
  return { kind: "ok", text, base: base.path, glob: compiled.glob, cap: Math.min(cap, MAX_MATCHES) };
}

function refused(reason: string): GrepRequest {
  return { kind: "refused", reason };
}

function shortened(line: string): string {
  if (line.length <= MAX_LINE_LENGTH) return line;
  return `${line.slice(0, MAX_LINE_LENGTH).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

export function nameOf(file: FileInfo): string {
  const path = file.path.endsWith("/") ? file.path.slice(0, -1) : file.path;
  return path.slice(path.lastIndexOf("/") + 1);
}

/** By code unit, the same on every machine. */
export function byPath(a: { path: string }, b: { path: string }): number {
  if (a.path === b.path) return 0;
  return a.path < b.path ? -1 : 1;
}
