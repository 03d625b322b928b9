// What a merge queue stands on for one parent: folds on objects, suites by content, and a branch that only goes forward.
import {
  drainQueue,
  type Judged,
  type MergeGround,
  type QueueResult,
  type Stacked,
} from "../../protocols/fractal/merge-queue.ts";
import { fold, foldedBefore, type ToFold } from "./fold.ts";
import { advance, type Git } from "./node-branch.ts";

/** A node that waits to be merged. */
export interface Waiting extends ToFold {
  /** Modules that must hold once it is there: its own, and those below it. */
  folders: readonly string[];
}

export interface ParentBranch {
  branch: string;
  /** Modules that hold already, and must go on to: whoever was merged before. */
  standing: readonly string[];
  /** Runs what a module must keep in a commit; the same content is not run again. */
  suite: (folder: string, commit: string) => Promise<Judged>;
}

export function mergeGround(git: Git, { branch, standing, suite }: ParentBranch): MergeGround<Waiting> {
  const brought = new Map<string, readonly string[]>();
  return {
    async stack(onto, candidate): Promise<Stacked> {
      const folded = await fold(git, candidate, onto);
      if (folded.kind === "conflict")
        return { kind: "conflict", files: folded.report.files.map(({ path }) => path) };
      const { commit } = folded;
      brought.set(commit, [...(brought.get(onto) ?? []), ...candidate.folders]);
      return { kind: "stacked", commit };
    },
    async judge(commit) {
      const failing: string[] = [];
      for (const folder of new Set([...standing, ...(brought.get(commit) ?? [])])) {
        const judged = await suite(folder, commit);
        if (judged.kind === "red") failing.push(...judged.failing.map((test) => `${folder}: ${test}`));
      }
      return failing.length === 0 ? { kind: "green" } : { kind: "red", failing };
    },
    publish: (from, to) => advance(git, branch, from, to),
  };
}

/**
 * Merges whoever waits, once: who is in the history of the parent already is answered with the commit that brought it, so
 * this may be asked for again after a crash.
 */
export async function mergeWaiting(
  git: Git,
  parent: ParentBranch,
  head: string,
  waiting: readonly Waiting[],
): Promise<{ head: string; results: QueueResult<Waiting>[] }> {
  const there: QueueResult<Waiting>[] = [];
  const left: Waiting[] = [];
  for (const candidate of waiting) {
    const before = await foldedBefore(git, candidate, head);
    if (before?.tip === candidate.branch.tip)
      there.push({ kind: "merged", candidate, commit: before.commit });
    else left.push(candidate);
  }
  const arrived = there.flatMap(({ candidate }) => candidate.folders);
  const standing = [...new Set([...parent.standing, ...arrived])];
  const drained = await drainQueue(head, left, mergeGround(git, { ...parent, standing }));
  return { head: drained.head, results: [...there, ...drained.results] };
}
