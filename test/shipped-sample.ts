// A module that has shipped, without the work of judging it: built by the toolchain, sealed, on the shelf and in the index.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { MicroModuleContract } from "../src/domain/contract/contract.ts";
import { folderFor } from "../src/engineering/module-folder.ts";
import type { TaskPorts } from "../src/engineering/port.ts";
import { buildPackages } from "../src/engineering/ship/build-packages.ts";
import { indexEntry } from "../src/engineering/ship/records.ts";
import { type Shelf, shelfOf } from "../src/engineering/ship/shelf.ts";
import { packageOf, storedPaths, WHOLE } from "../src/engineering/ship/store-files.ts";
import { writeFiles } from "../src/evidence/neighbours.ts";
import { storeFiles } from "../src/store/modules.ts";
import { type Ground, TASK } from "./engineering-ground.ts";

/** As the ship door would: built, sealed in the store and in the index. What it was built with is `dependencies`. */
export async function shipSample(
  { ports, index }: Ground,
  contract: MicroModuleContract,
  files: Readonly<Record<string, string>> = {},
  dependencies: readonly string[] = [],
): Promise<string> {
  const { store, fence } = ports;
  const module = `${contract.module_id}@${contract.module_version}`;
  const ref = `sha256:${"0".repeat(64)}`;
  const entry = indexEntry(contract, { contract_ref: ref, examples_ref: ref, ship_ref: ref }, "");
  const shelf = await shelfOf(ports);
  const texts = {
    "contract.json": JSON.stringify(contract),
    "examples.md": `# ${contract.name}\n`,
    "ship.json": "{}",
    ...storedPaths(files),
    ...(await packagesOf(ports, shelf, files, dependencies)),
  };
  await store.ships.commit(fence, fence, {
    record: {
      module,
      folder: folderFor(shelf, contract.module_id, contract.name),
      task: TASK.task_id,
      runId: ports.runId,
      shipId: "SHIP-0a1b2c3d",
      shippedAt: new Date().toISOString(),
      dependencies: [...dependencies],
      implementation: null,
      artifacts: [],
      entry,
    },
    files: await storeFiles(store.payloads, texts),
    artifacts: [],
    transitions: [],
    contributions: [],
    events: [],
  });
  await store.modules.project(module);
  await store.ships.finish(fence, module, "0".repeat(40));
  await index.append(fence, entry);
  return module;
}

async function packagesOf(
  { store, toolchain, workplace }: TaskPorts,
  shelf: Shelf,
  files: Readonly<Record<string, string>>,
  dependencies: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  if (files["src/index.ts"] === undefined) return {};
  const place = join(workplace, randomUUID());
  const built = await Promise.all(shelf.around(dependencies).map((each) => packageOf(store, each, WHOLE)));
  const folder = writeFiles(join(place, "module"), files);
  const detected = await toolchain.detect(folder);
  if (detected.kind === "no-module") throw new Error(detected.why);
  const site = await toolchain.openSite({
    folder,
    layout: detected.layout,
    directory: join(place, "site"),
    dependencies: built.map(({ name, files: code }) => ({
      name,
      directory: writeFiles(join(place, "built", name), code),
    })),
  });
  const packages = await buildPackages(toolchain, site);
  if (packages.kind === "broken") throw new Error(packages.problems.join("\n"));
  return packages.files;
}
