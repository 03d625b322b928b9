// The table of module versions: which files each consists of, and since when it is sealed.
import { z } from "zod";
import { canonicalJson } from "../../domain/canonical.ts";
import { CupelError } from "../../domain/error.ts";
import { parseOrThrow } from "../../domain/parse.ts";
import { IsoTime, ModuleId, Semver } from "../../domain/refs.ts";
import { compareSemver } from "../../domain/semver.ts";
import type { Fence } from "../port.ts";
import type { Row, Sql } from "../sql.ts";
import { fenced } from "./fence.ts";
import { readJson, readRow } from "./row.ts";
import { FileMap, parseFiles } from "./stored-text.ts";

export const StoredModule = z.strictObject({
  moduleId: ModuleId,
  version: Semver,
  /** Relative path → payload. A module without files is none. */
  files: FileMap.refine((files) => Object.keys(files).length > 0, { error: "at least one file" }),
  /** Null until it is sealed; then for ever. */
  sealedAt: IsoTime.nullable(),
});
export type StoredModule = z.infer<typeof StoredModule>;

export interface ModuleTable {
  /** Until the version is sealed it may be recorded anew, since a ship that crashed runs again; afterwards only alike. */
  record(fence: Fence, module: Omit<StoredModule, "sealedAt">): Promise<void>;
  /** True for the one call that sealed it. */
  seal(fence: Fence, moduleId: string, version: string): Promise<boolean>;
  /** What does not exist is not sealed. */
  isSealed(moduleId: string, version: string): Promise<boolean>;
  get(moduleId: string, version: string): Promise<StoredModule | undefined>;
  /** By id, then by version. */
  list(moduleId?: string): Promise<StoredModule[]>;
}

const SELECT = "SELECT module_id, version, files, sealed_at FROM modules";

export class LocalModuleTable implements ModuleTable {
  readonly #sql: Sql;
  readonly #now: () => number;

  constructor(sql: Sql, now: () => number) {
    this.#sql = sql;
    this.#now = now;
  }

  async record(fence: Fence, module: Omit<StoredModule, "sealedAt">): Promise<void> {
    const { moduleId, version } = parseOrThrow(StoredModule, { ...module, sealedAt: null }, "the module");
    const files = canonicalJson(parseFiles(module.files, "the module's files"));
    fenced(this.#sql, fence, () => {
      const before = this.#find(moduleId, version);
      if (before !== undefined && before.sealedAt !== null) return assertSame(before, files);
      this.#sql.run(
        `INSERT INTO modules (module_id, version, files, sealed_at) VALUES (?, ?, ?, NULL)
         ON CONFLICT (module_id, version) DO UPDATE SET files = excluded.files`,
        [moduleId, version, files],
      );
    });
  }

  async seal(fence: Fence, moduleId: string, version: string): Promise<boolean> {
    return fenced(this.#sql, fence, () => {
      if (this.#find(moduleId, version) === undefined) {
        throw new CupelError("not_found", `there is no ${moduleId}@${version} to seal`, {
          expected: "a module version that was recorded",
          hint: "cupel store ls modules",
        });
      }
      const seal =
        "UPDATE modules SET sealed_at = ? WHERE module_id = ? AND version = ? AND sealed_at IS NULL";
      return this.#sql.run(seal, [new Date(this.#now()).toISOString(), moduleId, version]) === 1;
    });
  }

  async isSealed(moduleId: string, version: string): Promise<boolean> {
    const sealedAt = this.#find(moduleId, version)?.sealedAt;
    return sealedAt !== undefined && sealedAt !== null;
  }

  async get(moduleId: string, version: string): Promise<StoredModule | undefined> {
    return this.#find(moduleId, version);
  }

  async list(moduleId?: string): Promise<StoredModule[]> {
    const rows =
      moduleId === undefined
        ? this.#sql.all(`${SELECT} ORDER BY module_id`)
        : this.#sql.all(`${SELECT} WHERE module_id = ?`, [moduleId]);
    // Sorting is stable, so ids stay in order; versions are numbers, which the database cannot tell.
    return rows
      .map(moduleOf)
      .toSorted((a, b) => (a.moduleId === b.moduleId ? compareSemver(a.version, b.version) : 0));
  }

  #find(moduleId: string, version: string): StoredModule | undefined {
    const row = this.#sql.get(`${SELECT} WHERE module_id = ? AND version = ?`, [moduleId, version]);
    return row === undefined ? undefined : moduleOf(row);
  }
}

/**
 * Recorded and sealed at once, for transactions that have checked the fence. False when it is sealed with these very files
 * already; refused when it is sealed with others.
 */
export function sealModule(sql: Sql, module: StoredModule): boolean {
  const { moduleId, version, sealedAt } = parseOrThrow(StoredModule, module, "the module");
  const files = canonicalJson(parseFiles(module.files, "the module's files"));
  const row = sql.get(`${SELECT} WHERE module_id = ? AND version = ?`, [moduleId, version]);
  const before = row === undefined ? undefined : moduleOf(row);
  if (before !== undefined && before.sealedAt !== null) {
    assertSame(before, files);
    return false;
  }
  sql.run(
    `INSERT INTO modules (module_id, version, files, sealed_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (module_id, version) DO UPDATE SET files = excluded.files, sealed_at = excluded.sealed_at`,
    [moduleId, version, files, sealedAt],
  );
  return true;
}

function assertSame(sealed: StoredModule, files: string): void {
  if (canonicalJson(sealed.files) === files) return;
  const name = `${sealed.moduleId}@${sealed.version}`;
  throw new CupelError(
    "already_exists",
    `${name} is sealed since ${sealed.sealedAt}; its files stay as they are`,
    {
      expected: "a new version",
      hint: `cupel store show ${name}`,
    },
  );
}

function moduleOf(row: Row): StoredModule {
  const { module_id: moduleId, version, sealed_at: sealedAt } = row;
  const place = { table: "modules", key: `${String(moduleId)}@${String(version)}` };
  return readRow(StoredModule, { moduleId, version, files: readJson(row["files"], place), sealedAt }, place);
}
