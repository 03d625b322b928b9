// Brings the Code Index up to what is sealed: after a crash between the two, and as the way in which a ship indexes.
import { MicroModuleContract } from "../domain/contract/contract.ts";
import { CupelError } from "../domain/error.ts";
import { parseOrThrow } from "../domain/parse.ts";
import { indexEntryOf } from "../domain/plan/index-entry.ts";
import type { CodeIndexEntry } from "../domain/plan/reuse.ts";
import type { StoredModule } from "../store/local/module-table.ts";
import type { Fence } from "../store/port.ts";
import type { StateStore } from "../store/state-store.ts";
import type { CodeIndex } from "./port.ts";

type Sealed = Pick<StateStore, "modules" | "payloads">;

export interface Indexed {
  /** What is to be found now and was not before. */
  appended: string[];
  /** Sealed modules that no entry can be made of, and why. */
  refused: { ref: string; why: string }[];
}

/**
 * The seal is the commit point of a ship; the entry follows from the sealed files alone, so it does not matter who makes
 * it, or how often. False when it was there.
 */
export async function indexSealedModule(
  index: CodeIndex,
  store: Sealed,
  fence: Fence,
  ref: string,
): Promise<boolean> {
  const entry = await entryOf(store, await store.modules.get(ref));
  return (await index.append(fence, [entry])).appended.length > 0;
}

/** For what a crash left between seal and index, and whoever wants to be sure: one damaged module does not stop the rest. */
export async function indexSealedModules(index: CodeIndex, store: Sealed, fence: Fence): Promise<Indexed> {
  const indexed: Indexed = { appended: [], refused: [] };
  for (const module of await unindexedModules(index, store)) {
    const ref = `${module.moduleId}@${module.version}`;
    let entry: CodeIndexEntry;
    try {
      entry = await entryOf(store, module);
    } catch (cause) {
      if (!(cause instanceof CupelError)) throw cause;
      indexed.refused.push({ ref, why: cause.message });
      continue;
    }
    indexed.appended.push(...(await index.append(fence, [entry])).appended);
  }
  return indexed;
}

/** Sealed, but not to be found. */
export async function unindexedModules(index: CodeIndex, store: Sealed): Promise<StoredModule[]> {
  const indexed = new Set((await index.list()).map(({ module_id, version }) => `${module_id}@${version}`));
  const modules = await store.modules.list();
  return modules.filter(
    ({ moduleId, version, sealedAt }) => sealedAt !== null && !indexed.has(`${moduleId}@${version}`),
  );
}

async function entryOf({ payloads }: Sealed, module: StoredModule): Promise<CodeIndexEntry> {
  const { moduleId, version, sealedAt } = module;
  if (sealedAt === null) {
    throw new CupelError("usage", `${moduleId}@${version} is not sealed`, {
      expected: "a module that shipped: only such are indexed",
    });
  }
  const refs = {
    contract_ref: fileOf(module, "contract.json"),
    examples_ref: fileOf(module, "examples.md"),
    ship_ref: fileOf(module, "ship.json"),
  };
  const text = (await payloads.get(refs.contract_ref)).toString();
  const contract = contractIn(text, `${moduleId}@${version}`);
  if (contract.module_id !== moduleId || contract.module_version !== version) {
    const named = `${contract.module_id}@${contract.module_version}`;
    throw new CupelError(
      "store_damaged",
      `the sealed contract of ${moduleId}@${version} is that of ${named}`,
      {
        hint: "cupel store fsck",
      },
    );
  }
  return indexEntryOf(contract, refs);
}

function fileOf({ moduleId, version, files }: StoredModule, path: string): string {
  const payload = files[path];
  if (payload !== undefined) return payload;
  throw new CupelError("store_damaged", `the sealed module ${moduleId}@${version} has no ${path}`, {
    expected: "contract.json, examples.md and ship.json in every sealed module",
    hint: `cupel store show ${moduleId}@${version}`,
  });
}

function contractIn(text: string, ref: string): MicroModuleContract {
  const what = `the contract of ${ref}`;
  try {
    return parseOrThrow(MicroModuleContract, JSON.parse(text), what);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new CupelError("store_damaged", `${what} is not JSON`, { hint: `cupel store show ${ref}`, cause });
  }
}
