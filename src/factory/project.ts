// Where a project of Cupel is, and the settings that hold in it.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { resolveConfig } from "../domain/config.ts";
import type { ResolvedConfig } from "../domain/config.ts";
import { hasCode } from "../domain/environment-error.ts";
import { CupelError } from "../domain/error.ts";
import { parseConfigText, renderConfigProblem } from "../project/config-file.ts";

export const CONFIG_FILE = "cupel.config.json";

/** The nearest directory, here or above, in which Cupel has worked. */
export function projectAround(directory: string): string {
  const found = nearestWith(directory, [".cupel"]);
  if (found !== undefined) return found;
  throw new CupelError("not_found", `there is no project of Cupel in ${directory} or above`, {
    expected: "a directory with .cupel in it",
    hint: "change to the directory of your project",
  });
}

/** The nearest directory, here or above, that has settings of Cupel or in which it has worked. */
export function projectNear(directory: string): string | undefined {
  return nearestWith(directory, [".cupel", CONFIG_FILE]);
}

function nearestWith(directory: string, names: readonly string[]): string | undefined {
  for (let here = resolve(directory); ; here = dirname(here)) {
    if (names.some((name) => existsSync(join(here, name)))) return here;
    if (here === dirname(here)) return undefined;
  }
}

export interface Settings extends ResolvedConfig {
  /** The file they came from, or that there is none. */
  from: string;
}

/** The project's settings with the defaults filled in; throws `invalid_config` naming line, key and nearest key. */
export async function readConfig(directory: string): Promise<Settings> {
  const text = await readIfThere(join(directory, CONFIG_FILE));
  if (text === undefined) return { ...resolveConfig({}), from: `no ${CONFIG_FILE}` };
  const parsed = parseConfigText(text, CONFIG_FILE);
  if (parsed.kind === "ok") return { ...resolveConfig(parsed.config), from: CONFIG_FILE };
  const lines = parsed.problems.map((problem) => renderConfigProblem(CONFIG_FILE, problem));
  throw new CupelError("invalid_config", lines.join("\n"), { hint: "cupel schema Config (shows every key)" });
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    if (hasCode(cause, "ENOENT")) return undefined;
    throw new CupelError("invalid_config", `${CONFIG_FILE} cannot be read: ${String(cause)}`, { cause });
  }
}
