// What the folder of a module is called, below `modules/` and in imports.
import type { ModuleRef } from "../domain/refs.ts";
import { slugify } from "../domain/task/slug.ts";
import type { Shelf } from "./ship/shelf.ts";

/** What has shipped keeps its folder; else the name as a slug, and where another module has that, the id besides. */
export function folderFor(shelf: Shelf, moduleId: string, name: string): string {
  const home = shelf.versionsOf(moduleId).at(-1)?.folder;
  if (home !== undefined) return home;
  const slug = slugify(name);
  return shelf.ownerOf(slug) === undefined ? slug : slugify(`${name} ${moduleId}`);
}

export interface PlacedDependency {
  ref: ModuleRef;
  /** What the code of the module at hand imports it as. */
  folder: string;
}

/** What is imported directly, as the door will name it. */
export function dependencyFolders(shelf: Shelf, refs: readonly ModuleRef[]): PlacedDependency[] {
  return shelf
    .around(refs)
    .filter(({ record }) => refs.includes(record.module))
    .map(({ name, record }) => ({ ref: record.module, folder: name }));
}
