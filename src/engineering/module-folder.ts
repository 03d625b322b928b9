// What the folder of a module is called, below `modules/` and in imports.
import { slugify } from "../domain/task/slug.ts";
import type { Shelf } from "./ship/shelf.ts";

/** What has shipped keeps its folder; else the name as a slug, and where another module has that, the id besides. */
export function folderFor(shelf: Shelf, moduleId: string, name: string): string {
  const home = shelf.versionsOf(moduleId).at(-1)?.folder;
  if (home !== undefined) return home;
  const slug = slugify(name);
  return shelf.ownerOf(slug) === undefined ? slug : slugify(`${name} ${moduleId}`);
}
