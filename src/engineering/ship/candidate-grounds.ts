// What a candidate is held against besides its contract, out of the hub: claims of agents, the tests as their author
// committed them, and the skeleton that they must be red on.
import type { MicroModuleContract } from "../../domain/contract/contract.ts";
import type { ModuleUnderTest } from "../../evidence/module-under-test.ts";
import { writeFiles } from "../../evidence/neighbours.ts";
import type { CandidateGrounds } from "../../protocols/outcome.ts";
import type { Edits, Files, ModuleLayout } from "../../toolchains/port.ts";
import { moduleFilesAt } from "./module-files.ts";
import type { ShipPorts } from "./port.ts";

export type HeldAgainst =
  | { kind: "held"; part: Pick<ModuleUnderTest, "claims" | "base" | "skeleton"> }
  | { kind: "refused"; problems: string[] };

/** The candidate itself, as it lies on its bench. */
export interface OnTrial {
  folder: string;
  contract: MicroModuleContract;
  layout: ModuleLayout;
  files: Files;
  /** For the tests as they were; nothing is there yet. */
  directory: string;
}

export async function heldAgainst(
  ports: Pick<ShipPorts, "hub" | "toolchain">,
  { claims, tests, skeleton }: CandidateGrounds,
  trial: OnTrial,
): Promise<HeldAgainst> {
  const base = tests === undefined ? undefined : await testsAt(ports, tests, trial);
  if (base?.kind === "refused") return base;
  const stubs = skeleton === undefined ? undefined : await skeletonAt(ports, skeleton, trial);
  if (stubs?.kind === "refused") return stubs;
  return {
    kind: "held",
    part: {
      ...(claims === undefined ? {} : { claims }),
      ...(base === undefined ? {} : { base: base.files }),
      ...(stubs === undefined ? {} : { skeleton: stubs.edits }),
    },
  };
}

type Refused = { kind: "refused"; problems: string[] };

async function testsAt(
  { hub, toolchain }: Pick<ShipPorts, "hub" | "toolchain">,
  commit: string,
  { folder, contract, layout, files, directory }: OnTrial,
): Promise<Refused | { kind: "tests"; files: Files }> {
  const found = await moduleFilesAt(hub, commit, folder, contract, "on-its-way");
  if (found.kind === "refused") return asOf(commit, found.problems);
  const detected = await toolchain.detect(writeFiles(directory, found.files));
  if (detected.kind === "no-module") return asOf(commit, [`it is no module: ${detected.why}`]);
  const { tests, configuration } = detected.layout;
  if (tests.length === 0) return asOf(commit, ["there is no test that could have been left untouched"]);
  const ofAuthor = [...tests, ...configuration].filter(isTests);
  // Declarations beside the code are its own, and nobody's tests.
  const ofCode = layout.configuration.filter((path) => !isTests(path));
  const base = { ...picked(found.files, ofAuthor), ...picked(files, ofCode) };
  const data = changedData(
    found.files,
    files,
    new Set([...ofAuthor, ...layout.tests, ...layout.configuration]),
  );
  return data.length === 0 ? { kind: "tests", files: base } : { kind: "refused", problems: data };
}

/** What tests read decides what they find; no gate sees it, since it is no code. */
function changedData(then: Files, now: Files, code: ReadonlySet<string>): string[] {
  const paths = new Set([...Object.keys(then), ...Object.keys(now)].filter(isTests));
  return [...paths]
    .filter((path) => !code.has(path) && then[path] !== now[path])
    .toSorted()
    .map((path) => `tests-untouched: ${path} is not what the author of the tests committed: put it back`);
}

function isTests(path: string): boolean {
  return path.startsWith("test/");
}

function picked(files: Files, paths: readonly string[]): Files {
  return Object.fromEntries(
    paths.flatMap((path) => (files[path] === undefined ? [] : [[path, files[path]]])),
  );
}

/** Sources that the skeleton lacks are left out, as in `cupel verify --skeleton`. */
async function skeletonAt(
  { hub }: Pick<ShipPorts, "hub">,
  commit: string,
  { folder, contract, layout }: OnTrial,
): Promise<Refused | { kind: "stubs"; edits: Edits }> {
  const found = await moduleFilesAt(hub, commit, folder, contract, "on-its-way");
  if (found.kind === "refused") return asOf(commit, found.problems);
  const sources = Object.entries(found.files).filter(([path]) => path.startsWith("src/"));
  if (sources.length === 0) return asOf(commit, ["there is no skeleton in src/"]);
  const missing = layout.sources.map((path) => [path, null] as const);
  return { kind: "stubs", edits: { ...Object.fromEntries(missing), ...Object.fromEntries(sources) } };
}

function asOf(commit: string, problems: readonly string[]): Refused {
  return { kind: "refused", problems: problems.map((problem) => `as of ${commit.slice(0, 12)}: ${problem}`) };
}
