// Merges on objects alone: the result is a commit that is there as a whole, or nothing.
import { setTimeout as sleep } from "node:timers/promises";
import { CupelError } from "../../domain/error.ts";
import { commitTree, isAncestor, objectId, readCommit, treeOf } from "./commits.ts";
import type { LoggedCommit } from "./commits.ts";
import { readConflicts } from "./conflicts.ts";
import type { ConflictReport } from "./conflicts.ts";
import { gitError } from "./git.ts";
import { tryGitBytes } from "./git-bytes.ts";
import { moveBranch, tipOf } from "./refs.ts";

/** `nothing`: the branch holds the change already. `lost`: it moved away from the tip that the caller named. */
export type MergeOutcome =
  | { kind: "merged"; commit: string; tree: string }
  | { kind: "conflict"; report: ConflictReport }
  | { kind: "nothing" }
  | { kind: "lost"; found: string | undefined };

export type TreeMerge = { kind: "clean"; tree: string } | { kind: "conflict"; report: ConflictReport };

/** Where a merge goes. Without `expected` a branch that moves meanwhile is tried again from its new tip. */
export interface MergeTarget {
  branch: string;
  expected?: string;
  at?: Date;
}

/** The change of one commit, as a new commit on a branch; its message is kept unless another is given. */
export async function cherryPick(
  gitDir: string,
  commit: string,
  target: MergeTarget & { message?: string },
): Promise<MergeOutcome> {
  const picked = await readCommit(gitDir, commit);
  return onto(gitDir, target, target.message ?? picked.message, (tip) => mergeChange(gitDir, picked, tip));
}

/** Everything that a branch did since it parted, as one commit on its parent. */
export async function squashMerge(
  gitDir: string,
  child: string,
  target: MergeTarget & { message: string },
): Promise<MergeOutcome> {
  const theirs = await tipOf(gitDir, child);
  return onto(gitDir, target, target.message, (tip) => mergeTrees(gitDir, tip, theirs));
}

export type FastForward =
  | { kind: "forwarded"; from: string; to: string }
  | { kind: "nothing" }
  | { kind: "diverged"; at: string };

/** Moves a branch to a commit that continues it; a branch that went another way stays where it is. */
export async function fastForward(gitDir: string, branch: string, to: string): Promise<FastForward> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const from = await tipOf(gitDir, branch);
    if (await isAncestor(gitDir, to, from)) return { kind: "nothing" };
    if (!(await isAncestor(gitDir, from, to))) return { kind: "diverged", at: from };
    const moved = await moveBranch(gitDir, branch, from, to);
    if (moved.kind === "moved") return { kind: "forwarded", from, to };
    await pause(attempt);
  }
  throw neverStill(branch);
}

/** Merges two commits; their merge base is found by git. */
export async function mergeTrees(gitDir: string, ours: string, theirs: string): Promise<TreeMerge> {
  const args = [...RENAMES, "merge-tree", "--write-tree", "-z", "--allow-unrelated-histories"];
  const result = await tryGitBytes([...args, objectId(ours), objectId(theirs)], { gitDir });
  if (result.kind === "exited" && result.code === 0) {
    return { kind: "clean", tree: result.stdout.toString("latin1").replace(/\0[^]*/, "") };
  }
  if (result.kind === "exited" && result.code === 1) {
    return { kind: "conflict", report: await readConflicts(gitDir, result.stdout) };
  }
  throw gitError(["merge-tree", ours, theirs], { ...result, stdout: "" });
}

/**
 * Merges the change that a commit made to its first parent. git looks for a merge base itself, so the tip's tree is
 * lent to a commit that is a sibling of the change; nothing ever refers to that commit.
 */
export async function mergeChange(
  gitDir: string,
  change: Pick<LoggedCommit, "commit" | "parents" | "at">,
  tip: string,
): Promise<TreeMerge> {
  const [parent] = change.parents;
  const [tree, before] = await Promise.all([
    treeOf(gitDir, tip),
    parent === undefined ? undefined : treeOf(gitDir, parent),
  ]);
  if (tree === before) return { kind: "clean", tree: await treeOf(gitDir, change.commit) };
  const sibling = await commitTree(gitDir, {
    tree,
    parents: change.parents.slice(0, 1),
    message: "a merge in the making\n",
    at: change.at,
  });
  return mergeTrees(gitDir, sibling, change.commit);
}

/** A folder that one side renamed does not carry along what the other side put into it: paths are granted by name. */
const RENAMES = ["-c", "merge.renames=true", "-c", "merge.directoryRenames=false"];

/** More than the number of writers that could each win once before this one. */
const ATTEMPTS = 60;

async function onto(
  gitDir: string,
  target: MergeTarget,
  message: string,
  merge: (tip: string) => Promise<TreeMerge>,
): Promise<MergeOutcome> {
  const { branch, expected, at } = target;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const tip = await tipOf(gitDir, branch);
    if (expected !== undefined && tip !== expected) return { kind: "lost", found: tip };
    const merged = await merge(tip);
    if (merged.kind === "conflict") return merged;
    const { tree } = merged;
    if (tree === (await treeOf(gitDir, tip))) return { kind: "nothing" };
    const made = at === undefined ? {} : { at };
    const commit = await commitTree(gitDir, { tree, parents: [tip], message, ...made });
    const moved = await moveBranch(gitDir, branch, tip, commit);
    if (moved.kind === "moved") return { kind: "merged", commit, tree };
    await pause(attempt);
  }
  throw neverStill(branch);
}

function pause(attempt: number): Promise<void> {
  return sleep(Math.min(5 * attempt, 100));
}

function neverStill(branch: string): CupelError {
  return new CupelError(
    "git_failed",
    `the branch ${branch} moved ${ATTEMPTS} times while it was merged into`,
    {
      hint: "run the same command again when less is going on",
    },
  );
}
