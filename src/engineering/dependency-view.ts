// A shipped module as the others may see it: its contract, its examples, and never a line of its code.
import type { DependencyView } from "../domain/agent/debate-roles.ts";
import { isVisible } from "../domain/artifact/context-pack.ts";
import { MicroModuleContract } from "../domain/contract/contract.ts";
import { CupelError } from "../domain/error.ts";
import { parseOrThrow } from "../domain/parse.ts";
import type { ModuleRef } from "../domain/refs.ts";
import type { StateStore } from "../store/state-store.ts";
import type { Files } from "../toolchains/port.ts";

type Modules = Pick<StateStore, "modules" | "payloads">;

export async function dependencyView(store: Modules, ref: ModuleRef): Promise<DependencyView> {
  return viewOf(ref, await openFiles(store, ref));
}

/** Of what it opens to others. */
export function viewOf(ref: ModuleRef, files: Files): DependencyView {
  const text = files["contract.json"];
  if (text === undefined) {
    throw new CupelError("store_damaged", `${ref} has no contract.json`, { hint: "cupel store fsck" });
  }
  const contract = parseOrThrow(MicroModuleContract, JSON.parse(text), `the contract of ${ref}`);
  return { ref, contract, examples: files["examples.md"] ?? "" };
}

/** Everything of it that a workspace may hold. */
export async function openFiles(store: Modules, ref: ModuleRef): Promise<Record<string, string>> {
  const { files } = await store.modules.get(ref);
  const open = Object.entries(files).filter(([path]) => isVisible("CONTRACT_ONLY", path));
  const texts = await Promise.all(
    open.map(async ([path, payload]) => [path, String(await store.payloads.get(payload))]),
  );
  return Object.fromEntries(texts);
}
