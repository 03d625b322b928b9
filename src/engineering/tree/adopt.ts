// Takes over what somebody wrote for a node, where it keeps to what he was given to change, and puts it onto the branch.
import type { NodeContext } from "../../graph/port.ts";
import type { Adopted, ToAdopt } from "../../protocols/fractal/port.ts";
import { readCommit } from "../../workshop/git/commits.ts";
import { changed } from "../module-ports/changed.ts";
import { onTip } from "./on-tip.ts";
import { withFolders } from "./rebase-node.ts";
import { branchOfNode, type TreeDesk } from "./tree-desk.ts";
import { settledOf, untouched } from "./untouched.ts";

export async function adopt(
  desk: TreeDesk,
  context: NodeContext,
  node: string,
  { base, commit, paths }: ToAdopt,
): Promise<Adopted> {
  const { hub } = desk.ports;
  const touched = await changed(hub, { base, commit }, node);
  const strays = touched.filter((path) => !paths.some((each) => isWithin(path, each)));
  const problems = [
    ...strays.map((path) => `${path} was changed, and only ${paths.join(", ")} may be: put it back`),
    ...(await untouched(hub, base, commit, settledOf(node))),
  ];
  if (problems.length > 0) return { kind: "refused", problems };
  const branch = branchOfNode(desk, node);
  // Nobody else changes its folder, so what it is now is what was written last; children were merged beside it.
  const onto = async (tip: string): Promise<string> => {
    if (tip === base) return commit;
    const { message } = await readCommit(hub.gitDir, commit);
    return withFolders(hub, { onto: tip, of: commit, folders: [node], message });
  };
  const name = `adopt:${commit}`;
  const adopted = await desk.turns.take(branch, () => onTip(hub, context, { name, branch }, onto));
  return { kind: "adopted", commit: adopted };
}

function isWithin(path: string, allowed: string): boolean {
  return allowed.endsWith("/") ? path.startsWith(allowed) : path === allowed;
}
