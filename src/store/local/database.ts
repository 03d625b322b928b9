// The local database: one SQLite file that holds everything the factory must not forget.
import type { StoreDatabase } from "../port.ts";
import { Sql } from "../sql.ts";
import type { SqlOptions } from "../sql.ts";
import { LocalArtifactTable } from "./artifact-table.ts";
import { LocalBudgets } from "./budgets.ts";
import { LocalInbox } from "./inbox.ts";
import { LocalJournal } from "./journal.ts";
import { LocalLeases } from "./leases.ts";
import { LocalModuleTable } from "./module-table.ts";
import type { ModuleTable } from "./module-table.ts";
import { LocalProjectTable } from "./project-table.ts";
import { LocalPackAudit } from "./pack-audit.ts";
import type { PackAudit } from "./pack-audit.ts";
import { LocalShipTable } from "./ship-table.ts";
import type { ShipTable } from "./ship-table.ts";
import { LocalTreeTable } from "./tree-table.ts";
import type { TreeTable } from "./tree-table.ts";

export interface FullDatabase extends StoreDatabase {
  packAudit: PackAudit;
  modules: ModuleTable;
  ships: ShipTable;
  trees: TreeTable;
}

export interface LocalDatabaseOptions extends SqlOptions {
  /** Milliseconds since 1970. Processes that share a store must agree on it. */
  now?: () => number;
}

export function openLocalDatabase(path: string, options: LocalDatabaseOptions): FullDatabase {
  return databaseOn(Sql.open(path, options), options.now);
}

/** For whoever opened the connection and shares it. */
export function databaseOn(sql: Sql, now: () => number = Date.now): FullDatabase {
  return {
    leases: new LocalLeases(sql, now),
    journal: new LocalJournal(sql),
    inbox: new LocalInbox(sql, now),
    budgets: new LocalBudgets(sql),
    artifacts: new LocalArtifactTable(sql),
    project: new LocalProjectTable(sql),
    packAudit: new LocalPackAudit(sql),
    modules: new LocalModuleTable(sql, now),
    ships: new LocalShipTable(sql, now),
    trees: new LocalTreeTable(sql),
    close: async () => sql.close(),
  };
}
