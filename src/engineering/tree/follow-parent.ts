// What happens to a node when its parent's head has moved on: rebased without anybody's help where that works, and its suite
// run on what came of it; a change of behaviour shows nowhere else.
import { asRebaseConflict, type ConflictReport } from "../../workshop/git/conflicts.ts";
import type { Draft } from "./draft-content.ts";
import type { Git, NodeBranch } from "./node-branch.ts";
import { rebaseNode, type ToRebase } from "./rebase-node.ts";
import type { SuiteResult, Suites } from "./suites.ts";

export type Followed =
  | { kind: "clean"; branch: NodeBranch; suite: SuiteResult }
  /** In the words that a rebaser is asked with, and all of it; the branch is where it was. */
  | ({ kind: "conflict"; report: ConflictReport } & ReturnType<typeof asRebaseConflict>);

export async function followParent(
  { git, suites }: { git: Git; suites: Suites },
  draft: Draft,
  order: ToRebase,
): Promise<Followed> {
  const rebased = await rebaseNode(git, order);
  if (rebased.kind === "conflict")
    return { kind: "conflict", report: rebased.report, ...asRebaseConflict(rebased.report) };
  const { branch } = rebased;
  return { kind: "clean", branch, suite: await suites.run(draft, branch.tip) };
}
