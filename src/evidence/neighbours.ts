// What stands around a module, as files in memory, and how it comes to lie where sites can see it.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Files, SiteRequest, Toolchain } from "../toolchains/port.ts";
import { consumerOf } from "./consumers.ts";
import type { Consumer } from "./module-under-test.ts";

/** The compiled package of another module, imported as `#modules/<name>`. */
export interface Built {
  name: string;
  files: Files;
}

export interface Neighbours {
  dependencies: readonly Built[];
  /** The same packages with functions that throw. */
  broken: readonly Built[];
  consumers: readonly ConsumerFiles[];
}

/** A module that imports the one under test. */
export interface ConsumerFiles {
  name: string;
  imports: string;
  files: Files;
  /** What it imports besides. */
  dependencies: readonly Built[];
}

type Directories = NonNullable<SiteRequest["dependencies"]>;

export interface NeighboursOnDisk {
  dependencies: Directories;
  broken: Directories;
  consumers: Consumer[];
}

/** `directory` is new; whoever gives it removes it. */
export async function layOutNeighbours(
  { dependencies, broken, consumers }: Neighbours,
  { toolchain, directory }: { toolchain: Toolchain; directory: string },
): Promise<NeighboursOnDisk> {
  const users: Consumer[] = [];
  for (const { name, imports, files, dependencies: others } of consumers) {
    const place = join(directory, "consumers", name);
    users.push(
      await consumerOf({
        toolchain,
        folder: writeFiles(join(place, name), files),
        imports,
        dependencies: writeBuilt(join(place, "dependencies"), others),
        workplace: join(place, "sites"),
      }),
    );
  }
  return {
    dependencies: writeBuilt(join(directory, "dependencies"), dependencies),
    broken: writeBuilt(join(directory, "broken"), broken),
    consumers: users,
  };
}

function writeBuilt(directory: string, packages: readonly Built[]): { name: string; directory: string }[] {
  return packages.map(({ name, files }) => ({ name, directory: writeFiles(join(directory, name), files) }));
}

/** Into a directory that is new; under root the sandbox is another user, who must be able to walk there. */
export function writeFiles(directory: string, files: Readonly<Record<string, string | Uint8Array>>): string {
  mkdirSync(directory, { recursive: true, mode: 0o755 });
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true, mode: 0o755 });
    writeFileSync(join(directory, path), content, { flag: "wx" });
  }
  return directory;
}
