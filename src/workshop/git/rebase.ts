// Replays the commits of a branch onto a new base; the branch moves at the end or not at all.
import { commitTree, logSince, mergeBase, treeOf } from "./commits.ts";
import type { LoggedCommit } from "./commits.ts";
import type { ConflictReport } from "./conflicts.ts";
import { mergeChange } from "./merge.ts";
import { moveBranch, tipOf } from "./refs.ts";

/** `new` is undefined where the new base holds the change already. */
export interface ReplayedCommit {
  old: string;
  new: string | undefined;
}

export type RebaseOutcome =
  | { kind: "rebased"; tip: string; commits: ReplayedCommit[] }
  /** `at` is the commit that does not fit; the branch is where it was. */
  | { kind: "conflict"; at: string; report: ConflictReport; done: ReplayedCommit[] }
  /** It stands on that base already. */
  | { kind: "nothing" }
  /** The branch moved meanwhile; it is where the other writer put it. */
  | { kind: "lost"; found: string | undefined };

export interface RebaseOptions {
  /** The new base. What it holds is canon; the branch is the draft. */
  onto: string;
  /** Commits up to here are left behind; where the branch parted from `onto` unless told. */
  upstream?: string;
}

export async function rebase(gitDir: string, branch: string, options: RebaseOptions): Promise<RebaseOutcome> {
  const { onto } = options;
  const tip = await tipOf(gitDir, branch);
  const parted = await mergeBase(gitDir, tip, onto);
  const upstream = options.upstream ?? parted;
  if (parted === onto && upstream === onto) return { kind: "nothing" };
  const replayed = await replaySince(gitDir, { upstream, tip, onto });
  if (replayed.kind === "conflict") return replayed;
  const { head, done } = replayed;
  const moved = await moveBranch(gitDir, branch, tip, head);
  return moved.kind === "moved" ? { kind: "rebased", tip: head, commits: done } : moved;
}

export type ReplayedAll =
  | { kind: "replayed"; head: string; done: ReplayedCommit[] }
  | Extract<RebaseOutcome, { kind: "conflict" }>;

/** Everything from `upstream` to `tip`, one after the other on `onto`; no ref is moved. */
export async function replaySince(
  gitDir: string,
  { upstream, tip, onto }: { upstream: string | undefined; tip: string; onto: string },
): Promise<ReplayedAll> {
  const done: ReplayedCommit[] = [];
  let head = onto;
  for (const commit of await logSince(gitDir, upstream, tip)) {
    const replayed = await replay(gitDir, commit, head);
    if (replayed.kind === "conflict")
      return { kind: "conflict", at: commit.commit, report: replayed.report, done };
    done.push({ old: commit.commit, new: replayed.commit });
    head = replayed.commit ?? head;
  }
  return { kind: "replayed", head, done };
}

type Replayed =
  | { kind: "replayed"; commit: string | undefined }
  | { kind: "conflict"; report: ConflictReport };

/** Keeps message and time, so that the same replay gives the same commit. */
async function replay(gitDir: string, commit: LoggedCommit, head: string): Promise<Replayed> {
  const merged = await mergeChange(gitDir, commit, head);
  if (merged.kind === "conflict") return merged;
  const { tree } = merged;
  if (tree === (await treeOf(gitDir, head))) return { kind: "replayed", commit: undefined };
  const { message, at } = commit;
  return { kind: "replayed", commit: await commitTree(gitDir, { tree, parents: [head], message, at }) };
}
