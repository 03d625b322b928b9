// Reads the files of a module's folder, in which agents control every name, link and size.
import type { Stats } from "node:fs";
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { staysInside } from "../../domain/artifact/context-pack.ts";
import { CANARY_FILE } from "../../workshop/blindness/canary.ts";
import { LEFT_OUT } from "../left-out.ts";
import type { Files, Site } from "../port.ts";
import { isGitName } from "../../workshop/git/byte-path.ts";

export interface FoundFiles {
  /** Paths of regular files, sorted; folders that hold no work of the module are left out. */
  files: string[];
  /** Links and special files, which are never followed and never copied. */
  odd: string[];
}

const MOST_FILES = 5_000;
const MOST_BYTES = 64 * 1024 ** 2;

/** A text is the reason why the folder cannot be taken. */
export function filesOf(folder: string): FoundFiles | string {
  const found: FoundFiles = { files: [], odd: [] };
  const folders = [""];
  let entries = 0;
  let bytes = 0;
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    const paths = pathsIn(folder, next);
    if (typeof paths === "string") return paths;
    entries += paths.length;
    if (entries > MOST_FILES) return `it holds more than ${MOST_FILES} files`;
    for (const path of paths) {
      const stat = statOf(join(folder, path));
      if (stat?.isDirectory() === true) folders.push(path);
      else (stat?.isFile() === true ? found.files : found.odd).push(path);
      bytes += stat?.isFile() === true ? stat.size : 0;
    }
    if (bytes > MOST_BYTES) return `it holds more than ${MOST_BYTES / 1024 ** 2} MB`;
  }
  found.files.sort();
  found.odd.sort();
  return found;
}

function pathsIn(folder: string, within: string): string[] | string {
  const paths: string[] = [];
  const names = namesIn(join(folder, within));
  if (names === undefined) return `the folder ${JSON.stringify(within)} cannot be read`;
  for (const name of names) {
    const text = name.toString("utf8");
    const path = within === "" ? text : `${within}/${text}`;
    if (LEFT_OUT.has(text) || isGitName(text) || path === CANARY_FILE) continue;
    if (!Buffer.from(text).equals(name) || !isPlain(path))
      return `the name ${JSON.stringify(path)} is not plain text`;
    paths.push(path);
  }
  return paths;
}

function namesIn(folder: string): Buffer[] | undefined {
  try {
    return readdirSync(folder, { encoding: "buffer" });
  } catch {
    return undefined;
  }
}

/** Undefined also where folders lie so deep that their path is too long for the system. */
function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Control characters and broken characters could make one name look like another in a report. */
function isPlain(path: string): boolean {
  return staysInside(path) && !/[\p{Cc}\p{Cs}\u2028\u2029\uFFFD]/u.test(path);
}

/** Opened without following a link, since a folder can change between the look and the reading. */
export function readRegular(path: string): Buffer | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const stat = fstatSync(descriptor);
    return stat.isFile() && stat.size <= MOST_BYTES ? readFileSync(descriptor) : undefined;
  } finally {
    closeSync(descriptor);
  }
}

/** The code of a module without its tests, by path. */
export function sourcesOf(site: Pick<Site, "layout" | "files">): Files {
  const files = site.files();
  return Object.fromEntries(site.layout.sources.map((path) => [path, files[path] ?? ""]));
}

/** With the data that the code may import. */
export function importedBy(site: Pick<Site, "layout" | "files" | "data">): Files {
  return { ...site.data(), ...sourcesOf(site) };
}
