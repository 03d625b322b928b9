// Whether what a scaffold settled is as it was: the interface and the contract suite of a child belong to its parent.
import { changedPaths } from "../../workshop/git/diff.ts";
import type { Git } from "./node-branch.ts";

/** Below the folder of each child: what its scaffold writes and the child may not. */
export const SETTLED: readonly string[] = ["src/interface.ts", "test/contract.test.ts"];

/**
 * By path, in words, what differs between the two commits among these files, whole folders where a path ends in a slash;
 * nothing where they are byte-equal.
 */
export async function untouched(
  { gitDir }: Git,
  scaffold: string,
  commit: string,
  paths: readonly string[],
): Promise<string[]> {
  const changes = await changedPaths(gitDir, scaffold, commit);
  const isMeant = (path: string) =>
    paths.some((each) =>
      each.endsWith("/") ? path.startsWith(each) : path === each || path.startsWith(`${each}/`),
    );
  return changes
    .filter(({ path }) => isMeant(path))
    .map(({ path, kind }) => `${path} was ${kind} after the scaffold had settled it: put it back`);
}

export function settledOf(folder: string): string[] {
  return SETTLED.map((path) => `modules/${folder}/${path}`);
}
