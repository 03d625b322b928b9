// What the compiler is shown of a module: its own real files and the types of its dependencies, never through a link.
import { type Dirent, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CupelError } from "../../../domain/error.ts";
import { isRealDirectory } from "../../../workshop/sandbox/grants.ts";
import type { ModuleLayout } from "../../port.ts";

/** The part of a site that reading and type-checking need. */
export interface ModuleView {
  readonly layout: ModuleLayout;
  /** The copy of the module, on the machine of the harness. */
  readonly directory: string;
  /** Installed packages that the module sees as node_modules; without it those that a site in this directory would see. */
  readonly packages?: string | undefined;
  /** Built packages of other modules, imported as `#modules/<name>`. */
  readonly dependencies?: readonly { name: string; directory: string }[] | undefined;
}

const READ = /\.(?:[cm]?[jt]sx?|json)$/;
const NOT_OF_THE_MODULE = new Set(["node_modules", "modules", ".git", ".cupel-tools", ".cupel", "coverage"]);
const MOST_FILES = 2_000;
const MOST_BYTES = 16 * 1024 * 1024;

/** By path relative to the module, with forward slashes, in a fixed order. */
export function moduleFiles(view: ModuleView): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const budget = { files: MOST_FILES, bytes: MOST_BYTES };
  collect({ directory: view.directory, at: "", accept: READ, found, budget });
  for (const { name, directory } of view.dependencies ?? []) {
    const types = join(directory, "types");
    if (!isRealDirectory(types)) continue;
    collect({ directory: types, at: `modules/${name}/types/`, accept: /\.d\.[cm]?ts$/, found, budget });
  }
  return found;
}

interface Collection {
  directory: string;
  at: string;
  accept: RegExp;
  found: Map<string, string>;
  budget: { files: number; bytes: number };
}

function collect(collection: Collection): void {
  const { directory, at, accept, found, budget } = collection;
  for (const entry of sortedEntries(directory)) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) {
      if (at === "" && NOT_OF_THE_MODULE.has(entry.name)) continue;
      collect({ ...collection, directory: path, at: `${at}${entry.name}/` });
    } else if (entry.isFile() && accept.test(entry.name)) {
      const text = readFileSync(path, "utf8");
      budget.files -= 1;
      budget.bytes -= text.length;
      if (budget.files < 0 || budget.bytes < 0) throw tooMuch();
      found.set(`${at}${entry.name}`, text);
    }
  }
}

function sortedEntries(directory: string): Dirent[] {
  const entries = readdirSync(directory, { withFileTypes: true });
  return entries.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

function tooMuch(): CupelError {
  return new CupelError("invalid_input", "the module is too large to be type-checked", {
    expected: `at most ${MOST_FILES} files and ${MOST_BYTES} bytes of code`,
    hint: "split it into modules; data belongs into files that are not code",
  });
}
