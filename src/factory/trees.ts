// The tree that a task has grown into, where its protocol is fractal.
import { type TreeRow, treeRows } from "../domain/fractal/tree-view.ts";
import type { StateStore } from "../store/state-store.ts";

/** By task, of its newest attempt; threads and trees are named after run, task and attempt. */
export async function treesByTask({ trees }: Pick<StateStore, "trees">): Promise<Map<string, TreeRow[]>> {
  const newest = new Map<string, string>();
  for (const name of await trees.names()) newest.set(name.split("/")[1] ?? "", name);
  const rows = new Map<string, TreeRow[]>();
  for (const [task, name] of newest) {
    const tree = await trees.read(name);
    if (tree !== undefined) rows.set(task, treeRows(tree));
  }
  return rows;
}
