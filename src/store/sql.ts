// The one place that opens the local database: WAL, patience with other writers, migrations, and errors people can act on.
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import Database from "libsql";
import { CupelError } from "../domain/error.ts";
import { environmentError } from "../domain/environment-error.ts";
import { MIGRATIONS } from "./migrations.ts";

/** "Cupl" in ASCII: marks a database as ours. */
const APPLICATION_ID = 0x4375706c;
const BUSY_TIMEOUT_MS = 10_000;

export type Row = Record<string, unknown>;
export type Value = string | number | null | Uint8Array;

export interface SqlOptions {
  /** `full` also survives power loss: every commit is flushed to the disk. */
  durability: "normal" | "full";
}

/** Synchronous on purpose: SQLite answers in microseconds, and a transaction that awaits would interleave. */
export class Sql {
  readonly #database: Database.Database;
  readonly #statements = new Map<string, ReturnType<Database.Database["prepare"]>>();
  readonly path: string;

  static open(path: string, options: SqlOptions): Sql {
    try {
      mkdirSync(dirname(path), { recursive: true });
      const sql = new Sql(path, new Database(path));
      sql.#prepare(options);
      return sql;
    } catch (cause) {
      throw environmentError(path, withCode(cause));
    }
  }

  private constructor(path: string, database: Database.Database) {
    this.path = path;
    this.#database = database;
  }

  /** Arrays only: a lone value as parameter aborts the process. */
  run(statement: string, parameters: Value[] = []): number {
    return this.#guard(() => this.#statement(statement).run(parameters).changes);
  }

  /** The row id of the one row that was inserted, or undefined if none was. */
  insert(statement: string, parameters: Value[]): number | undefined {
    return this.#guard(() => {
      const { changes, lastInsertRowid } = this.#statement(statement).run(parameters);
      return changes === 1 ? Number(lastInsertRowid) : undefined;
    });
  }

  all(statement: string, parameters: Value[] = []): Row[] {
    return this.#guard(() => this.#statement(statement).all(parameters).map(asRow));
  }

  get(statement: string, parameters: Value[] = []): Row | undefined {
    return this.#guard(() => {
      const row = this.#statement(statement).get(parameters);
      if (row === undefined) return undefined;
      // The driver adds a key of its own to a single row.
      Reflect.deleteProperty(Object(row), "_metadata");
      return asRow(row);
    });
  }

  /** All or nothing; takes the write lock at once, so that what it reads is what it writes upon. */
  transact<T>(work: () => T): T {
    return this.#guard(() => {
      this.#database.exec("BEGIN IMMEDIATE");
      try {
        const result = work();
        this.#database.exec("COMMIT");
        return result;
      } catch (error) {
        // A full disk has rolled back already; rolling back again would hide the reason behind another error.
        if (this.#database.inTransaction) this.#database.exec("ROLLBACK");
        throw error;
      }
    });
  }

  /** Everything `work` reads is the state of one moment, whatever others write meanwhile. */
  snapshot<T>(work: () => T): T {
    return this.#guard(() => {
      this.#database.exec("BEGIN");
      try {
        return work();
      } finally {
        this.#database.exec("ROLLBACK");
      }
    });
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #prepare({ durability }: SqlOptions): void {
    this.#database.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    // Emptiness first: a store that another process makes in between must not look like a foreign one.
    const empty = this.#isEmpty();
    assertOurs(this.path, this.#number("application_id"), this.#number("user_version"), empty);
    patiently(() => this.#database.pragma("journal_mode = WAL"));
    this.#database.pragma(`synchronous = ${durability === "full" ? "FULL" : "NORMAL"}`);
    this.#migrate();
  }

  #migrate(): void {
    if (this.#number("user_version") === MIGRATIONS.length) return;
    this.transact(() => {
      // Read again under the lock: another process may just have done it.
      for (let version = this.#number("user_version"); version < MIGRATIONS.length; version++) {
        this.#database.exec(MIGRATIONS[version] ?? "");
        this.#database.pragma(`user_version = ${version + 1}`);
      }
      this.#database.pragma(`application_id = ${APPLICATION_ID}`);
    });
  }

  #isEmpty(): boolean {
    return this.get("SELECT name FROM sqlite_master LIMIT 1") === undefined;
  }

  #number(pragma: string): number {
    const [row] = this.all(`SELECT ${pragma} AS value FROM pragma_${pragma}`);
    return Number(row?.["value"] ?? 0);
  }

  #statement(source: string): ReturnType<Database.Database["prepare"]> {
    let statement = this.#statements.get(source);
    if (statement === undefined) {
      statement = this.#database.prepare(source);
      this.#statements.set(source, statement);
    }
    return statement;
  }

  #guard<T>(work: () => T): T {
    try {
      return work();
    } catch (cause) {
      throw environmentError(this.path, cause);
    }
  }
}

/** What fails before there is a connection comes without a code, or with one that is not about permissions. */
function withCode(cause: unknown): unknown {
  if (!(cause instanceof Error)) return cause;
  if (cause.message.startsWith("ConnectionFailed(")) return Object.assign(cause, { code: "SQLITE_CANTOPEN" });
  return "code" in cause && cause.code === "EEXIST" ? Object.assign(cause, { code: "ENOTDIR" }) : cause;
}

/**
 * SQLite does not wait by itself while two processes turn a new database to WAL: whoever comes second is refused at once.
 * It happens once in the life of a store and takes milliseconds, so the whole process may wait.
 */
function patiently<T>(work: () => T): T {
  const end = Date.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      return work();
    } catch (error) {
      const busy = error instanceof Error && "code" in error && error.code === "SQLITE_BUSY";
      if (!busy || Date.now() > end) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

function asRow(row: unknown): Row {
  return Object(row);
}

function assertOurs(path: string, applicationId: number, version: number, empty: boolean): void {
  if (applicationId !== APPLICATION_ID && !empty) {
    throw new CupelError("store_foreign", `${path} is a database of another program`, {
      expected: "a database that Cupel made",
      hint: "move it away, or point Cupel at another directory",
    });
  }
  if (version > MIGRATIONS.length) {
    throw new CupelError("store_newer", `${path} was written by a newer Cupel (store version ${version})`, {
      expected: `store version ${MIGRATIONS.length} or older`,
      hint: "npm install cupel@latest",
    });
  }
}
