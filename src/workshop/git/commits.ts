// Makes commits out of trees and reads histories, without a work tree or an index.
import { CupelError } from "../../domain/error.ts";
import { parseCommitMessage } from "./commit-message.ts";
import type { CommitMessage } from "./commit-message.ts";
import { git, gitError, tryGit } from "./git.ts";
import { moveBranch } from "./refs.ts";

export interface CommitContent {
  tree: string;
  parents: readonly string[];
  /** As `renderCommitMessage` makes it. */
  message: string;
  /** When it was made; now unless told. */
  at?: Date;
}

export interface LoggedCommit {
  commit: string;
  tree: string;
  parents: string[];
  at: Date;
  message: string;
  /** Undefined where the message is not of the factory's form. */
  parsed: CommitMessage | undefined;
}

export type Committed = { kind: "committed"; commit: string } | { kind: "lost"; found: string | undefined };

/** Commits a tree on a branch whose tip must still be `parent`. */
export async function commitOnBranch(
  gitDir: string,
  branch: string,
  parent: string,
  content: Omit<CommitContent, "parents">,
): Promise<Committed> {
  const commit = await commitTree(gitDir, { ...content, parents: [parent] });
  const moved = await moveBranch(gitDir, branch, parent, commit);
  return moved.kind === "moved" ? { kind: "committed", commit } : moved;
}

/** A commit that no ref holds yet. */
export async function commitTree(gitDir: string, content: CommitContent): Promise<string> {
  const { tree, parents, message, at = new Date() } = content;
  const seconds = `@${Math.floor(at.getTime() / 1000)} +0000`;
  const args = [tree, ...parents].map(objectId);
  const [first = "", ...rest] = args;
  const output = await git(["commit-tree", first, ...rest.flatMap((parent) => ["-p", parent]), "-F", "-"], {
    gitDir,
    stdin: message,
    env: { GIT_AUTHOR_DATE: seconds, GIT_COMMITTER_DATE: seconds },
  });
  return output.trim();
}

export async function treeOf(gitDir: string, commit: string): Promise<string> {
  return (await git(["rev-parse", "--verify", `${objectId(commit)}^{tree}`], { gitDir })).trim();
}

/** Oldest first: what `to` holds and `since` does not, following the first parent of each commit. */
export async function logSince(
  gitDir: string,
  since: string | undefined,
  to: string,
): Promise<LoggedCommit[]> {
  const range = since === undefined ? [objectId(to)] : [objectId(to), `^${objectId(since)}`];
  const format = "--format=%H%x00%T%x00%P%x00%ct%x00%B";
  const order = ["--topo-order", "--reverse", "--first-parent"];
  const output = await git(["log", "-z", "--encoding=UTF-8", ...order, format, ...range, "--"], { gitDir });
  const fields = output.split("\0");
  const commits: LoggedCommit[] = [];
  for (let at = 0; at + FIELDS <= fields.length; at += FIELDS) {
    commits.push(loggedCommit(fields.slice(at, at + FIELDS)));
  }
  return commits;
}

/** One commit of the history. */
export async function readCommit(gitDir: string, commit: string): Promise<LoggedCommit> {
  const format = "--format=%H%x00%T%x00%P%x00%ct%x00%B";
  const output = await git(["log", "-z", "-1", "--encoding=UTF-8", format, objectId(commit), "--"], {
    gitDir,
  });
  return loggedCommit(output.split("\0"));
}

export async function isAncestor(gitDir: string, ancestor: string, of: string): Promise<boolean> {
  const args = ["merge-base", "--is-ancestor", objectId(ancestor), objectId(of)];
  const result = await tryGit(args, { gitDir });
  if (result.kind === "exited" && result.code <= 1) return result.code === 0;
  throw gitError(args, result);
}

/** Where two histories part; undefined when they have nothing in common. */
export async function mergeBase(gitDir: string, one: string, other: string): Promise<string | undefined> {
  const args = ["merge-base", objectId(one), objectId(other)];
  const result = await tryGit(args, { gitDir });
  if (result.kind === "exited" && result.code <= 1) return result.stdout.trim().split("\n")[0] || undefined;
  throw gitError(args, result);
}

const FIELDS = 5;

function loggedCommit(fields: string[]): LoggedCommit {
  const [commit = "", tree = "", parents = "", seconds = "", message = ""] = fields;
  return {
    commit,
    tree,
    parents: parents === "" ? [] : parents.split(" "),
    at: new Date(Number(seconds) * 1000),
    message,
    parsed: parseCommitMessage(message),
  };
}

/** Only full ids are taken, so that no text is ever read as an option or as a name. */
export function objectId(id: string): string {
  if (/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(id)) return id;
  throw new CupelError("invalid_input", `${JSON.stringify(id)} is not the full id of a git object`);
}
