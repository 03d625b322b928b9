// The dependencies of a module as built packages, for the harness's own sandbox: compiled once from what is sealed, with a
// canary in each, so that a copy of one is known wherever it turns up.
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { hasCode } from "../../domain/environment-error.ts";
import { CupelError } from "../../domain/error.ts";
import { moduleIdOf, type ModuleRef } from "../../domain/refs.ts";
import { compareSemver, refSatisfies } from "../../domain/semver.ts";
import { makeCanary } from "../../workshop/blindness/canary.ts";
import { dependencyView } from "../dependency-view.ts";
import { folderOfShipped } from "../module-folder.ts";
import type { EngineeringPorts } from "../port.ts";

export interface BuiltPackage {
  ref: ModuleRef;
  /** What it is imported as. */
  name: string;
  directory: string;
  canary: string;
  /** The code in it, and nothing that its contract opens. */
  texts: string[];
}

type Building = Pick<EngineeringPorts, "store" | "toolchain" | "workplace">;

/** These and whatever they are built upon. */
export async function builtPackages(building: Building, refs: readonly ModuleRef[]): Promise<BuiltPackage[]> {
  const built = new Map<ModuleRef, BuiltPackage>();
  const add = async (ref: ModuleRef): Promise<void> => {
    if (built.has(ref)) return;
    const upon = await builtUpon(building, ref);
    for (const each of upon) await add(each);
    built.set(ref, await buildOnce(building, ref, [...built.values()]));
  };
  for (const ref of refs) await add(ref);
  return [...built.values()];
}

/** The newest shipped version that each of its ranges takes. */
async function builtUpon({ store }: Building, ref: ModuleRef): Promise<ModuleRef[]> {
  const { contract } = await dependencyView(store, ref);
  const found: ModuleRef[] = [];
  for (const { ref: range } of contract.dependencies) {
    const shipped = (await store.modules.list(moduleIdOf(range))).filter(({ sealedAt }) => sealedAt !== null);
    const fitting = shipped
      .filter(({ moduleId, version }) => refSatisfies(`${moduleId}@${version}`, range))
      .toSorted((a, b) => compareSemver(a.version, b.version))
      .at(-1);
    if (fitting === undefined) {
      throw new CupelError("not_found", `${ref} is built upon ${range}, and nothing of that has shipped`, {
        hint: "cupel store ls modules",
      });
    }
    found.push(`${fitting.moduleId}@${fitting.version}`);
  }
  return found;
}

async function buildOnce(
  building: Building,
  ref: ModuleRef,
  dependencies: readonly BuiltPackage[],
): Promise<BuiltPackage> {
  const place = join(building.workplace, "packages", ref);
  if (!existsSync(place)) await build(building, ref, dependencies, place);
  const directory = join(place, "package");
  const name = await folderOfShipped(building.store, ref);
  return {
    ref,
    name,
    directory,
    canary: readFileSync(join(place, "canary"), "utf8"),
    texts: codeIn(directory),
  };
}

/** Under another name first: what has its own name is whole. */
async function build(
  { store, toolchain, workplace }: Building,
  ref: ModuleRef,
  dependencies: readonly BuiltPackage[],
  place: string,
): Promise<void> {
  const making = join(workplace, "packages", `.new-${randomUUID()}`);
  const folder = join(making, "module");
  const { files } = await store.modules.get(ref);
  for (const [path, payload] of Object.entries(files)) {
    const source = /^implementation\/(.+)$/.exec(path)?.[1];
    if (source !== undefined) put(join(folder, "src", source), await store.payloads.get(payload));
  }
  const detected = await toolchain.detect(folder);
  if (detected.kind === "no-module") throw broken(ref, detected.why);
  const site = await toolchain.openSite({
    folder,
    layout: detected.layout,
    directory: join(making, "site"),
    dependencies: dependencies.map(({ name, directory }) => ({ name, directory })),
  });
  try {
    const compiled = await toolchain.compile(site);
    if (compiled.kind === "broken") throw broken(ref, compiled.errors[0]?.message ?? "it does not compile");
    const { token } = makeCanary();
    for (const [path, text] of Object.entries(compiled.files)) {
      put(join(making, "package", path), path.endsWith(".js") ? `${text}\n/* ${token} */\n` : text);
    }
    put(join(making, "canary"), token);
  } finally {
    await site.remove();
  }
  rmSync(folder, { recursive: true });
  try {
    renameSync(making, place);
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    // Somebody else was as quick.
    if (!hasCode(error, "ENOTEMPTY", "EEXIST")) throw error;
  }
}

function put(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
  writeFileSync(path, content);
}

function codeIn(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() && entry.name.endsWith(".js")
      ? [readFileSync(join(entry.parentPath, entry.name), "utf8")]
      : [],
  );
}

function broken(ref: ModuleRef, why: string): CupelError {
  return new CupelError("store_damaged", `${ref} has shipped and cannot be built: ${why}`, {
    expected: "what was sealed to compile",
    hint: "cupel store fsck",
  });
}
