// What the folder of a module is called, below `modules/` and in imports.
import { moduleIdOf, type ModuleRef, versionOf } from "../domain/refs.ts";
import { slugify } from "../domain/task/slug.ts";
import type { StateStore } from "../store/state-store.ts";
import { dependencyView } from "./dependency-view.ts";

type Modules = Pick<StateStore, "modules" | "payloads">;

/** The name as a slug; where a module of another id has that, the id besides, which nobody else has. */
export async function folderFor(store: Modules, moduleId: string, name: string): Promise<string> {
  const slug = slugify(name);
  const holder = await holderOf(store, slug, moduleId);
  return holder === undefined ? slug : slugify(`${name} ${moduleId}`);
}

/** Of what has shipped: the newest major has the plain name, older ones that are still used say theirs. */
export async function folderOfShipped(store: Modules, ref: ModuleRef): Promise<string> {
  const { contract } = await dependencyView(store, ref);
  const folder = await folderFor(store, moduleIdOf(ref), contract.name);
  const sealed = (await store.modules.list(moduleIdOf(ref))).filter(({ sealedAt }) => sealedAt !== null);
  const majors = sealed.map(({ version }) => majorOf(version));
  const major = majorOf(versionOf(ref));
  return major === Math.max(major, ...majors) ? folder : `${folder}@${major}`;
}

/** Whoever shipped first under a name keeps it. */
async function holderOf(store: Modules, slug: string, moduleId: string): Promise<string | undefined> {
  const sealed = (await store.modules.list()).filter(({ sealedAt }) => sealedAt !== null);
  const first = sealed.toSorted((a, b) => ((a.sealedAt ?? "") < (b.sealedAt ?? "") ? -1 : 1));
  for (const { moduleId: id, version } of first) {
    const { contract } = await dependencyView(store, `${id}@${version}`);
    if (slugify(contract.name) !== slug) continue;
    return id === moduleId ? undefined : id;
  }
  return undefined;
}

function majorOf(version: string): number {
  return Number(version.split(".")[0]);
}
