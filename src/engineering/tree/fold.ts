// Folds what a node has done into one commit on top of another, out of objects alone: no branch moves.
import { CupelError } from "../../domain/error.ts";
import { type CommitMessage, type Folded, renderCommitMessage } from "../../workshop/git/commit-message.ts";
import { commitTree, isAncestor, logSince, readCommit } from "../../workshop/git/commits.ts";
import type { ConflictReport } from "../../workshop/git/conflicts.ts";
import { mergeChange } from "../../workshop/git/merge.ts";
import type { Git, NodeBranch } from "./node-branch.ts";

export interface ToFold {
  node: string;
  /** As it is now. */
  branch: NodeBranch;
  /** Of the commit that comes of it. */
  message: Omit<CommitMessage, "folded" | "node">;
}

export type FoldedOnto =
  | { kind: "folded"; commit: string }
  /** Its tip was folded before, and this is the commit. */
  | { kind: "there"; commit: string }
  | { kind: "conflict"; report: ConflictReport };

/** The same work on the same commit is the same commit, also after a crash. */
export async function fold({ gitDir }: Git, work: ToFold, onto: string): Promise<FoldedOnto> {
  const { node, branch, message } = work;
  const { base, tip } = branch;
  const before = await foldedBefore({ gitDir }, work, onto);
  if (before?.tip === tip) return { kind: "there", commit: before.commit };
  const from = before === undefined ? base : await since({ gitDir }, branch, before.tip);
  if (from === tip)
    throw new CupelError("usage", `there is nothing on ${branch.branch} that could be merged`, {
      expected: `at least one commit of ${node}`,
    });
  const { at } = await readCommit(gitDir, tip);
  const merged = await mergeChange(gitDir, { commit: tip, parents: [from], at }, onto);
  if (merged.kind === "conflict") return merged;
  const text = renderCommitMessage({ ...message, node, folded: { node, tip } });
  const commit = await commitTree(gitDir, { tree: merged.tree, parents: [onto], message: text, at });
  return { kind: "folded", commit };
}

/** The last time that the node was folded into the history of a commit, since it began or was rebased. */
export async function foldedBefore(
  { gitDir }: Git,
  { node, branch }: Pick<ToFold, "node" | "branch">,
  onto: string,
): Promise<(Folded & { commit: string }) | undefined> {
  const log = await logSince(gitDir, branch.base, onto);
  const found = log.findLast(({ parsed }) => parsed?.folded?.node === node);
  const folded = found?.parsed?.folded;
  return found === undefined || folded === undefined ? undefined : { ...folded, commit: found.commit };
}

/** What was folded before is not brought again; after a rebase everything that is left is new. */
export async function since({ gitDir }: Git, { base, tip }: NodeBranch, folded: string): Promise<string> {
  const goesOn = (await isAncestor(gitDir, folded, tip)) && (await isAncestor(gitDir, base, folded));
  return goesOn ? folded : base;
}
