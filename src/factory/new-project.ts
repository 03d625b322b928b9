// Begins a project: the two files that a person edits, written only where there are none.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { environmentError, hasCode } from "../domain/environment-error.ts";
import { SPEC_FILE, SPEC_TEMPLATE } from "../product/spec-template.ts";
import { CONFIG_FILE } from "./project.ts";

export interface ProjectFiles {
  spec: string;
  config: string;
}

export interface NewProject {
  directory: string;
  written: string[];
  /** Those that were there already, and stay as they are. */
  kept: string[];
  /** Whether a git repository is around. */
  repository: boolean;
}

/** Files that a person fills in, unless others are given. */
export function beginProject(directory: string, given?: ProjectFiles): NewProject {
  const root = resolve(directory);
  const { spec = SPEC_TEMPLATE, config = CONFIG_TEMPLATE } = given ?? {};
  const files = { [SPEC_FILE]: spec, [CONFIG_FILE]: config };
  mkdirSync(root, { recursive: true });
  const written = Object.entries(files).filter(([name, text]) => writeNew(join(root, name), text));
  const names = written.map(([name]) => name);
  return {
    directory: root,
    written: names,
    kept: Object.keys(files).filter((name) => !names.includes(name)),
    repository: hasRepository(root),
  };
}

const CONFIG_TEMPLATE = `{
  // Every key and its meaning: cupel schema Config
  "$schema": "./node_modules/cupel/schemas/cupel.config.schema.json",
  "rigor": "standard", // how much proof a module needs: lite, standard, strict
  "budget": { "usd": 5 }, // what a run may spend at most
  // Which model does what, as provider:model. Keys come from the environment, never from here.
  // "models": { "standard": "anthropic:claude-sonnet-5", "strong": "anthropic:claude-opus-5-5" },
}
`;

/** False where something is there already, whatever it is. */
function writeNew(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: "wx" });
    return true;
  } catch (cause) {
    if (hasCode(cause, "EEXIST")) return false;
    throw environmentError(path, cause);
  }
}

function hasRepository(directory: string): boolean {
  for (let here = directory; ; here = dirname(here)) {
    if (existsSync(join(here, ".git"))) return true;
    if (here === dirname(here)) return false;
  }
}
