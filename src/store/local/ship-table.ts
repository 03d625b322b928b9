// The table of shipped modules. One transaction makes a ship: before it nothing has happened, after it everything follows.
import { z } from "zod";
import type { Contribution } from "../../domain/artifact/contribution.ts";
import { CupelError } from "../../domain/error.ts";
import { parseOrThrow } from "../../domain/parse.ts";
import { IsoTime, moduleIdOf, versionOf } from "../../domain/refs.ts";
import { ShipRecord } from "../../domain/run/ship-record.ts";
import type { ArtifactRow, Fence, UnnumberedEvent } from "../port.ts";
import type { Row, Sql } from "../sql.ts";
import { changeStatus, insertArtifact } from "./artifact-table.ts";
import { insertContribution } from "./contribution-trail.ts";
import { assertFence, fenced } from "./fence.ts";
import { appendInside } from "./journal.ts";
import { sealModule } from "./module-table.ts";
import { readJson, readRow } from "./row.ts";

export const StoredShip = z.strictObject({
  record: ShipRecord,
  /** On the product's branch; null until it is finished. */
  commit: z
    .string()
    .regex(/^[0-9a-f]{40,64}$/)
    .nullable(),
  finishedAt: IsoTime.nullable(),
});
export type StoredShip = z.infer<typeof StoredShip>;

/** Everything that a ship changes in the database; its payloads are there already. */
export interface NewShip {
  record: ShipRecord;
  /** Of the module, relative path → payload. */
  files: Record<string, string>;
  /** New ones. */
  artifacts: readonly ArtifactRow[];
  /** In this order, each only from where it was seen. */
  transitions: readonly { artifactId: string; from: string; to: string }[];
  contributions: readonly Contribution[];
  events: readonly UnnumberedEvent[];
}

export interface ShipTable {
  /** All of it or nothing, and only while both leases hold. False when the same module was shipped before. */
  commit(run: Fence, lease: Fence, ship: NewShip): Promise<boolean>;
  /** Nothing is left to follow. */
  finish(run: Fence, module: string, commit: string): Promise<void>;
  get(module: string): Promise<StoredShip | undefined>;
  /** In the order in which they shipped. */
  list(filter?: { unfinished: boolean }): Promise<StoredShip[]>;
}

const SELECT = "SELECT module_id, version, ship, product_commit, finished_at FROM ships";

export class LocalShipTable implements ShipTable {
  readonly #sql: Sql;
  readonly #now: () => number;

  constructor(sql: Sql, now: () => number) {
    this.#sql = sql;
    this.#now = now;
  }

  async commit(run: Fence, lease: Fence, ship: NewShip): Promise<boolean> {
    const record = parseOrThrow(ShipRecord, ship.record, "the ship");
    const [moduleId, version] = [moduleIdOf(record.module), versionOf(record.module)];
    return fenced(this.#sql, run, () => {
      assertFence(this.#sql, lease);
      const sealedAt = record.shippedAt;
      if (!sealModule(this.#sql, { moduleId, version, files: ship.files, sealedAt })) return false;
      for (const row of ship.artifacts) insertArtifact(this.#sql, row);
      for (const { artifactId, from, to } of ship.transitions) {
        if (!changeStatus(this.#sql, artifactId, from, to)) throw changed(artifactId, from);
      }
      for (const contribution of ship.contributions) insertContribution(this.#sql, contribution);
      for (const event of ship.events) appendInside(this.#sql, event);
      this.#sql.run("INSERT INTO ships (module_id, version, ship) VALUES (?, ?, ?)", [
        moduleId,
        version,
        JSON.stringify(record),
      ]);
      return true;
    });
  }

  async finish(run: Fence, module: string, commit: string): Promise<void> {
    const finish =
      "UPDATE ships SET product_commit = ?, finished_at = ? WHERE module_id = ? AND version = ? AND finished_at IS NULL";
    const at = new Date(this.#now()).toISOString();
    fenced(this.#sql, run, () => this.#sql.run(finish, [commit, at, moduleIdOf(module), versionOf(module)]));
  }

  async get(module: string): Promise<StoredShip | undefined> {
    const key = [moduleIdOf(module), versionOf(module)];
    const row = this.#sql.get(`${SELECT} WHERE module_id = ? AND version = ?`, key);
    return row === undefined ? undefined : shipOf(row);
  }

  async list({ unfinished } = { unfinished: false }): Promise<StoredShip[]> {
    const where = unfinished ? " WHERE finished_at IS NULL" : "";
    return this.#sql.all(`${SELECT}${where} ORDER BY seq`).map(shipOf);
  }
}

function shipOf(row: Row): StoredShip {
  const { module_id, version, product_commit: commit, finished_at: finishedAt } = row;
  const place = { table: "ships", key: `${String(module_id)}@${String(version)}` };
  return readRow(StoredShip, { record: readJson(row["ship"], place), commit, finishedAt }, place);
}

function changed(artifactId: string, from: string): CupelError {
  return new CupelError("illegal_transition", `${artifactId} is no longer ${from}; nothing was shipped`, {
    hint: "read it again and decide anew",
  });
}
