// Finds the lines over which two versions of a file conflict, and where they stand in each version.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gitError } from "./git.ts";
import { tryGitBytes } from "./git-bytes.ts";
import { readBlobs } from "./objects.ts";

/** The versions of a file that a merge found; a side on which it is not there is undefined. */
export interface ConflictSides {
  base: ConflictSide | undefined;
  ours: ConflictSide | undefined;
  theirs: ConflictSide | undefined;
}

export interface ConflictSide {
  mode: string;
  id: string;
}

export interface ConflictHunk {
  base: HunkSide;
  ours: HunkSide;
  theirs: HunkSide;
}

export interface HunkSide {
  /** The first line, counted from 1; for no lines, the line before which they are missing. */
  line: number;
  /** How many lines. */
  count: number;
  text: string;
}

const SIDES = ["ours", "base", "theirs"] as const;
type Side = (typeof SIDES)[number];
type Versions = Readonly<Record<Side, string>>;
/** Lines that merged, or the lines of the three versions that did not. */
type Piece = { kind: "merged"; lines: string[] } | ({ kind: "conflict" } & Record<Side, string[]>);

/** Larger files, binary ones and links have no hunks. */
const SIZE_LIMIT = 2 << 20;
const LONGEST_MARKER = 200;

export async function conflictHunks(gitDir: string, sides: ConflictSides): Promise<ConflictHunk[]> {
  const versions = await readVersions(gitDir, sides);
  if (versions === undefined) return [];
  const directory = await mkdtemp(join(tmpdir(), "cupel-conflict-"));
  try {
    const pieces = await mergeInto(gitDir, directory, versions);
    if (pieces === undefined) return [];
    const places = {
      ours: await locate(gitDir, directory, pieces, "ours"),
      base: await locate(gitDir, directory, pieces, "base"),
      theirs: await locate(gitDir, directory, pieces, "theirs"),
    };
    return pieces
      .filter((piece) => piece.kind === "conflict")
      .map((piece, index) => {
        const at = (side: Side): HunkSide => ({
          line: places[side][index] ?? 1,
          count: piece[side].length,
          text: Buffer.from(piece[side].join(""), "latin1").toString("utf8"),
        });
        return { base: at("base"), ours: at("ours"), theirs: at("theirs") };
      });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** One character per byte, so that text in any encoding keeps its lines. */
async function readVersions(gitDir: string, sides: ConflictSides): Promise<Versions | undefined> {
  const { base, ours, theirs } = sides;
  if (!isFile(ours) || !isFile(theirs) || (base !== undefined && !isFile(base))) return undefined;
  const contents: string[] = [];
  const ids = base === undefined ? [ours.id, theirs.id] : [ours.id, theirs.id, base.id];
  for await (const blob of readBlobs(gitDir, ids)) {
    if (blob.length > SIZE_LIMIT || blob.subarray(0, 8000).includes(0)) return undefined;
    contents.push(blob.toString("latin1"));
  }
  const [first = "", second = "", third = ""] = contents;
  return { ours: first, theirs: second, base: third };
}

function isFile(side: ConflictSide | undefined): side is ConflictSide {
  return side !== undefined && side.mode.startsWith("100");
}

async function mergeInto(
  gitDir: string,
  directory: string,
  versions: Versions,
): Promise<Piece[] | undefined> {
  const size = markerSize(versions);
  if (size > LONGEST_MARKER) return undefined;
  for (const side of SIDES) await writeFile(join(directory, side), versions[side], "latin1");
  const labels = SIDES.flatMap((side) => ["-L", side]);
  const files = SIDES.map((side) => join(directory, side));
  const args = ["merge-file", "-p", "--diff3", `--marker-size=${size}`, ...labels, ...files];
  const result = await tryGitBytes(args, { gitDir });
  // The exit code counts the conflicts, up to 127.
  if (result.kind !== "exited" || result.code > 127) throw gitError(args, { ...result, stdout: "" });
  return readPieces(result.stdout.toString("latin1"), size);
}

/** Longer than anything in the files that looks like a marker, so that nothing in them can pass for one. */
function markerSize(versions: Versions): number {
  const runs = SIDES.flatMap((side) => versions[side].match(/^([<|=>])\1{6,}/gm) ?? []);
  return runs.reduce((longest, run) => Math.max(longest, run.length + 1), 7);
}

function readPieces(merged: string, size: number): Piece[] {
  const pieces: Piece[] = [];
  let conflict: Record<Side, string[]> | undefined;
  let side: Side = "ours";
  let lines: string[] = [];
  for (const line of linesOf(merged)) {
    const marker = line.startsWith((line[0] ?? "").repeat(size)) ? line[0] : undefined;
    if (marker === "<" && conflict === undefined) {
      pieces.push({ kind: "merged", lines });
      conflict = { ours: [], base: [], theirs: [] };
      side = "ours";
    } else if (marker === "|" && conflict !== undefined) side = "base";
    else if (marker === "=" && conflict !== undefined) side = "theirs";
    else if (marker === ">" && conflict !== undefined) {
      pieces.push({ kind: "conflict", ...conflict });
      conflict = undefined;
      lines = [];
    } else if (conflict === undefined) lines.push(line);
    else conflict[side].push(line);
  }
  return [...pieces, { kind: "merged", lines }];
}

/** The line in one version at which each conflict begins: the merge with only that version's lines, against it. */
async function locate(
  gitDir: string,
  directory: string,
  pieces: readonly Piece[],
  side: Side,
): Promise<number[]> {
  const starts: number[] = [];
  const lines: string[] = [];
  for (const piece of pieces) {
    if (piece.kind === "conflict") starts.push(lines.length + 1);
    lines.push(...(piece.kind === "conflict" ? piece[side] : piece.lines));
  }
  await writeFile(join(directory, "view"), lines.join(""), "latin1");
  const files = [join(directory, "view"), join(directory, side)];
  const args = ["diff", "--no-index", "--no-ext-diff", "--no-textconv", "--text", "-U0", "--", ...files];
  const result = await tryGitBytes(args, { gitDir });
  if (result.kind !== "exited" || result.code > 1) throw gitError(args, { ...result, stdout: "" });
  const shifts = [...result.stdout.toString("latin1").matchAll(HUNK_HEADER)].map(shiftOf);
  return starts.map((start) =>
    shifts.reduce((line, { upTo, by }) => (upTo < start ? line + by : line), start),
  );
}

const HUNK_HEADER = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/gm;

/** Lines of the view after `upTo` stand `by` lines further down in the version. */
function shiftOf(header: RegExpMatchArray): { upTo: number; by: number } {
  const [, first = "0", removed = "1", added = "1"] = header;
  const upTo = Number(first) + Math.max(Number(removed) - 1, 0);
  return { upTo, by: Number(added) - Number(removed) };
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
