// The composition root: the only file that knows every adapter.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { probeKeys } from "./agents/probes.ts";
import { resolveConfig } from "./domain/config.ts";
import type { ResolvedConfig } from "./domain/config.ts";
import { diagnose } from "./domain/diagnosis.ts";
import type { Check, Diagnosis } from "./domain/diagnosis.ts";
import { CupelError } from "./domain/error.ts";
import { parseConfigText, renderConfigProblem } from "./project/config-file.ts";
import type { FsckReport } from "./store/fsck-report.ts";
import { tail } from "./store/local/journal.ts";
import { checkStateStore, openStateStore } from "./store/state-store.ts";
import type { StateStore } from "./store/state-store.ts";
import { probeNode, probePython, probeTypescript } from "./toolchains/probes.ts";
import { cupelVersion } from "./version.ts";
import { probeGit, probeSandbox } from "./workshop/probes.ts";
import { runCommand } from "./workshop/process/run-command.ts";
import { bubblewrap } from "./workshop/sandbox/bubblewrap.ts";
import { OPEN_WITHOUT_SANDBOX } from "./workshop/sandbox/open-doors.ts";
import { clean, listWorkspaces as workspacesIn } from "./workshop/workspace/clean.ts";
import type { CleaningResult, WorkspaceState } from "./workshop/workspace/clean.ts";
import { workshopOf } from "./workshop/workspace/places.ts";

const CONFIG_FILE = "cupel.config.json";

export interface Machine {
  directory: string;
  env: Readonly<Record<string, string | undefined>>;
}

export async function examine({ directory, env }: Machine): Promise<Diagnosis> {
  const path = env["PATH"] ?? "";
  const [git, sandbox, typescript, python, config] = await Promise.all([
    probeGit(runCommand, path),
    probeSandbox(runCommand, bubblewrap()),
    probeTypescript(runCommand, path),
    probePython(runCommand, path),
    checkConfig(directory),
  ]);
  const checks = [probeNode(process.versions.node), git, sandbox, typescript, python, probeKeys(env), config];
  return diagnose(cupelVersion(), checks, OPEN_WITHOUT_SANDBOX);
}

/** The state store of a project that has one. */
export function openStore(directory: string): StateStore {
  return openStateStore(directory, { durability: "normal", missing: "refuse" });
}

export function checkStore(directory: string, options: { repair: boolean }): Promise<FsckReport> {
  return checkStateStore(directory, options);
}

export { tail };

export function listWorkspaces(directory: string): Promise<WorkspaceState[]> {
  return workspacesIn(workshopOf(projectAround(directory)));
}

export function cleanWorkspaces(directory: string, options: { foreign: boolean }): Promise<CleaningResult> {
  return clean(workshopOf(projectAround(directory)), options);
}

/** The nearest directory, here or above, in which Cupel has worked. */
function projectAround(directory: string): string {
  for (let here = resolve(directory); ; here = dirname(here)) {
    if (existsSync(join(here, ".cupel"))) return here;
    if (here === dirname(here)) break;
  }
  throw new CupelError("not_found", `there is no project of Cupel in ${directory} or above`, {
    expected: "a directory with .cupel in it",
    hint: "change to the directory of your project",
  });
}

/** The project's settings with the defaults filled in; throws `invalid_config` naming line, key and nearest key. */
async function readConfig(directory: string): Promise<ResolvedConfig & { from: string }> {
  const text = await readIfThere(join(directory, CONFIG_FILE));
  if (text === undefined) return { ...resolveConfig({}), from: `no ${CONFIG_FILE}` };
  const parsed = parseConfigText(text, CONFIG_FILE);
  if (parsed.kind === "ok") return { ...resolveConfig(parsed.config), from: CONFIG_FILE };
  const lines = parsed.problems.map((problem) => renderConfigProblem(CONFIG_FILE, problem));
  throw new CupelError("invalid_config", lines.join("\n"), { hint: "cupel schema Config (shows every key)" });
}

async function checkConfig(directory: string): Promise<Check> {
  try {
    const { from, rigor, protocol, concurrency, budget } = await readConfig(directory);
    const settings = [
      `rigor ${rigor.base}`,
      `protocol ${protocol}`,
      `concurrency ${concurrency}`,
      `budget $${budget.usd}`,
    ];
    return { name: "config", required: true, status: "ok", found: `${from}: ${settings.join(" · ")}` };
  } catch (error) {
    if (!(error instanceof CupelError)) throw error;
    return {
      name: "config",
      required: true,
      status: "unfit",
      found: error.message,
      cost: "nothing runs here until it is right",
      ...(error.hint === undefined ? {} : { fix: error.hint }),
    };
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined;
    throw new CupelError("invalid_config", `${CONFIG_FILE} cannot be read: ${String(cause)}`, { cause });
  }
}
