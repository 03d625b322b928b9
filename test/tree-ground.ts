// A hub with branches of nodes for tests of trees: what stands on them, and work as the harness would commit it.
import { spawnSync } from "node:child_process";
import { toBytePath } from "../src/workshop/git/byte-path.ts";
import { renderCommitMessage } from "../src/workshop/git/commit-message.ts";
import { importCommit } from "../src/workshop/git/fast-import.ts";
import type { Waiting } from "../src/engineering/tree/merge-ground.ts";
import {
  baseRef,
  beginBranch,
  branchOf,
  commitOn,
  type Git,
  nodeBranch,
} from "../src/engineering/tree/node-branch.ts";
import { sampleGit } from "./git-samples.ts";

export const THREAD = "r-1/T-tree-001/1/tree";

export function messageOf(description: string): string {
  return renderCommitMessage({
    phase: "impl",
    description,
    body: "",
    session: THREAD,
    node: "impl",
    costUsd: 0,
  });
}

/** A commit that comes from nothing, with these files. */
export function rootCommit({ gitDir }: Git, files: Readonly<Record<string, string>>): Promise<string> {
  return importCommit({
    gitDir,
    ref: "refs/heads/scaffold",
    message: messageOf("the scaffold"),
    at: 1_700_000_000,
    changes: Object.entries(files).map(([path, text]) => ({
      kind: "write" as const,
      path: toBytePath(path),
      mode: "100644",
      content: Buffer.from(text),
    })),
  });
}

/** A node that began at a commit and did this, one commit each. */
export async function workOf(
  git: Git,
  node: string,
  at: string,
  ...steps: Readonly<Record<string, string | null>>[]
): Promise<Waiting> {
  const branch = branchOf(THREAD, node);
  let { tip } = await beginBranch(git, branch, at);
  for (const [index, files] of steps.entries())
    tip = await commitOn(git, branch, { from: tip, files, message: messageOf(`${node}, step ${index + 1}`) });
  return waitingOf(git, node);
}

/** The same for many nodes at once, one commit each, in one process. */
export function workOfMany(
  { gitDir }: Git,
  at: string,
  works: readonly { node: string; files: Readonly<Record<string, string>> }[],
): void {
  const stream = works.map(({ node, files }) => {
    const branch = branchOf(THREAD, node);
    const lines = Object.entries(files).map(([path, text]) => `M 100644 inline ${path}\n${data(text)}`);
    const head = `commit refs/heads/${branch}\ncommitter Ada <ada@example.org> 1700000000 +0000\n`;
    const message = data(messageOf(`${node}, all of it`));
    return `${head}${message}from ${at}\n${lines.join("")}\nreset ${baseRef(branch)}\nfrom ${at}\n`;
  });
  const made = spawnSync("git", ["fast-import", "--quiet"], { cwd: gitDir, input: stream.join("\n") });
  if (made.status !== 0) throw new Error(String(made.stderr));
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}

/** As it is on its branch now. */
export async function waitingOf(git: Git, node: string): Promise<Waiting> {
  return {
    node,
    branch: await nodeBranch(git, branchOf(THREAD, node)),
    folders: [node],
    message: { phase: "merge", description: `${node} is done`, body: "", session: THREAD, costUsd: 0 },
  };
}

export function fileAt({ gitDir }: Git, commit: string, path: string): string {
  return sampleGit(gitDir, "show", `${commit}:${path}`);
}

/** The subjects of a branch, oldest first. */
export function subjectsOf({ gitDir }: Git, from: string, to: string): string[] {
  const log = sampleGit(gitDir, "log", "--reverse", "--format=%s", `${from}..${to}`);
  return log === "" ? [] : log.split("\n");
}
