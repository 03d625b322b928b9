// The branch of one node of a tree: what stands on it, where it began on its parent's branch, and how the harness moves it.
// Each of these may be asked for again after a crash: what was done is found and not done twice.
import { randomUUID } from "node:crypto";
import { staysInside } from "../../domain/artifact/context-pack.ts";
import { sha256Hex } from "../../domain/canonical.ts";
import { CupelError } from "../../domain/error.ts";
import type { Edits } from "../../toolchains/port.ts";
import { branchName, branchRef } from "../../workshop/git/branch-names.ts";
import { toBytePath } from "../../workshop/git/byte-path.ts";
import { isAncestor, readCommit } from "../../workshop/git/commits.ts";
import { type FileChange, importCommit } from "../../workshop/git/fast-import.ts";
import { moveBranch, moveRef, moveRefs, readBranch, readRef } from "../../workshop/git/refs.ts";
import type { Hub } from "../../workshop/hub/hub.ts";
import { IMPORTS } from "../../workshop/workspace/take-back.ts";

export type Git = Pick<Hub, "gitDir">;

/** `thread` is that of the tree; each node has its name once in it. */
export function branchOf(thread: string, node: string): string {
  return branchName("node", sha256Hex(thread).slice(0, 16), [node]);
}

export interface NodeBranch {
  branch: string;
  /** The commit of its parent's branch that it stands on. */
  base: string;
  tip: string;
}

/** Moves together with the branch. */
export function baseRef(branch: string): string {
  return `refs/cupel/bases/${branch}`;
}

/** A branch that was begun already stays as it is. */
export async function beginBranch({ gitDir }: Git, branch: string, at: string): Promise<NodeBranch> {
  await moveRefs(gitDir, [
    { ref: branchRef(branch), from: undefined, to: at },
    { ref: baseRef(branch), from: undefined, to: at },
  ]);
  return nodeBranch({ gitDir }, branch);
}

export async function nodeBranch({ gitDir }: Git, branch: string): Promise<NodeBranch> {
  const [tip, base] = await Promise.all([readBranch(gitDir, branch), readRef(gitDir, baseRef(branch))]);
  if (tip !== undefined && base !== undefined) return { branch, base, tip };
  throw new CupelError("not_found", `the hub has no branch ${branch} of a node`, {
    expected: "a branch that was begun and not dropped",
  });
}

/** Of a node that nobody wants any more; its name is free again. */
export async function dropBranch({ gitDir }: Git, branch: string): Promise<void> {
  const refs = [branchRef(branch), baseRef(branch)];
  const found = await Promise.all(
    refs.map(async (ref) => ({ ref, from: await readRef(gitDir, ref), to: undefined })),
  );
  const there = found.filter(({ from }) => from !== undefined);
  if (there.length > 0) await moveRefs(gitDir, there);
}

export interface NodeWork {
  /** The tip that it goes on from. */
  from: string;
  /** By path from the product's root; null is a file that goes. */
  files: Edits;
  /** As `renderCommitMessage` makes it. */
  message: string;
}

/** The harness's own work as a commit on the branch; the same again is the same commit. */
export async function commitOn({ gitDir }: Git, branch: string, work: NodeWork): Promise<string> {
  const { from, files, message } = work;
  const commit = await plainCommit({ gitDir }, { parent: from, message, changes: changesOf(files) });
  await moveTo({ gitDir }, branch, from, commit);
  return commit;
}

/** Along work that goes on from where the branch is, and never back; where it has been already, it stays. */
export async function advance({ gitDir }: Git, branch: string, from: string, to: string): Promise<void> {
  if (!(await isAncestor(gitDir, from, to)))
    throw new CupelError("invalid_input", `${to} does not go on from ${from}`, {
      expected: `work on top of what ${branch} holds`,
    });
  await moveTo({ gitDir }, branch, from, to);
}

async function moveTo({ gitDir }: Git, branch: string, from: string, to: string): Promise<void> {
  const moved = await moveBranch(gitDir, branch, from, to);
  if (moved.kind === "moved") return;
  if (moved.found !== undefined && (await isAncestor(gitDir, to, moved.found))) return;
  throw new CupelError("git_failed", `${branch} is at ${moved.found ?? "no commit"} and not at ${from}`, {
    hint: "read where the branch is now and go on from there",
  });
}

/** A commit that no ref holds; as old as its parent, so that the same content is the same commit. */
export async function plainCommit(
  { gitDir }: Git,
  { parent, message, changes }: { parent: string; message: string; changes: readonly FileChange[] },
): Promise<string> {
  const { at } = await readCommit(gitDir, parent);
  const ref = `${IMPORTS}${randomUUID()}`;
  const seconds = Math.floor(at.getTime() / 1000);
  const commit = await importCommit({ gitDir, ref, parent, message, at: seconds, changes });
  await moveRef(gitDir, ref, commit, undefined);
  return commit;
}

export function changesOf(files: Edits): FileChange[] {
  return Object.entries(files).map(([path, text]): FileChange => {
    if (!staysInside(path) || path.split("/").some((part) => part.toLowerCase() === ".git"))
      throw new CupelError("invalid_input", `${JSON.stringify(path)} is no path of a product`, {
        expected: "a path such as modules/clamp/src/index.ts",
      });
    const bytes = toBytePath(path);
    if (text === null) return { kind: "delete", path: bytes };
    return { kind: "write", path: bytes, mode: "100644", content: Buffer.from(text) };
  });
}
