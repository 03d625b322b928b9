// Which files of the module differ between two commits of the hub, whatever they are: a link or a mode is a difference, too.
import { changedPaths } from "../../workshop/git/diff.ts";
import type { Hub } from "../../workshop/hub/hub.ts";

/** By their paths in the module's folder, each once; what lies elsewhere is no work of the module. */
export async function changed(
  { gitDir }: Pick<Hub, "gitDir">,
  { base, commit }: { base: string; commit: string },
  folder: string,
): Promise<string[]> {
  const home = `modules/${folder}/`;
  const paths = await changedPaths(gitDir, base, commit);
  return paths.flatMap(({ path }) => (path.startsWith(home) ? [path.slice(home.length)] : []));
}
