// Checks the whole state store: every hash, envelope, transition, seal and reference. Looks, never mends by itself.
import { rmSync, statSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { sha256Hex } from "../domain/canonical.ts";
import { isMissing, TEMPORARY_PREFIX, writeAtomically } from "./atomic-file.ts";
import { checkRows } from "./fsck-rows.ts";
import type { CheckedRows } from "./fsck-rows.ts";
import type { FsckProblem, FsckReport } from "./fsck-report.ts";
import type { Payloads } from "./payloads.ts";
import { artifactPath, envelopeText, modulePath } from "./projection.ts";
import type { Sql } from "./sql.ts";

/** The folders whose every file the database must know. */
const FOLDERS = ["artifacts", "modules"];

export interface FsckInput {
  sql: Sql;
  payloads: Payloads;
  /** The directory of the files that follow the database. */
  root: string;
}

export async function fsck({ sql, payloads, root }: FsckInput): Promise<FsckReport> {
  const rows = checkRows(sql);
  const stored = await checkPayloads(payloads);
  const files = await checkFiles(root, rows);
  const problems = [
    ...rows.problems,
    ...stored.problems,
    ...missingPayloads(rows, stored.refs),
    ...files.problems,
  ];
  return {
    clean: problems.length === 0,
    problems,
    leftovers: files.leftovers,
    looked: { ...rows.counts, payloads: stored.refs.size, files: files.count },
  };
}

async function checkPayloads(payloads: Payloads): Promise<{ refs: Set<string>; problems: FsckProblem[] }> {
  const refs = new Set<string>();
  const problems: FsckProblem[] = [];
  for await (const { ref, problem } of payloads.verifyAll()) {
    refs.add(ref);
    if (problem !== undefined) problems.push({ where: ref, what: problem });
  }
  return { refs, problems };
}

function missingPayloads({ bodies }: CheckedRows, stored: ReadonlySet<string>): FsckProblem[] {
  return bodies.flatMap(({ owner, files }) =>
    Object.entries(files)
      .filter(([, ref]) => !stored.has(ref))
      .map(([path, ref]) => ({ where: `${owner} ${path}`, what: `its payload ${ref} is missing` })),
  );
}

interface Files {
  count: number;
  problems: FsckProblem[];
  leftovers: FsckProblem[];
}

/** Compares the files with what the database says they must be. */
async function checkFiles(root: string, rows: CheckedRows): Promise<Files> {
  const expected = expectedFiles(rows);
  const found = await hashesBelow(root, FOLDERS);
  const problems: FsckProblem[] = [];
  const leftovers: FsckProblem[] = [];
  for (const [path, hashes] of expected) {
    const hash = found.get(path);
    if (hash === hashes.now) continue;
    if (hash === undefined) problems.push({ where: path, what: "the file is missing" });
    else if (hashes.before.includes(hash))
      leftovers.push({ where: path, what: "the file is older than the database" });
    else problems.push({ where: path, what: "the file was changed" });
  }
  for (const path of found.keys()) {
    if (!expected.has(path)) leftovers.push({ where: path, what: "nothing in the database knows this file" });
  }
  return { count: found.size, problems, leftovers };
}

/**
 * Brings the files back to what the database says, as far as the payloads still have it, and clears away what interrupted
 * writes left behind. Young leftovers stay: they may belong to a write that is just under way.
 */
export async function repair({ sql, payloads, root }: FsckInput, now: number): Promise<void> {
  const expected = expectedFiles(checkRows(sql));
  const found = await hashesBelow(root, FOLDERS);
  for (const [path, { now: hash, text }] of expected) {
    if (found.get(path) === hash) continue;
    const content = text ?? (await payloads.get(`sha256:${hash}`).catch(() => undefined));
    if (content !== undefined) await writeAtomically(join(root, path), content, "full");
  }
  for (const path of await filesBelow(root, () => true)) {
    const known = expected.has(relative(root, path)) || relative(root, path).startsWith("payloads");
    const temporary = basename(path).startsWith(TEMPORARY_PREFIX);
    if ((temporary || !known) && statSync(path).mtimeMs < now - YOUNG_MS) rmSync(path);
  }
}

const YOUNG_MS = 10 * 60_000;

interface ExpectedHash {
  now: string;
  /** The text itself where it is not among the payloads. */
  text?: string;
  /** What the file was before the last change of status: a crash may have come between database and file. */
  before: string[];
}

function expectedFiles({ artifacts, modules }: CheckedRows): Map<string, ExpectedHash> {
  const expected = new Map<string, ExpectedHash>();
  for (const { row, earlierStatuses } of artifacts) {
    const directory = artifactPath(row);
    const before = earlierStatuses.map((status) =>
      sha256Hex(envelopeText({ envelope: { ...row.envelope, status } })),
    );
    const text = envelopeText(row);
    expected.set(join(directory, "envelope.json"), { now: sha256Hex(text), text, before });
    for (const [path, ref] of Object.entries(row.body))
      expected.set(join(directory, "body", path), known(ref));
  }
  for (const { moduleId, version, files } of modules) {
    for (const [path, ref] of Object.entries(files))
      expected.set(join(modulePath(moduleId, version), path), known(ref));
  }
  return expected;
}

function known(ref: string): ExpectedHash {
  return { now: ref.slice("sha256:".length), before: [] };
}

async function hashesBelow(root: string, folders: string[]): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  for (const folder of folders) {
    for (const path of await filesBelow(join(root, folder), isFinished)) {
      hashes.set(relative(root, path), sha256Hex(await readFile(path)));
    }
  }
  return hashes;
}

async function filesBelow(directory: string, wanted: (name: string) => boolean): Promise<string[]> {
  try {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && wanted(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function isFinished(name: string): boolean {
  return !name.startsWith(TEMPORARY_PREFIX);
}
