// What changed between two trees: paths with their kind of change, and the patch as text.
import { asBytePath, toText } from "./byte-path.ts";
import type { BytePath } from "./byte-path.ts";
import { objectId } from "./commits.ts";
import { git } from "./git.ts";
import { firstGitBytes, gitBytes, splitNul } from "./git-bytes.ts";
import { remembered } from "./known-objects.ts";

export interface ChangedPath {
  kind: "added" | "deleted" | "modified" | "type-changed" | "renamed";
  path: string;
  bytes: BytePath;
  /** Where a renamed file was. */
  from: string | undefined;
  before: FileVersion | undefined;
  after: FileVersion | undefined;
  binary: boolean;
}

export interface FileVersion {
  mode: string;
  id: string;
  /** Undefined for another repository's commit. */
  size: number | undefined;
}

export interface DiffOptions {
  /** Off unless asked for: a rename is a deletion and an addition, each of which must be allowed. */
  renames?: boolean;
}

/** Between two commits or trees, in git's order. */
export async function changedPaths(
  gitDir: string,
  from: string,
  to: string,
  options: DiffOptions = {},
): Promise<ChangedPath[]> {
  const key = `${gitDir} ${objectId(from)} ${objectId(to)} ${renameFlag(options)}`;
  const known = CHANGES.read(key);
  if (known !== undefined) return [...known];
  const changes = await compare(gitDir, from, to, options);
  CHANGES.write(key, changes);
  return [...changes];
}

/** Judges of one change ask for it one after the other. */
const CHANGES = remembered<readonly ChangedPath[]>((changes) => 200 * (1 + changes.length), {
  each: 1 << 18,
  all: 1 << 22,
});

async function compare(
  gitDir: string,
  from: string,
  to: string,
  options: DiffOptions,
): Promise<ChangedPath[]> {
  const args = [
    "diff-tree",
    "-r",
    "-z",
    "--full-index",
    "--no-ext-diff",
    "--no-textconv",
    renameFlag(options),
  ];
  const trees = [objectId(from), objectId(to)];
  const fields = splitNul(await gitBytes([...args, "--raw", "--numstat", ...trees], { gitDir }));
  const { raw, rest } = readRaw(fields);
  const binary = readBinary(rest);
  const sizes = await sizesOf(
    gitDir,
    raw.flatMap(({ before, after }) => [before, after]),
  );
  return raw.map(({ status, old, path, before, after }) => ({
    kind: KINDS[status] ?? "modified",
    path: toText(path),
    bytes: path,
    from: old === undefined ? undefined : toText(old),
    before: version(before, sizes),
    after: version(after, sizes),
    binary: binary.has(path),
  }));
}

/** The patch, cut off after `limit` bytes; binary files are named, not shown. */
export async function patchText(
  gitDir: string,
  from: string,
  to: string,
  options: DiffOptions & { limit?: number } = {},
): Promise<{ text: string; cut: boolean }> {
  const args = ["diff-tree", "-r", "-p", "--full-index", "--no-color", "--no-ext-diff", "--no-textconv"];
  const trees = [objectId(from), objectId(to)];
  const limit = options.limit ?? PATCH_LIMIT;
  const { bytes, more } = await firstGitBytes([...args, renameFlag(options), ...trees], { gitDir }, limit);
  // A character that the limit cut in two is left out rather than shown as something else.
  const text = new TextDecoder().decode(bytes, { stream: more });
  return { text, cut: more };
}

const PATCH_LIMIT = 1 << 20;
const ABSENT = "000000";
const SUBMODULE = "160000";
const KINDS: Readonly<Record<string, ChangedPath["kind"]>> = {
  A: "added",
  D: "deleted",
  M: "modified",
  T: "type-changed",
  R: "renamed",
};

interface Entry {
  mode: string;
  id: string;
}

interface RawChange {
  status: string;
  path: BytePath;
  old: BytePath | undefined;
  before: Entry | undefined;
  after: Entry | undefined;
}

function renameFlag({ renames = false }: DiffOptions): string {
  return renames ? "--find-renames" : "--no-renames";
}

/** `:mode mode id id status`, then one path, or two where it was renamed; what follows is of another form. */
function readRaw(fields: string[]): { raw: RawChange[]; rest: string[] } {
  const changes: RawChange[] = [];
  let at = 0;
  while (fields[at]?.startsWith(":") === true) {
    const [modeA = "", modeB = "", idA = "", idB = "", status = ""] = (fields[at] ?? "").slice(1).split(" ");
    const renamed = status.startsWith("R");
    const paths = fields.slice(at + 1, at + (renamed ? 3 : 2)).map(asBytePath);
    changes.push({
      status: status.slice(0, 1),
      path: paths.at(-1) ?? asBytePath(""),
      old: renamed ? paths[0] : undefined,
      before: modeA === ABSENT ? undefined : { mode: modeA, id: idA },
      after: modeB === ABSENT ? undefined : { mode: modeB, id: idB },
    });
    at += 1 + paths.length;
  }
  return { raw: changes, rest: fields.slice(at) };
}

/** Lines added, lines removed, path; dashes instead of numbers for a binary file; two paths where it was renamed. */
function readBinary(fields: string[]): Set<string> {
  const binary = new Set<string>();
  for (let at = 0; at < fields.length; at += 1) {
    const [added = "", , path = ""] = (fields[at] ?? "").split("\t");
    const field = fields[at] ?? "";
    const name =
      path === "" ? (fields[at + 2] ?? "") : field.slice(field.indexOf("\t", field.indexOf("\t") + 1) + 1);
    if (path === "") at += 2;
    if (added === "-") binary.add(name);
  }
  return binary;
}

async function sizesOf(
  gitDir: string,
  entries: readonly (Entry | undefined)[],
): Promise<Map<string, number>> {
  const files = entries.filter((entry) => entry !== undefined && entry.mode !== SUBMODULE);
  const ids = [...new Set(files.map((entry) => entry?.id ?? ""))];
  if (ids.length === 0) return new Map();
  const stdin = `${ids.join("\n")}\n`;
  const format = "--batch-check=%(objectname) %(objectsize)";
  const output = await git(["cat-file", format], { gitDir, stdin });
  return new Map(
    output
      .trimEnd()
      .split("\n")
      .map((line) => [line.split(" ")[0] ?? "", Number(line.split(" ")[1])]),
  );
}

function version(entry: Entry | undefined, sizes: ReadonlyMap<string, number>): FileVersion | undefined {
  return entry === undefined ? undefined : { ...entry, size: sizes.get(entry.id) };
}
