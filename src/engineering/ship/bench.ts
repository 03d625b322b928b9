// A module of a commit on disk, in a site with the built packages of its dependencies, ready for the gates.
import { randomUUID } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { MicroModuleContract } from "../../domain/contract/contract.ts";
import { CupelError } from "../../domain/error.ts";
import { moduleIdOf } from "../../domain/refs.ts";
import { refSatisfies } from "../../domain/semver.ts";
import type { ModuleUnderTest } from "../../evidence/module-under-test.ts";
import { layOutNeighbours, writeFiles } from "../../evidence/neighbours.ts";
import type { ConsumerFiles, Neighbours } from "../../evidence/neighbours.ts";
import { RUN_MS } from "../../evidence/proof.ts";
import type { Files, Site } from "../../toolchains/port.ts";
import { removeAll } from "../../workshop/workspace/remove.ts";
import type { CandidateGrounds } from "../../protocols/outcome.ts";
import { sealedProvisions } from "../provisions.ts";
import { heldAgainst } from "./candidate-grounds.ts";
import { earlierSuites } from "./earlier-suites.ts";
import { EXAMPLES, moduleFilesAt } from "./module-files.ts";
import type { ShipOrder, ShipPorts } from "./port.ts";
import { majorOf, type Shelf } from "./shelf.ts";
import { packageOf, sourcesOf, WHOLE } from "./store-files.ts";

export type Bench =
  | {
      kind: "open";
      site: Site;
      files: Files;
      module: OnBench;
      neighbours: Neighbours;
      remove(): Promise<void>;
    }
  | { kind: "refused"; problems: string[] };

type OnBench = Omit<ModuleUnderTest, "signal">;

export interface ToBench {
  contract: MicroModuleContract;
  commit: string;
  grounds?: CandidateGrounds | undefined;
  /** Whether it may still lack its examples. */
  state?: "finished" | "on-its-way";
}

/** Whoever opened it removes it. */
export async function openBench(
  ports: ShipPorts,
  order: Pick<ShipOrder, "assignment" | "provisions">,
  { contract, commit, grounds = {}, state = "finished" }: ToBench,
  shelf: Shelf,
): Promise<Bench> {
  const { toolchain } = ports;
  const { assignment } = order;
  const found = await moduleFilesAt(ports.hub, commit, assignment.folder, contract, state);
  if (found.kind === "refused") return found;
  const { files } = found;
  const neighbours = await neighboursOf(ports, order, { contract, commit }, shelf);
  const benches = join(ports.workplace, "benches");
  await removeAbandoned(benches);
  const place = join(benches, randomUUID());
  mkdirSync(place, { recursive: true, mode: 0o755 });
  try {
    const folder = writeFiles(join(place, "module", assignment.folder), files);
    const detected = await toolchain.detect(folder);
    if (detected.kind === "no-module") {
      await removeAll(place);
      return { kind: "refused", problems: [`it is no module: ${detected.why}`] };
    }
    const { layout } = detected;
    const directory = join(place, "grounds", assignment.folder);
    const held = await heldAgainst(ports, grounds, {
      folder: assignment.folder,
      contract,
      layout,
      files,
      directory,
    });
    if (held.kind === "refused") {
      await removeAll(place);
      return held;
    }
    const around = await layOutNeighbours(neighbours, { toolchain, directory: join(place, "neighbours") });
    const open = (name: string, dependencies: typeof around.dependencies) =>
      toolchain.openSite({ folder, layout, directory: join(place, name), dependencies });
    const site = await open("site", around.dependencies);
    const broken = around.broken.length === 0 ? undefined : await open("broken", around.broken);
    const module: OnBench = {
      site,
      toolchain,
      rigor: assignment.rigor,
      contract,
      consumers: around.consumers,
      earlier: await earlierSuites(ports.store, shelf, contract),
      ...(files[EXAMPLES] === undefined ? {} : { examples: files[EXAMPLES] }),
      ...held.part,
      // Whether the whole works is for a release to say.
      product: "unfinished",
      timeoutMs: RUN_MS,
      ...(broken === undefined ? {} : { broken }),
    };
    return { kind: "open", site, files, module, neighbours, remove: () => removeAll(place) };
  } catch (error) {
    await removeAll(place);
    throw error;
  }
}

const ABANDONED_MS = 24 * 60 * 60_000;

/** What a harness that was killed left behind; nothing is judged for a day. */
async function removeAbandoned(benches: string): Promise<void> {
  for (const name of existsSync(benches) ? readdirSync(benches) : []) {
    const made = lstatSync(join(benches, name), { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - made > ABANDONED_MS) await removeAll(join(benches, name));
  }
}

async function neighboursOf(
  { store }: ShipPorts,
  { assignment, provisions = sealedProvisions(store) }: Pick<ShipOrder, "assignment" | "provisions">,
  { contract, commit }: Pick<ToBench, "contract" | "commit">,
  shelf: Shelf,
): Promise<Neighbours> {
  const direct = assignment.dependencies.map(({ ref }) => ref);
  assertMet(contract, direct);
  const around = await provisions.around(direct, commit);
  return {
    dependencies: await Promise.all(around.map((each) => each.whole())),
    broken: await Promise.all(around.map((each) => each.broken())),
    consumers: await consumersOf(store, assignment.folder, contract, shelf),
  };
}

/**
 * The newest versions of what imports this module, as far as they get the version that is to ship: their contracts allow it,
 * or the product has no other of that major version for them.
 */
export function consumerRecords(
  { module_id, module_version }: Pick<MicroModuleContract, "module_id" | "module_version">,
  shelf: Shelf,
): ReturnType<Shelf["newest"]> {
  const next = `${module_id}@${module_version}`;
  return shelf
    .newest()
    .filter(({ dependencies, entry }) =>
      dependencies.some(
        (module) =>
          moduleIdOf(module) === module_id &&
          (majorOf(module) === majorOf(next) ||
            entry.dependencies.some((range) => refSatisfies(next, range))),
      ),
    );
}

async function consumersOf(
  store: ShipPorts["store"],
  folder: string,
  contract: MicroModuleContract,
  shelf: Shelf,
): Promise<ConsumerFiles[]> {
  const given = { moduleId: contract.module_id, name: folder };
  return Promise.all(
    consumerRecords(contract, shelf).map(async (record) => {
      const others = record.dependencies.filter((module) => moduleIdOf(module) !== contract.module_id);
      return {
        name: record.folder,
        imports: folder,
        files: await sourcesOf(store, { name: record.folder, record, renames: new Map() }),
        dependencies: await Promise.all(
          shelf.around(others, given).map((each) => packageOf(store, each, WHOLE)),
        ),
      };
    }),
  );
}

/** What a contract asks for and what it was given to build with are the same things. */
function assertMet(contract: MicroModuleContract, direct: readonly string[]): void {
  const unmet = contract.dependencies.find(({ ref }) => !direct.some((each) => refSatisfies(each, ref)));
  const stray = direct.find((each) => !contract.dependencies.some(({ ref }) => refSatisfies(each, ref)));
  if (unmet === undefined && stray === undefined) return;
  const what =
    unmet === undefined ? `${stray}, which its contract does not name` : `nothing that is ${unmet.ref}`;
  throw new CupelError("invalid_input", `${contract.module_id} was given ${what}`, {
    expected: "one shipped version for each dependency of the contract",
  });
}
