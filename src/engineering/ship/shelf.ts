// Every module that has shipped, and what each is called by whoever imports it when more than one major version is in use.
import { CupelError } from "../../domain/error.ts";
import { moduleIdOf, versionOf } from "../../domain/refs.ts";
import type { ShipRecord } from "../../domain/run/ship-record.ts";
import { compareSemver } from "../../domain/semver.ts";
import type { StateStore } from "../../store/state-store.ts";

/** A version under the name by which it is imported, and what its own imports are called here. */
export interface Placed {
  name: string;
  record: ShipRecord;
  /** From `#modules/x` as it is written to `#modules/x@1`; empty as long as there is one version of everything. */
  renames: ReadonlyMap<string, string>;
}

/** As it is now. */
export async function shelfOf({ store }: { store: Pick<StateStore, "ships"> }): Promise<Shelf> {
  return new Shelf((await store.ships.list()).map(({ record }) => record));
}

export class Shelf {
  readonly #records: readonly ShipRecord[];

  constructor(records: readonly ShipRecord[]) {
    this.#records = records;
  }

  get(module: string): ShipRecord {
    const found = this.#records.find((record) => record.module === module);
    if (found !== undefined) return found;
    throw new CupelError("not_found", `${module} has not shipped`, { hint: "cupel store ls modules" });
  }

  /** By version, the oldest first. */
  versionsOf(moduleId: string): ShipRecord[] {
    return this.#records
      .filter(({ module }) => moduleIdOf(module) === moduleId)
      .toSorted((a, b) => compareSemver(versionOf(a.module), versionOf(b.module)));
  }

  /** The newest version of each module. */
  newest(): ShipRecord[] {
    const ids = new Set(this.#records.map(({ module }) => moduleIdOf(module)));
    return [...ids].flatMap((id) => this.versionsOf(id).at(-1) ?? []);
  }

  ownerOf(folder: string): string | undefined {
    const record = this.#records.find((each) => each.folder === folder);
    return record === undefined ? undefined : moduleIdOf(record.module);
  }

  /** What a module sees that was built with these: they have their plain names, and what they import is there, too. */
  around(direct: readonly string[], given?: { moduleId: string; name: string }): Placed[] {
    const names = new Map<string, string>();
    if (given !== undefined) names.set(given.moduleId, given.name);
    const taken = new Set(names.values());
    const queue = direct.map((module) => this.get(module));
    const placed: ShipRecord[] = [];
    for (const record of queue) {
      const key = lineOf(record.module);
      if (names.has(key) || names.has(moduleIdOf(record.module))) continue;
      const name = taken.has(record.folder) ? `${record.folder}@${majorOf(record.module)}` : record.folder;
      names.set(key, name);
      taken.add(name);
      placed.push(record);
      queue.push(...record.dependencies.map((module) => this.get(module)));
    }
    const nameOf = (module: string) => names.get(lineOf(module)) ?? names.get(moduleIdOf(module));
    return placed.map((record) => this.#named(record, nameOf));
  }

  /** The product: the newest version of everything by its plain name, and older major versions that are still in use. */
  product(): Placed[] {
    const nameOf = (module: string) => {
      const newest = this.versionsOf(moduleIdOf(module)).at(-1)?.module ?? module;
      const { folder } = this.get(newest);
      return lineOf(newest) === lineOf(module) ? folder : `${folder}@${majorOf(module)}`;
    };
    const lines = new Map<string, ShipRecord>();
    const queue = this.newest();
    for (const record of queue) {
      const key = lineOf(record.module);
      if (lines.has(key)) continue;
      const newestOfLine = this.versionsOf(moduleIdOf(record.module)).findLast(
        ({ module }) => lineOf(module) === key,
      );
      lines.set(key, newestOfLine ?? record);
      queue.push(...(newestOfLine ?? record).dependencies.map((module) => this.get(module)));
    }
    return [...lines.values()].map((record) => this.#named(record, nameOf));
  }

  #named(record: ShipRecord, nameOf: (module: string) => string | undefined): Placed {
    const renames = record.dependencies.flatMap((module) => {
      const { folder } = this.get(module);
      const name = nameOf(module) ?? folder;
      return name === folder ? [] : [[`#modules/${folder}`, `#modules/${name}`] as const];
    });
    const name = nameOf(record.module) ?? record.folder;
    return { name, record, renames: new Map(renames) };
  }
}

/** What versions share that nobody has to tell apart. */
function lineOf(module: string): string {
  return `${moduleIdOf(module)} ${majorOf(module)}`;
}

export function majorOf(module: string): string {
  return versionOf(module).split(".")[0] ?? "";
}

/** In code that imports by names that are written out, as every module must. */
export function renamed(text: string, renames: Placed["renames"]): string {
  let result = text;
  for (const [from, to] of renames)
    for (const quote of ['"', "'", "`"])
      result = result.replaceAll(`${quote}${from}${quote}`, `${quote}${to}${quote}`);
  return result;
}
