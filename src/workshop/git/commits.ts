// Makes commits out of trees and reads histories, without a work tree or an index.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { CupelError } from "../../domain/error.ts";
import { parseCommitMessage } from "./commit-message.ts";
import type { CommitMessage } from "./commit-message.ts";
import { git, gitError, tryGit } from "./git.ts";
import { remembered } from "./known-objects.ts";
import { readObjects } from "./object-reader.ts";
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
  const second = Math.floor(at.getTime() / 1000);
  const date = `@${second} +0000`;
  const args = [tree, ...parents].map(objectId);
  const [first = "", ...rest] = args;
  const output = await git(["commit-tree", first, ...rest.flatMap((parent) => ["-p", parent]), "-F", "-"], {
    gitDir,
    stdin: message,
    env: { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
  });
  const commit = output.trim();
  const fields = [commit, tree, parents.join(" "), String(second), message];
  // Git ends the last line of a message where its author did not.
  if (message.endsWith("\n")) COMMITS.write(`${gitDir} ${commit}`, loggedCommit(fields));
  return commit;
}

export async function treeOf(gitDir: string, commit: string): Promise<string> {
  return (await readCommit(gitDir, commit)).tree;
}

/** Oldest first: what `to` holds and `since` does not, following the first parent of each commit. */
export async function logSince(
  gitDir: string,
  since: string | undefined,
  to: string,
): Promise<LoggedCommit[]> {
  if (since !== undefined) {
    const last = await readCommit(gitDir, to);
    if (last.parents[0] === objectId(since)) return [last];
  }
  const range = since === undefined ? [objectId(to)] : [objectId(to), `^${objectId(since)}`];
  const order = ["--topo-order", "--reverse", "--first-parent"];
  const output = await git(["log", "-z", "--encoding=UTF-8", ...order, FORMAT, ...range, "--"], { gitDir });
  const fields = output.split("\0");
  const commits: LoggedCommit[] = [];
  for (let at = 0; at + FIELDS <= fields.length; at += FIELDS) {
    commits.push(loggedCommit(fields.slice(at, at + FIELDS)));
  }
  return commits;
}

/** One commit of the history. */
export async function readCommit(gitDir: string, commit: string): Promise<LoggedCommit> {
  const name = `${gitDir} ${objectId(commit)}`;
  const known = COMMITS.read(name);
  if (known !== undefined) return known;
  const plain = await plainFields(gitDir, commit);
  // The end of a shallow history has no parents until somebody fetches more of it.
  if (plain === undefined) return loggedCommit(await loggedFields(gitDir, commit));
  const read = loggedCommit(plain);
  COMMITS.write(name, read);
  return read;
}

async function loggedFields(gitDir: string, commit: string): Promise<string[]> {
  const output = await git(["log", "-z", "-1", "--encoding=UTF-8", FORMAT, commit, "--"], { gitDir });
  return output.split("\0");
}

/** Of a commit as most are; only git knows where a shallow history ends and how to read other encodings. */
async function plainFields(gitDir: string, commit: string): Promise<string[] | undefined> {
  if (existsSync(join(gitDir, "shallow"))) return undefined;
  const [object] = await readObjects(gitDir, [commit]);
  const text = object?.type === "commit" ? object.content.toString("utf8") : "";
  const end = text.indexOf("\n\n");
  const head = end === -1 ? "" : text.slice(0, end);
  const tree = /^tree ([0-9a-f]+)$/m.exec(head)?.[1];
  const seconds = /^committer .*> (\d+) [+-]\d+$/m.exec(head)?.[1];
  if (tree === undefined || seconds === undefined || /^encoding /m.test(head)) return undefined;
  const parents = [...head.matchAll(/^parent ([0-9a-f]+)$/gm)].map((found) => found[1]);
  return [commit, tree, parents.join(" "), seconds, text.slice(end + 2)];
}

export async function isAncestor(gitDir: string, ancestor: string, of: string): Promise<boolean> {
  let at = of;
  for (let step = 0; step < NEAR; step += 1) {
    if (at === ancestor) return true;
    const [parent] = (await readCommit(gitDir, at)).parents;
    if (parent === undefined) break;
    at = parent;
  }
  const args = ["merge-base", "--is-ancestor", objectId(ancestor), objectId(of)];
  const result = await tryGit(args, { gitDir });
  if (result.kind === "exited" && result.code <= 1) return result.code === 0;
  throw gitError(args, result);
}

/** How far the first parents are followed before git is asked. */
const NEAR = 8;

/** Where two histories part; undefined when they have nothing in common. */
export async function mergeBase(gitDir: string, one: string, other: string): Promise<string | undefined> {
  const args = ["merge-base", objectId(one), objectId(other)];
  const result = await tryGit(args, { gitDir });
  if (result.kind === "exited" && result.code <= 1) return result.stdout.trim().split("\n")[0] || undefined;
  throw gitError(args, result);
}

const FORMAT = "--format=%H%x00%T%x00%P%x00%ct%x00%B";
const FIELDS = 5;
const COMMITS = remembered<LoggedCommit>(({ message }) => message.length + 200, {
  each: 20_000,
  all: 4_000_000,
});

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
