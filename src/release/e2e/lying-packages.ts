// The modules of a product as liars: what they give back is of the right type and wrong, each time in another way.
import { join } from "node:path";
import { MicroModuleContract } from "../../domain/contract/contract.ts";
import { parseOrThrow } from "../../domain/parse.ts";
import { CONTRACT } from "../../engineering/ship/module-files.ts";
import { sourcesOf } from "../../engineering/ship/store-files.ts";
import type { Placed } from "../../engineering/ship/shelf.ts";
import { writeFiles } from "../../evidence/neighbours.ts";
import type { Edits, Files, Site } from "../../toolchains/port.ts";
import type { E2ePorts } from "./port.ts";
import type { Packages } from "./suite-site.ts";

type Ports = Pick<E2ePorts, "store" | "toolchain">;

export interface LyingPlace {
  /** Whoever gives it removes it. */
  place: string;
  whole: Packages;
  broken: Packages;
}

/** One set for each way to lie, made when it is asked for; what cannot lie throws. None where nothing can. */
export async function* lyingPackages(
  ports: Ports,
  placed: readonly Placed[],
  { place, whole, broken }: LyingPlace,
): AsyncGenerator<Packages> {
  const liars = new Map<string, Liar>();
  for (const each of placed) {
    const liar = await liarOf(ports, each, join(place, each.name), whole);
    if (liar !== undefined) liars.set(each.name, liar);
  }
  const ways = Math.max(0, ...[...liars.values()].map(({ lies }) => lies.length));
  for (let way = 0; way < ways; way++) {
    const packages = broken.map(async (thrower) => {
      const files = await compiled(ports, liars.get(thrower.name), way);
      if (files === undefined) return thrower;
      const directory = join(place, "ways", String(way), thrower.name);
      return { name: thrower.name, directory: writeFiles(directory, files) };
    });
    yield await Promise.all(packages);
  }
}

interface Liar {
  site: Site;
  /** One for each way. */
  lies: Edits[];
}

async function liarOf(
  { store, toolchain }: Ports,
  placed: Placed,
  place: string,
  packages: Packages,
): Promise<Liar | undefined> {
  const files = await sourcesOf(store, placed);
  const folder = writeFiles(join(place, "module"), files);
  const detected = await toolchain.detect(folder);
  if (detected.kind === "no-module") return undefined;
  const site = await toolchain.openSite({
    folder,
    layout: detected.layout,
    directory: join(place, "site"),
    dependencies: packages.filter(({ name }) => name !== placed.name),
  });
  const { entry_points } = parseOrThrow(
    MicroModuleContract,
    JSON.parse(files[CONTRACT] ?? ""),
    `the contract of ${placed.record.module}`,
  );
  return { site, lies: await toolchain.lies(site, await toolchain.stubs(site), entry_points) };
}

async function compiled(
  { toolchain }: Ports,
  liar: Liar | undefined,
  way: number,
): Promise<Files | undefined> {
  const edits = liar?.lies[way];
  if (liar === undefined || edits === undefined) return undefined;
  const build = await toolchain.compile(await liar.site.fork(unchecked(edits)), "code");
  return build.kind === "compiled" ? build.files : undefined;
}

/** Liars need not be of the types that they pretend to. */
function unchecked(edits: Edits): Edits {
  return Object.fromEntries(
    Object.entries(edits).map(([path, text]) => [path, text === null ? null : `// @ts-nocheck\n${text}`]),
  );
}
