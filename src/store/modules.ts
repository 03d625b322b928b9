// Module versions in the state store: recorded with all their files, then sealed for ever.
import { basename } from "node:path";
import { staysInside } from "../domain/artifact/context-pack.ts";
import { CupelError } from "../domain/error.ts";
import { moduleIdOf, ModuleRef, versionOf } from "../domain/refs.ts";
import { parseOrThrow } from "../domain/parse.ts";
import { TEMPORARY_PREFIX } from "./atomic-file.ts";
import type { ModuleTable, StoredModule } from "./local/module-table.ts";
import type { Payloads } from "./payloads.ts";
import type { Fence } from "./port.ts";
import type { Files, Projection } from "./projection.ts";

export class ModuleStore {
  readonly #table: ModuleTable;
  readonly #payloads: Payloads;
  readonly #projection: Projection;

  constructor(table: ModuleTable, payloads: Payloads, projection: Projection) {
    this.#table = table;
    this.#payloads = payloads;
    this.#projection = projection;
  }

  /**
   * `files` as the store shows them: contract.json, examples.md, ship.json, types/, implementation/, tests/, and beside
   * them what nobody but the harness sees: package/ (the build) and proof/. The row comes first here, because a version may be recorded anew until it is sealed: who lost the lease must not touch its files.
   */
  async record(fence: Fence, ref: string, files: Files): Promise<void> {
    const [moduleId, version] = split(ref);
    if (await this.#table.isSealed(moduleId, version)) throw sealed(ref);
    const stored = await storeFiles(this.#payloads, files);
    await this.#table.record(fence, { moduleId, version, files: stored });
    await this.#projection.writeModule(moduleId, version, files);
  }

  /**
   * From now on agents see the contract, the examples and the evidence, and never the code or the tests. The files are
   * written once more before: what is sealed is what was recorded, whatever happened to the files in between.
   */
  async seal(fence: Fence, ref: string): Promise<void> {
    const { moduleId, version } = await this.get(ref);
    await this.project(ref);
    await this.#table.seal(fence, moduleId, version);
  }

  /** Writes the files of a version as they were recorded. */
  async project(ref: string): Promise<void> {
    const { moduleId, version } = await this.get(ref);
    await this.#projection.writeModule(moduleId, version, await this.contents(ref));
  }

  /** Every file of a version, checked against its address. For the harness alone: seals close files for agents. */
  async contents(ref: string): Promise<Record<string, Buffer>> {
    const { files } = await this.get(ref);
    const contents = await Promise.all(Object.values(files).map((payload) => this.#payloads.get(payload)));
    return Object.fromEntries(
      Object.keys(files).map((path, index) => [path, contents[index] ?? Buffer.alloc(0)]),
    );
  }

  isSealed(moduleId: string, version: string): Promise<boolean> {
    return this.#table.isSealed(moduleId, version);
  }

  async has(moduleId: string, version: string): Promise<boolean> {
    return (await this.#table.get(moduleId, version)) !== undefined;
  }

  async get(ref: string): Promise<StoredModule> {
    const module = await this.#table.get(...split(ref));
    if (module !== undefined) return module;
    throw new CupelError("not_found", `there is no module ${ref}`, { hint: "cupel store ls modules" });
  }

  list(moduleId?: string): Promise<StoredModule[]> {
    return this.#table.list(moduleId);
  }
}

/** Puts every file among the payloads; refuses a path that could lead elsewhere. */
export async function storeFiles(payloads: Payloads, files: Files): Promise<Record<string, string>> {
  const stray = Object.keys(files).find(
    (path) => !staysInside(path) || basename(path).startsWith(TEMPORARY_PREFIX),
  );
  if (stray !== undefined) {
    throw new CupelError("invalid_input", `"${stray}" is not a file inside an artifact or module`, {
      expected: "a relative path without . and ..",
    });
  }
  const entries = Object.entries(files);
  const refs = await Promise.all(entries.map(([, content]) => payloads.put(content)));
  return Object.fromEntries(entries.map(([path], index) => [path, refs[index] ?? ""]));
}

function split(ref: string): [moduleId: string, version: string] {
  const checked = parseOrThrow(ModuleRef, ref, "the module reference");
  return [moduleIdOf(checked), versionOf(checked)];
}

function sealed(ref: string): CupelError {
  return new CupelError("already_exists", `${ref} is sealed; its files never change`, {
    expected: "a new version",
    hint: `cupel store show ${ref}`,
  });
}
