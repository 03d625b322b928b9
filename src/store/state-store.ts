// The state store of one project: opens everything below `.cupel/`, or says why it cannot.
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { ContextPack } from "../domain/artifact/context-pack.ts";
import { CupelError } from "../domain/error.ts";
import { ArtifactStore } from "./artifacts.ts";
import type { ProjectState } from "../domain/task/project-state.ts";
import { writeAtomically } from "./atomic-file.ts";
import type { Durability } from "./atomic-file.ts";
import { stateStoreRoutes } from "./backends/composite.ts";
import { ContextPackBackend } from "./backends/context-pack.ts";
import type { Backend } from "./backends/port.ts";
import { Documents } from "./documents.ts";
import type { FsckReport } from "./fsck-report.ts";
import { fsck } from "./fsck.ts";
import { databaseOn } from "./local/database.ts";
import type { FullDatabase } from "./local/database.ts";
import { ModuleStore } from "./modules.ts";
import { Payloads } from "./payloads.ts";
import type { Fence } from "./port.ts";
import { ProductFiles } from "./product-files.ts";
import { Projection, STATE_MACHINE_FILE, stateMachineText } from "./projection.ts";
import { repair } from "./repair.ts";
import { ShipStore } from "./ships.ts";
import { Sql } from "./sql.ts";

export interface StateStore extends Pick<
  FullDatabase,
  "leases" | "journal" | "inbox" | "budgets" | "packAudit" | "project" | "trees"
> {
  /** The directory with the layout that people and agents see. */
  root: string;
  payloads: Payloads;
  artifacts: ArtifactStore;
  modules: ModuleStore;
  documents: Documents;
  ships: ShipStore;
  product: ProductFiles;
  /** Writes `project/state_machine.json`, the file that follows the tasks in the database. */
  showProject(fence: Fence, state: ProjectState): Promise<void>;
  /** The store as one role call may see it; every access, granted or refused, goes to the pack's audit trail. */
  viewFor(pack: ContextPack, fence: Fence): Backend;
  close(): Promise<void>;
}

export interface StoreOptions {
  durability: Durability;
  /** Whether a project without a store gets one. */
  missing: "create" | "refuse";
  now?: () => number;
}

export function openStateStore(project: string, options: StoreOptions): StateStore {
  return stateStoreOn(openProjectSql(project, options), project, options);
}

/** The connection alone, after the same checks. */
export function openProjectSql(project: string, { durability, missing }: StoreOptions): Sql {
  const { database, root } = pathsOf(project);
  assertWhole(project, database, root, missing);
  return Sql.open(database, { durability });
}

/** Closing it closes the connection. */
export function stateStoreOn(sql: Sql, project: string, options: StoreOptions): StateStore {
  const { durability, now = Date.now } = options;
  const { root } = pathsOf(project);
  const database = databaseOn(sql, now);
  const payloads = new Payloads(join(root, "payloads"), durability);
  const projection = new Projection(root, durability);
  const artifacts = new ArtifactStore(database.artifacts, payloads, projection, () => new Date(now()));
  const modules = new ModuleStore(database.modules, payloads, projection);
  return {
    root,
    leases: database.leases,
    journal: database.journal,
    inbox: database.inbox,
    budgets: database.budgets,
    packAudit: database.packAudit,
    project: database.project,
    trees: database.trees,
    payloads,
    artifacts,
    modules,
    documents: new Documents(root, database.leases, durability),
    ships: new ShipStore(database.ships, artifacts, modules),
    product: new ProductFiles(root, database.leases, durability),
    showProject: async (fence, state) => {
      await database.leases.assert(fence);
      await writeAtomically(join(root, STATE_MACHINE_FILE), stateMachineText(state), durability);
    },
    viewFor: (pack, fence) =>
      new ContextPackBackend(
        routes(root, artifacts, modules),
        pack,
        ({ operation, path, granted, reason }) => {
          const access = {
            packId: pack.context_pack_id,
            at: new Date(now()).toISOString(),
            operation,
            path,
            granted,
            reason,
          };
          return database.packAudit.append(fence, [access]);
        },
      ),
    close: () => database.close(),
  };
}

/** What the database knows is written through the store alone; anything else would part the files from the truth. */
function routes(root: string, artifacts: ArtifactStore, modules: ModuleStore): Backend {
  return stateStoreRoutes({
    root,
    isSealed: (moduleId, version) => modules.isSealed(moduleId, version),
    isFrozen: async (path) => {
      const [, folder, first = "", second = ""] = path.split("/");
      if (folder === "artifacts") return artifacts.has(second);
      return folder === "modules" && modules.has(first, second);
    },
  });
}

export interface CheckOptions {
  /** Bring files back to what the database says before checking. */
  repair: boolean;
  now?: () => number;
}

/** Without `repair` nothing in the store is changed. */
export async function checkStateStore(project: string, options: CheckOptions): Promise<FsckReport> {
  const { database, root } = pathsOf(project);
  assertWhole(project, database, root, "refuse");
  const sql = Sql.open(database, { durability: "full" });
  const input = { sql, payloads: new Payloads(join(root, "payloads"), "full"), root };
  try {
    const now = (options.now ?? Date.now)();
    if (options.repair) await repair(input, now);
    return await fsck(input);
  } finally {
    sql.close();
  }
}

export function pathsOf(project: string): { database: string; root: string } {
  return { database: join(project, ".cupel", "cupel.db"), root: join(project, ".cupel", "state_store") };
}

/** Files without their database would look like a new, empty store: that is a loss, not a beginning. */
function assertWhole(project: string, database: string, root: string, missing: "create" | "refuse"): void {
  if (isThere(database)) return;
  if (existsSync(root)) {
    throw new CupelError(
      "store_damaged",
      `${database} is gone or empty, but its files in ${root} are still there`,
      {
        expected: "both, or neither",
        hint: "put the database back from a backup, or move .cupel away to begin anew",
      },
    );
  }
  if (missing === "create") return;
  throw new CupelError("not_found", `there is no state store in ${project}`, {
    expected: "a directory with .cupel/cupel.db",
    hint: "change to the directory of your project",
  });
}

/** An emptied database is as lost as a deleted one, unless its log still holds everything. */
function isThere(database: string): boolean {
  return existsSync(database) && (statSync(database).size > 0 || existsSync(`${database}-wal`));
}
