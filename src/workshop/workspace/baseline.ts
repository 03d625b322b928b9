// How every file of a workspace looked when the agent got it, so that later only changed ones need to be read.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { asBytePath } from "../git/byte-path.ts";
import type { BytePath } from "../git/byte-path.ts";
import { walk } from "./walk.ts";
import type { FoundEntry } from "./walk.ts";

/** A file's content and mode as git names them. */
export interface Version {
  mode: string;
  id: string;
}

export interface Baseline {
  /** The version each path had. */
  versions: ReadonlyMap<BytePath, Version>;
  /** Whether a file surely is what it was, without reading it. */
  isUntouched: (entry: FoundEntry) => boolean;
}

/** Called when the tree is complete and nobody else can write it yet. */
export function recordBaseline(place: string, tree: string, versions: ReadonlyMap<BytePath, Version>): void {
  const lines: string[] = [];
  for (const entry of walk(tree, (path) => path === ".git")) {
    const version = versions.get(entry.path);
    if (version !== undefined && entry.kind !== "unreachable")
      lines.push(`${version.mode} ${version.id} ${look(entry)}\t${entry.path}`);
  }
  writeFileSync(place, [String(Date.now()), ...lines].join("\0"), "latin1");
}

export function readBaseline(place: string): Baseline {
  const [recordedAt = "", ...lines] = readFileSync(place, "latin1").split("\0");
  const versions = new Map<BytePath, Version>();
  const looks = new Map<BytePath, string>();
  for (const line of lines) {
    const tab = line.indexOf("\t");
    const [mode = "", id = "", ...rest] = line.slice(0, tab).split(" ");
    const path = asBytePath(line.slice(tab + 1));
    versions.set(path, { mode, id });
    looks.set(path, rest.join(" "));
  }
  // The clock of the disk ticks slowly: what was written just before the record could be written again unseen.
  const certainBefore = (BigInt(recordedAt) - TICK_MS) * 1_000_000n;
  return {
    versions,
    isUntouched: (entry) =>
      entry.kind !== "unreachable" &&
      entry.stat.ctimeNs < certainBefore &&
      looks.get(entry.path) === look(entry),
  };
}

const TICK_MS = 20n;

/** The change time cannot be set by anybody, so that a file that looks the same is the same. */
function look({ stat, kind }: Exclude<FoundEntry, { kind: "unreachable" }>): string {
  return `${kind} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs} ${stat.ino} ${stat.mode}`;
}

/** The id that git gives to this content, in a repository whose ids look like `like`. */
export function blobId(content: Uint8Array, like: string): string {
  const hash = createHash(like.length === 64 ? "sha256" : "sha1");
  return hash.update(`blob ${content.length}\0`).update(content).digest("hex");
}
