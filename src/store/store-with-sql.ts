// A state store together with its connection, for the composition root alone: graphs live in the same database.
import type { Sql } from "./sql.ts";
import { openProjectSql, stateStoreOn } from "./state-store.ts";
import type { StateStore, StoreOptions } from "./state-store.ts";

export interface StoreWithSql {
  store: StateStore;
  /** Closed by the store. */
  sql: Sql;
}

export function openStoreWithSql(project: string, options: StoreOptions): StoreWithSql {
  const sql = openProjectSql(project, options);
  return { sql, store: stateStoreOn(sql, project, options) };
}
