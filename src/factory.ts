// The composition root: the only file that knows every adapter.
import { chmodSync, existsSync, mkdtempSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { probeKeys } from "./agents/probes.ts";
import { sha256Hex } from "./domain/canonical.ts";
import { resolveConfig } from "./domain/config.ts";
import type { ResolvedConfig } from "./domain/config.ts";
import { MicroModuleContract } from "./domain/contract/contract.ts";
import { diagnose } from "./domain/diagnosis.ts";
import type { Check, Diagnosis } from "./domain/diagnosis.ts";
import { hasCode } from "./domain/environment-error.ts";
import { CupelError } from "./domain/error.ts";
import { Claim } from "./domain/evidence/claim.ts";
import { GateName } from "./domain/evidence/gate.ts";
import { ProofBundle } from "./domain/evidence/proof-bundle.ts";
import { resolveRigor, RigorName } from "./domain/evidence/rigor.ts";
import type { Rigor } from "./domain/evidence/rigor.ts";
import { nearest } from "./domain/nearest.ts";
import { checkBundle } from "./evidence/proof-checks.ts";
import { readRecord, readRecords } from "./evidence/record-file.ts";
import type { Verifier } from "./evidence/verifier.ts";
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
import { none } from "./workshop/sandbox/none.ts";
import { OPEN_WITHOUT_SANDBOX } from "./workshop/sandbox/open-doors.ts";
import type { Sandbox } from "./workshop/sandbox/port.ts";
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

export interface VerifyOptions {
  /** Where the settings of the project are. */
  directory: string;
  rigor?: string;
  /** The file of a contract. */
  contract?: string;
  skeleton?: string;
  /** A directory with the old module, or a ref of the repository that contains the folder. */
  base?: string;
  /** The file of a list of claims. */
  claims?: string;
  only?: readonly string[];
  all: boolean;
}

/** Gates for code that anybody wrote: no model, no key, no state store. */
export async function openVerifier(
  options: VerifyOptions,
): Promise<Verifier & { warning: string | undefined; close: () => Promise<void> }> {
  // What a person got wrong is said before anything slow begins.
  const { rigor } =
    options.rigor === undefined ? await readConfig(options.directory) : { rigor: rigorNamed(options.rigor) };
  const only = options.only === undefined ? undefined : gateNames(options.only);
  const contract = options.contract === undefined ? undefined : await readContract(options.contract);
  const claims = options.claims === undefined ? undefined : await readClaims(options.claims);
  // Compilers and test tools take a while to load, and only this command needs them.
  const [
    { fileCache },
    { fileMemory },
    { makeVerifier },
    { stopCompiler },
    { typescriptToolchain },
    sandbox,
  ] = await Promise.all([
    import("./evidence/liveness.ts"),
    import("./evidence/mutant-memory.ts"),
    import("./evidence/verifier.ts"),
    import("./toolchains/typescript/compiler/program.ts"),
    import("./toolchains/typescript/toolchain.ts"),
    sandboxForOwnCode(),
  ]);
  const workplace = mkdtempSync(join(tmpdir(), "cupel-verify-"));
  // Under root the sandbox is another user, who must be able to walk to the copies.
  chmodSync(workplace, 0o755);
  const verifier = makeVerifier({
    toolchain: typescriptToolchain({ sandbox }),
    rigor,
    all: options.all,
    versions: { cupel: cupelVersion() },
    workplace,
    // Another version may judge in another way.
    cache: fileCache(join(cacheDirectory(), cupelVersion(), "liveness")),
    memory: fileMemory(join(cacheDirectory(), cupelVersion(), "mutants")),
    keep: (evidence) => Promise.resolve(`sha256:${sha256Hex(JSON.stringify(evidence))}`),
    ...(contract === undefined ? {} : { contract }),
    ...(claims === undefined ? {} : { claims }),
    ...(options.base === undefined ? {} : { base: options.base }),
    ...(options.skeleton === undefined ? {} : { skeleton: options.skeleton }),
    ...(only === undefined ? {} : { only }),
  });
  const warning =
    sandbox.level === "none"
      ? "there is no sandbox here, so the code and its tests run as you (cupel doctor says how to get one)"
      : undefined;
  return {
    ...verifier,
    warning,
    close: async () => {
      stopCompiler();
      await rm(workplace, { recursive: true, force: true });
    },
  };
}

/** A person's own code may run without a sandbox; agents' code may not. */
async function sandboxForOwnCode(): Promise<Sandbox> {
  const check = await probeSandbox(runCommand, bubblewrap());
  return check.status === "ok" ? bubblewrap() : none();
}

/** Whatever is not such a bundle is refused with the place of the problem. */
export async function readProof(path: string): Promise<ProofBundle> {
  const bundle = await readRecord(ProofBundle, path, { what: "a proof bundle", schema: "ProofBundle" });
  checkBundle(bundle);
  return bundle;
}

function readContract(path: string): Promise<MicroModuleContract> {
  return readRecord(MicroModuleContract, path, { what: "a contract", schema: "MicroModuleContract" });
}

function readClaims(path: string): Promise<Claim[]> {
  return readRecords(Claim, path, { what: "claims", schema: "Claim" });
}

function rigorNamed(name: string): Rigor {
  return resolveRigor(oneOf(RigorName.options, name, "rigor"));
}

function gateNames(names: readonly string[]): GateName[] {
  return names.map((name) => oneOf(GateName.options, name.trim(), "gate"));
}

/** For a word that a person typed. */
function oneOf<T extends string>(words: readonly T[], word: string, what: string): T {
  const found = words.find((each) => each === word);
  if (found !== undefined) return found;
  const meant = nearest(word, words);
  throw new CupelError("usage", `there is no ${what} ${JSON.stringify(word)}`, {
    expected: words.join(", "),
    ...(meant === undefined ? {} : { hint: `did you mean ${meant}?` }),
  });
}

function cacheDirectory(): string {
  const { XDG_CACHE_HOME: cache } = process.env;
  return join(cache !== undefined && isAbsolute(cache) ? cache : join(homedir(), ".cache"), "cupel");
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
    if (hasCode(cause, "ENOENT")) return undefined;
    throw new CupelError("invalid_config", `${CONFIG_FILE} cannot be read: ${String(cause)}`, { cause });
  }
}
