// What the files of the store must be by the word of the database, and what they are.
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { sha256Hex } from "../domain/canonical.ts";
import type { ProjectState } from "../domain/task/project-state.ts";
import { isMissing, TEMPORARY_PREFIX } from "./atomic-file.ts";
import type { FsckProblem } from "./fsck-report.ts";
import type { CheckedRows } from "./fsck-rows.ts";
import { PRODUCT_FOLDER, shownFiles } from "./product-files.ts";
import {
  artifactPath,
  envelopeText,
  modulePath,
  STATE_MACHINE_FILE,
  stateMachineText,
} from "./projection.ts";

/** The folders whose every file the database must know. */
export const FOLDERS = ["artifacts", "modules", PRODUCT_FOLDER];

export interface ExpectedFile {
  hash: string;
  /** The text itself where it is not among the payloads. */
  text?: string;
  /** What the file was before the last change of status: a crash may have come between database and file. */
  before: string[];
  /** A module that is not sealed yet is written after its row, and one that has just shipped after its seal. */
  mayLag: boolean;
}

export interface FileCheck {
  count: number;
  problems: FsckProblem[];
  leftovers: FsckProblem[];
}

export async function checkFiles(root: string, rows: KnownFiles): Promise<FileCheck> {
  const expected = expectedFiles(rows);
  const found = await hashesBelow(root);
  const check: FileCheck = { count: found.size, problems: [], leftovers: [] };
  for (const [path, file] of expected) {
    const hash = found.get(path);
    if (hash === file.hash) continue;
    if (file.mayLag || (hash !== undefined && file.before.includes(hash))) {
      check.leftovers.push({ where: path, what: "the file is older than the database" });
    } else {
      check.problems.push({
        where: path,
        what: hash === undefined ? "the file is missing" : "the file was changed",
      });
    }
  }
  for (const path of found.keys()) {
    // One of a project that is not in the database is somebody's own.
    if (!expected.has(path) && path !== STATE_MACHINE_FILE)
      check.leftovers.push({ where: path, what: "nothing in the database knows this file" });
  }
  return check;
}

/** What files follow from. */
export type KnownFiles = Pick<CheckedRows, "artifacts" | "modules"> & { state: ProjectState | undefined };

export function expectedFiles({ artifacts, modules, state }: KnownFiles): Map<string, ExpectedFile> {
  const expected = new Map<string, ExpectedFile>();
  if (state !== undefined) {
    const text = stateMachineText(state);
    // Written when nobody works, so that a status change costs the same in any project.
    expected.set(STATE_MACHINE_FILE, { hash: sha256Hex(text), text, before: [], mayLag: true });
  }
  for (const { row, earlierStatuses } of artifacts) {
    const directory = artifactPath(row);
    const earlier = earlierStatuses.map((status) => envelopeText({ envelope: { ...row.envelope, status } }));
    const text = envelopeText(row);
    expected.set(join(directory, "envelope.json"), {
      hash: sha256Hex(text),
      text,
      before: earlier.map(sha256Hex),
      mayLag: false,
    });
    for (const [path, ref] of Object.entries(row.body))
      expected.set(join(directory, "body", path), stored(ref, false));
    // Shown once the row says that it is approved, so a crash may have come between the two.
    for (const [path, ref] of shownFiles(row)) expected.set(path, stored(ref, true));
  }
  for (const { moduleId, version, files, settled } of modules) {
    const directory = modulePath(moduleId, version);
    for (const [path, ref] of Object.entries(files))
      expected.set(join(directory, path), stored(ref, !settled));
  }
  return expected;
}

function stored(ref: string, mayLag: boolean): ExpectedFile {
  return { hash: ref.slice("sha256:".length), before: [], mayLag };
}

export async function hashesBelow(root: string): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  for (const folder of FOLDERS) {
    for (const path of await filesBelow(join(root, folder), isFinished)) {
      const bytes = await readIfThere(path);
      if (bytes !== undefined) hashes.set(relative(root, path), sha256Hex(bytes));
    }
  }
  const state = await readIfThere(join(root, STATE_MACHINE_FILE));
  if (state !== undefined) hashes.set(STATE_MACHINE_FILE, sha256Hex(state));
  return hashes;
}

export async function filesBelow(directory: string, wanted: (name: string) => boolean): Promise<string[]> {
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

/** A writer may replace or remove a file between our listing and our reading. */
async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isFinished(name: string): boolean {
  return !name.startsWith(TEMPORARY_PREFIX);
}
