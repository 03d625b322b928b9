// The tests that earlier versions of the same major were shipped with, out of the store: a new version must pass them, too.
import { TestRun } from "../../domain/evidence/test-result.ts";
import type { MicroModuleContract } from "../../domain/contract/contract.ts";
import { CupelError } from "../../domain/error.ts";
import { parseOrThrow } from "../../domain/parse.ts";
import { moduleIdOf, versionOf } from "../../domain/refs.ts";
import type { ShipRecord } from "../../domain/run/ship-record.ts";
import { compareSemver } from "../../domain/semver.ts";
import type { EarlierSuite } from "../../evidence/module-under-test.ts";
import type { StateStore } from "../../store/state-store.ts";
import type { Files } from "../../toolchains/port.ts";
import { proofOf } from "./proof-of.ts";
import { majorOf, type Shelf } from "./shelf.ts";
import { sourcesOf } from "./store-files.ts";

/** The oldest first. Another major version promises other things, so it answers to nobody's old tests. */
export async function earlierSuites(
  store: StateStore,
  shelf: Shelf,
  { module_id, module_version }: Pick<MicroModuleContract, "module_id" | "module_version">,
): Promise<EarlierSuite[]> {
  const all = versionsOfMajor(shelf, `${module_id}@${module_version}`);
  const binding = all.filter(({ module }) => compareSemver(versionOf(module), module_version) < 0);
  return Promise.all(binding.map((record) => suiteOf(store, record)));
}

/** Of every version of a major, this one included, the oldest first. */
export function suitesOfMajor(store: StateStore, shelf: Shelf, module: string): Promise<EarlierSuite[]> {
  return Promise.all(versionsOfMajor(shelf, module).map((record) => suiteOf(store, record)));
}

function versionsOfMajor(shelf: Shelf, module: string): ShipRecord[] {
  return shelf.versionsOf(moduleIdOf(module)).filter((each) => majorOf(each.module) === majorOf(module));
}

async function suiteOf(store: StateStore, record: ShipRecord): Promise<EarlierSuite> {
  const files = await sourcesOf(store, { name: record.folder, record, renames: new Map() });
  return {
    module: record.module,
    tests: below("test/", files),
    sources: below("src/", files),
    passed: await passedTests(store, record.module),
  };
}

function below(folder: string, files: Files): Files {
  return Object.fromEntries(Object.entries(files).filter(([path]) => path.startsWith(folder)));
}

/** As the runner of record saw them when it shipped. */
async function passedTests(store: StateStore, module: string): Promise<EarlierSuite["passed"]> {
  const { verdicts } = await proofOf(store, module);
  const ref = verdicts.find(({ gate }) => gate === "green")?.evidence[0];
  const run =
    ref === undefined ? undefined : parseOrThrow(TestRun, await jsonAt(store, ref), `the tests of ${module}`);
  if (run !== undefined && run.results.length > 0)
    return run.results.map(({ file, name }) => ({ file, name }));
  throw new CupelError("store_damaged", `nobody knows any more which tests ${module} was shipped with`, {
    expected: "the run of its tests, which its proof names",
    hint: "cupel store fsck",
  });
}

async function jsonAt({ payloads }: StateStore, ref: string): Promise<unknown> {
  return JSON.parse((await payloads.get(ref)).toString("utf8"));
}
