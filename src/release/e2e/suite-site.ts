// Copies of the product in which end-to-end tests run: its modules as they were built, throwing, or lying.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { writeFiles } from "../../evidence/neighbours.ts";
import { BROKEN, packageOf, WHOLE } from "../../engineering/ship/store-files.ts";
import type { Placed } from "../../engineering/ship/shelf.ts";
import type { Files, ModuleLayout, Site, SiteRequest, TestReport } from "../../toolchains/port.ts";
import { removeAll } from "../../workshop/workspace/remove.ts";
import type { E2ePorts } from "./port.ts";
import { type Exactness, plainRun } from "../../toolchains/quick-run.ts";

export type Packages = NonNullable<SiteRequest["dependencies"]>;

/** A module needs a source; there is nothing in this one. */
const ENTRY = "cupel-entry.ts";

/** Nothing of it is left afterwards. */
export async function inPlace<T>(
  { workplace }: Pick<E2ePorts, "workplace">,
  work: (place: string) => Promise<T>,
): Promise<T> {
  const place = join(workplace, "e2e", randomUUID());
  try {
    return await work(place);
  } finally {
    await removeAll(place);
  }
}

export async function openSuite(
  { toolchain }: Pick<E2ePorts, "toolchain">,
  place: string,
  files: Files,
  packages: Packages,
): Promise<Site> {
  const folder = writeFiles(join(place, "suites", randomUUID()), { ...files, [ENTRY]: "export {};\n" });
  return toolchain.openSite({
    folder,
    layout: layoutOf(Object.keys(files)),
    directory: join(place, "sites", randomUUID()),
    dependencies: packages,
  });
}

function layoutOf(paths: readonly string[]): ModuleLayout {
  const tests = paths.filter(isTestFile);
  const configuration = paths.filter((path) => path.endsWith(".ts") && !isTestFile(path));
  return { entry: ENTRY, sources: [ENTRY], tests, configuration };
}

export function isTestFile(path: string): boolean {
  return path.endsWith(".test.ts");
}

/** The modules as they have shipped; the functions of those in `broken` throw. */
export async function shippedPackages(
  { store }: Pick<E2ePorts, "store">,
  placed: readonly Placed[],
  directory: string,
  broken: ReadonlySet<string> = new Set(),
): Promise<Packages> {
  return Promise.all(
    placed.map(async (each) => {
      const { name, files } = await packageOf(store, each, broken.has(each.name) ? BROKEN : WHOLE);
      return { name, directory: writeFiles(join(directory, name), files) };
    }),
  );
}

/** The verdict of record, or the quick runner for what is repeated. */
export async function runSuite(
  { toolchain, rigor }: Pick<E2ePorts, "toolchain" | "rigor">,
  site: Site,
  exactness: Exactness,
  signal: AbortSignal,
): Promise<TestReport> {
  const options = { secondsPerTest: rigor.secondsPerTest, timeoutMs: TIMEOUT_MS, signal };
  return plainRun(toolchain, site, exactness, options);
}

const TIMEOUT_MS = 10 * 60_000;
