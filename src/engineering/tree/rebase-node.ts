// Moves the branch of a node onto the new head of its parent: what was merged is canon, the node is the draft.
import { CupelError } from "../../domain/error.ts";
import { branchRef } from "../../workshop/git/branch-names.ts";
import { isAncestor } from "../../workshop/git/commits.ts";
import type { ConflictReport } from "../../workshop/git/conflicts.ts";
import type { FileChange } from "../../workshop/git/fast-import.ts";
import { listTree } from "../../workshop/git/objects.ts";
import { replaySince } from "../../workshop/git/rebase.ts";
import { moveRefs } from "../../workshop/git/refs.ts";
import { toText } from "../../workshop/git/byte-path.ts";
import { foldedBefore, since } from "./fold.ts";
import { baseRef, type Git, type NodeBranch, nodeBranch, plainCommit } from "./node-branch.ts";

export type NodeRebased =
  | { kind: "clean"; branch: NodeBranch }
  /** The branch is where it was; `at` is the commit that does not fit. */
  | { kind: "conflict"; at: string; report: ConflictReport };

export interface ToRebase {
  node: string;
  branch: string;
  /** The head of its parent. */
  onto: string;
}

/** A node that stands there already is clean as it is. */
export async function rebaseNode({ gitDir }: Git, { node, branch, onto }: ToRebase): Promise<NodeRebased> {
  const before = await nodeBranch({ gitDir }, branch);
  if (before.base === onto) return { kind: "clean", branch: before };
  const folded = await foldedBefore({ gitDir }, { node, branch: before }, onto);
  const upstream = folded === undefined ? before.base : await since({ gitDir }, before, folded.tip);
  const replayed = await replaySince(gitDir, { upstream, tip: before.tip, onto });
  if (replayed.kind === "conflict") return { kind: "conflict", at: replayed.at, report: replayed.report };
  return { kind: "clean", branch: await place({ gitDir }, before, onto, replayed.head) };
}

/** Instead of its own commits the node has this one, which somebody made on the new base when they did not fit. */
export async function settleRebase(
  { gitDir }: Git,
  { branch, onto, commit }: { branch: string; onto: string; commit: string },
): Promise<NodeBranch> {
  const before = await nodeBranch({ gitDir }, branch);
  if (before.base === onto && before.tip === commit) return before;
  if (!(await isAncestor(gitDir, onto, commit)))
    throw new CupelError("invalid_input", `${commit} was not made on ${onto}`, {
      expected: "an adaptation on the head that the node is rebased onto",
    });
  return place({ gitDir }, before, onto, commit);
}

async function place({ gitDir }: Git, before: NodeBranch, onto: string, tip: string): Promise<NodeBranch> {
  const { branch } = before;
  const moved = await moveRefs(gitDir, [
    { ref: branchRef(branch), from: before.tip, to: tip },
    { ref: baseRef(branch), from: before.base, to: onto },
  ]);
  if (moved) return { branch, base: onto, tip };
  const found = await nodeBranch({ gitDir }, branch);
  if (found.base === onto && found.tip === tip) return found;
  throw new CupelError("git_failed", `${branch} moved while it was rebased`, {
    hint: "rebase it again from where it is now",
  });
}

/**
 * Where an adaptation begins: the new base with the node's own folders as the node has them, and everything else as the
 * base has it. The same again is the same commit.
 */
export async function transplant(
  { gitDir }: Git,
  { branch, onto, folders, message }: ToRebase & { folders: readonly string[]; message: string },
): Promise<string> {
  const { tip } = await nodeBranch({ gitDir }, branch);
  return withFolders({ gitDir }, { onto, of: tip, folders, message });
}

/** A commit on `onto` with these folders as another commit has them. */
export async function withFolders(
  { gitDir }: Git,
  { onto, of, folders, message }: { onto: string; of: string; folders: readonly string[]; message: string },
): Promise<string> {
  const homes = folders.map((folder) => `modules/${folder}/`);
  const ownIn = async (commit: string) =>
    (await listTree(gitDir, commit)).filter(({ path }) =>
      homes.some((home) => toText(path).startsWith(home)),
    );
  const changes: FileChange[] = [
    ...(await ownIn(onto)).map(({ path }): FileChange => ({ kind: "delete", path })),
    ...(await ownIn(of)).map((entry): FileChange => ({ kind: "point", ...entry })),
  ];
  return plainCommit({ gitDir }, { parent: onto, message, changes });
}
