// The hub: a bare repository of the project's own, `.cupel/hub.git`, through which all work goes.
import { existsSync, lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CupelError } from "../../domain/error.ts";
import { fetchBranch } from "./fetch-branch.ts";
import { branchRef } from "../git/branch-names.ts";
import { isAncestor } from "../git/commits.ts";
import { git, tryGit } from "../git/git.ts";
import { moveRef, readBranch } from "../git/refs.ts";
import { HUB_VERSION, makeHub, removeHalfMade } from "./make-hub.ts";
import { inspectRepository } from "./repository-check.ts";
import type { RepositoryFacts } from "./repository-facts.ts";
import { quoted } from "./repository-refusals.ts";
import { workshopOf } from "../workspace/places.ts";

export interface Hub {
  /** The top of the person's checkout. */
  project: string;
  gitDir: string;
  /** The branch that the person has checked out. */
  branch: string;
  facts: RepositoryFacts;
}

/** Where the hub's copy of the person's branch stands. */
export type Refresh =
  | { kind: "current"; commit: string }
  | { kind: "updated"; from: string | undefined; to: string }
  /** The hub holds results that the checkout does not have yet. */
  | { kind: "ahead"; commit: string; source: string }
  | { kind: "diverged"; commit: string; source: string; hint: string };

/** Opens the project's hub, making it first where there is none; any number of processes may do so at once. */
export async function openHub(project: string): Promise<Hub> {
  const facts = await inspectRepository(project);
  const gitDir = workshopOf(facts.top).hub;
  const parent = prepareParent(facts.top);
  removeHalfMade(parent);
  if (!existsSync(gitDir)) await makeHub(parent, gitDir, facts);
  await assertHub(gitDir, facts);
  const hub = { project: facts.top, gitDir, branch: facts.branch, facts };
  // The person may have checked out another branch since.
  if ((await readBranch(gitDir, facts.branch)) === undefined) await refresh(hub);
  return hub;
}

/** Takes over what the person committed since; results in the hub are never overwritten. */
export async function refresh(hub: Hub): Promise<Refresh> {
  const { gitDir, project, branch } = hub;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const source = await fetchBranch(gitDir, hub.facts, branch);
    if (source === undefined) continue;
    const commit = await readBranch(gitDir, branch);
    if (commit === source) return { kind: "current", commit };
    if (commit !== undefined && (await isAncestor(gitDir, source, commit)))
      return { kind: "ahead", commit, source };
    if (commit !== undefined && !(await isAncestor(gitDir, commit, source))) {
      return { kind: "diverged", commit, source, hint: mergeByHand(branch) };
    }
    const moved = await moveRef(gitDir, branchRef(branch), commit, source);
    if (moved.kind === "moved") return { kind: "updated", from: commit, to: source };
  }
  throw new CupelError("git_failed", `${branch} keeps changing in ${quoted(project)}`, {
    hint: "run the same command again when nothing else commits there",
  });
}

/** What to type to get the hub's branch into the checkout. */
export function fetchCommand(branch: string): string {
  return `git fetch .cupel/hub.git ${quoted(branch)} && git merge --ff-only FETCH_HEAD`;
}

function mergeByHand(branch: string): string {
  return `git fetch .cupel/hub.git ${quoted(branch)} && git merge FETCH_HEAD`;
}

const ATTEMPTS = 5;

function prepareParent(top: string): string {
  const parent = join(top, ".cupel");
  mkdirSync(parent, { recursive: true });
  if (!lstatSync(parent).isDirectory()) {
    throw new CupelError("not_a_repository", `${quoted(parent)} is a link to somewhere else`, {
      expected: "a folder, or nothing",
      hint: `rm ${quoted(parent)}`,
    });
  }
  const ignore = join(parent, ".gitignore");
  if (!existsSync(ignore)) writeFileSync(ignore, "*\n");
  return parent;
}

async function assertHub(gitDir: string, facts: RepositoryFacts): Promise<void> {
  const version = await tryGit(["config", "--local", "cupel.version"], { gitDir });
  if (version.kind !== "exited" || version.code !== 0 || version.stdout.trim() !== HUB_VERSION) {
    throw new CupelError("git_failed", `${quoted(gitDir)} is not a hub that this Cupel can use`, {
      expected: `a hub of version ${HUB_VERSION}`,
      hint: `look at its branches (git --git-dir=${quoted(gitDir)} branch), move it away, and run the command again`,
    });
  }
  const format = (await git(["rev-parse", "--show-object-format"], { gitDir })).trim();
  if (format === facts.objectFormat) return;
  throw new CupelError("git_failed", `the hub uses ${format} ids, the repository ${facts.objectFormat}`, {
    hint: `mv ${quoted(gitDir)} ${quoted(`${gitDir}.old`)}`,
  });
}
