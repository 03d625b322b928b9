// Reads and moves refs by compare and swap, so that of two writers one wins and the other is told.
import { CupelError } from "../../domain/error.ts";
import { branchRef, isSafeRefName } from "./branch-names.ts";
import { git, gitError, tryGit } from "./git.ts";
import { tryGitLocked } from "./locks.ts";
import { hasNoneBelow, storedRef } from "./stored-refs.ts";

/** `lost`: the ref was not where the caller thought; `found` is where it is. Nothing was changed then. */
export type RefMove = { kind: "moved" } | { kind: "lost"; found: string | undefined };

export interface Ref {
  name: string;
  commit: string;
}

/** What a ref points to; undefined when there is none. */
export async function readRef(gitDir: string, ref: string): Promise<string | undefined> {
  assertSafe(ref);
  const stored = storedRef(gitDir, ref);
  if (stored.kind !== "ask-git") return stored.kind === "at" ? stored.commit : undefined;
  const args = ["show-ref", "--verify", "--hash", ref];
  const result = await tryGit(args, { gitDir });
  if (result.kind === "exited" && result.code === 0) return result.stdout.trim();
  if (result.stderr.includes("not a valid ref")) return undefined;
  throw gitError(args, result);
}

/** Creates (`from` undefined), moves, or deletes (`to` undefined) a ref, if it still points to `from`. */
export async function moveRef(
  gitDir: string,
  ref: string,
  from: string | undefined,
  to: string | undefined,
): Promise<RefMove> {
  assertSafe(ref);
  if (from === undefined && to === undefined) throw new CupelError("usage", `${ref}: nothing to move`);
  // An empty old value means that the ref must not exist.
  const change = to === undefined ? ["-d", ref, from ?? ""] : [ref, to, from ?? ""];
  const args = ["update-ref", "--no-deref", ...change];
  const result = await tryGitLocked(args, { gitDir });
  if (result.kind === "exited" && result.code === 0) return { kind: "moved" };
  const found = await readRef(gitDir, ref);
  if (found !== from) return { kind: "lost", found };
  if (LOST.test(result.stderr)) return { kind: "lost", found };
  throw gitError(args, result);
}

/** A branch and a note about it, which comes to be with the move and not without it. */
export interface NotedMove {
  branch: string;
  from: string;
  to: string;
  /** A ref that is not there yet. */
  note: string;
}

/** Both or neither: of two writers that want the same note, one moves the branch. */
export async function moveBranchNoted(
  gitDir: string,
  { branch, from, to, note }: NotedMove,
): Promise<RefMove> {
  const ref = branchRef(branch);
  const moved = await moveRefs(gitDir, [
    { ref, from, to },
    { ref: note, from: undefined, to },
  ]);
  return moved ? { kind: "moved" } : { kind: "lost", found: await readRef(gitDir, ref) };
}

export interface RefChange {
  ref: string;
  /** Undefined where it is not there yet. */
  from: string | undefined;
  /** Undefined where it shall be gone. */
  to: string | undefined;
}

/** All of them or none: false where one was not where the caller thought. */
export async function moveRefs(gitDir: string, changes: readonly RefChange[]): Promise<boolean> {
  for (const { ref } of changes) assertSafe(ref);
  const args = ["update-ref", "--no-deref", "--stdin"];
  const stdin = changes.map((change) => `${commandFor(change)}\n`).join("");
  const result = await tryGitLocked(args, { gitDir, stdin });
  if (result.kind === "exited" && result.code === 0) return true;
  for (const { ref, from } of changes) if ((await readRef(gitDir, ref)) !== from) return false;
  if (LOST.test(result.stderr)) return false;
  throw gitError(args, result);
}

function commandFor({ ref, from, to }: RefChange): string {
  if (to === undefined) return from === undefined ? `verify ${ref}` : `delete ${ref} ${from}`;
  return from === undefined ? `create ${ref} ${to}` : `update ${ref} ${to} ${from}`;
}

/** It was elsewhere for a moment, even if it is back where it was. */
const LOST = /but expected|reference already exists|unable to resolve reference/;

/** All refs that have one of these names, or are below a prefix such as `refs/heads/`, by name. */
export async function listRefs(gitDir: string, ...prefixes: readonly [string, ...string[]]): Promise<Ref[]> {
  if (prefixes.every((prefix) => hasNoneBelow(gitDir, prefix))) return [];
  const output = await git(["for-each-ref", "--format=%(objectname) %(refname)", ...prefixes], { gitDir });
  return output
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const space = line.indexOf(" ");
      return { commit: line.slice(0, space), name: line.slice(space + 1) };
    });
}

export async function readBranch(gitDir: string, branch: string): Promise<string | undefined> {
  return readRef(gitDir, branchRef(branch));
}

/** For a branch that must be there. */
export async function tipOf(gitDir: string, branch: string): Promise<string> {
  const tip = await readBranch(gitDir, branch);
  if (tip !== undefined) return tip;
  throw new CupelError("not_found", `the hub has no branch ${branch}`);
}

export async function createBranch(gitDir: string, branch: string, at: string): Promise<RefMove> {
  return moveRef(gitDir, branchRef(branch), undefined, at);
}

export async function moveBranch(gitDir: string, branch: string, from: string, to: string): Promise<RefMove> {
  return moveRef(gitDir, branchRef(branch), from, to);
}

export async function deleteBranch(gitDir: string, branch: string, from: string): Promise<RefMove> {
  return moveRef(gitDir, branchRef(branch), from, undefined);
}

function assertSafe(ref: string): void {
  if (isSafeRefName(ref)) return;
  throw new CupelError("invalid_input", `${JSON.stringify(ref)} is not the name of a ref`);
}
