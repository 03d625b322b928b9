// Looks at the person's repository before any work: what Cupel can work with, and what it cannot see there.
import { existsSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { toBytePath, toBuffer } from "../git/byte-path.ts";
import type { BytePath } from "../git/byte-path.ts";
import { checkoutGit, openCheckout, tryCheckoutGit } from "../git/checkout.ts";
import type { Checkout } from "../git/checkout.ts";
import { isOfTheFactory } from "./factory-paths.ts";
import { notesOn } from "./repository-facts.ts";
import type { RepositoryFacts } from "./repository-facts.ts";
import { caseCollisions, refusal } from "./repository-refusals.ts";

/** Throws `not_a_repository` with the next step where Cupel cannot work; everything else is a fact. */
export async function inspectRepository(project: string): Promise<RepositoryFacts> {
  const directory = realpathSync(resolve(project));
  const checkout = await openCheckout(directory);
  const place = await findRepository(checkout);
  const { branch, commit } = await findBranch(checkout, place.gitDir);
  if (await lacksObjects(checkout, commit)) throw refusal.partial(directory);
  const entries = await lsTree(checkout, commit);
  const paths = entries.map(({ path }) => path);
  // A repository that brings its own hub brings its own git configuration, which is to say programs.
  if (paths.some(isOfTheFactory)) throw refusal.tracksFactory(directory);
  const facts = {
    ...place,
    branch,
    commit,
    submodules: entries.filter(({ mode }) => mode === "160000").map(({ path }) => path),
    lfs: await lfsPaths(checkout, paths),
    caseCollisions: caseCollisions(paths),
    uncommitted: await uncommittedFiles(checkout, "all"),
    inProgress: operationIn(place.gitDir),
  };
  return { ...facts, notes: notesOn(facts) };
}

type Place = Pick<RepositoryFacts, "top" | "gitDir" | "objectFormat" | "shallow" | "linkedWorktree">;

async function findRepository(checkout: Checkout): Promise<Place> {
  const { directory } = checkout;
  const asked = await tryCheckoutGit(checkout, ["rev-parse", ...FLAGS, ...PATHS]);
  // Where there is no work tree, the first flags are told before it is missed.
  const [bare, inside, shallow, format, ...paths] = asked.stdout.split("\n");
  if (bare === "true" || inside === "true") throw refusal.bare(directory);
  if (asked.kind !== "exited" || asked.code !== 0) throw refusal.unreadable(directory, asked);
  const [top, gitDir, common] = await threePaths(checkout, paths);
  if (top !== directory) throw refusal.subdirectory(directory, top);
  return {
    top,
    gitDir,
    objectFormat: format === "sha256" ? "sha256" : "sha1",
    shallow: shallow === "true",
    linkedWorktree: realpathSync(resolve(directory, common)) !== realpathSync(gitDir),
  };
}

const FLAGS = [
  "--is-bare-repository",
  "--is-inside-git-dir",
  "--is-shallow-repository",
  "--show-object-format",
];
const PATHS = ["--path-format=absolute", "--show-toplevel", "--absolute-git-dir", "--git-common-dir"];

/** Each is asked for on its own where one of them holds a line break. */
async function threePaths(checkout: Checkout, lines: readonly string[]): Promise<[string, string, string]> {
  const [top = "", gitDir = "", common = "", end] = lines;
  if (lines.length === 4 && end === "") return [top, gitDir, common];
  return [
    await onePath(checkout, "--show-toplevel"),
    await onePath(checkout, "--absolute-git-dir"),
    await onePath(checkout, "--git-common-dir"),
  ];
}

async function findBranch(checkout: Checkout, gitDir: string): Promise<{ branch: string; commit: string }> {
  const symbolic = await tryCheckoutGit(checkout, ["symbolic-ref", "--quiet", "HEAD"]);
  const head = await tryCheckoutGit(checkout, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
  const commit = head.stdout.trim();
  if (symbolic.kind !== "exited" || symbolic.code !== 0) {
    const rebasing = existsSync(`${gitDir}/rebase-merge`) || existsSync(`${gitDir}/rebase-apply`);
    if (rebasing) throw refusal.rebasing(checkout.directory);
    const format = ["for-each-ref", "--format=%(refname:short)", "--points-at=HEAD", "refs/heads/"];
    throw refusal.detached(checkout.directory, (await checkoutGit(checkout, format)).split("\n")[0] ?? "");
  }
  const branch = symbolic.stdout.trim().replace(/^refs\/heads\//, "");
  if (commit === "") throw refusal.empty(checkout.directory);
  return { branch, commit };
}

/** A partial clone leaves content on the server until it is asked for; a copy cannot be made of what is not there. */
async function lacksObjects(checkout: Checkout, commit: string): Promise<boolean> {
  const lazy = ["config", "--get-regexp", String.raw`^remote\..*\.promisor$`];
  if ((await tryCheckoutGit(checkout, lazy)).stdout === "") return false;
  const args = ["rev-list", "--objects", "--missing=print", "--no-object-names", commit];
  return /^\?/m.test(await checkoutGit(checkout, args));
}

async function lsTree(checkout: Checkout, commit: string): Promise<{ mode: string; path: string }[]> {
  const output = await checkoutGit(checkout, ["ls-tree", "-r", "-z", "--full-tree", commit]);
  return nulFields(output).map((line) => ({
    mode: line.slice(0, 6),
    path: line.slice(line.indexOf("\t") + 1),
  }));
}

async function lfsPaths(checkout: Checkout, paths: readonly string[]): Promise<string[]> {
  const filters = await filtersOf(checkout, paths.map(toBytePath));
  return paths.filter((_, index) => filters[index] === "lfs");
}

/** The filter that attributes name for each path; undefined where there is none. No filter is run. */
export async function filtersOf(
  checkout: Checkout,
  paths: readonly BytePath[],
  env: Readonly<Record<string, string>> = {},
): Promise<(string | undefined)[]> {
  if (paths.length === 0) return [];
  const args = ["check-attr", "--cached", "-z", "--stdin", "filter"];
  const stdin = Buffer.concat(paths.flatMap((path) => [toBuffer(path), Buffer.of(0)]));
  const fields = nulFields(await checkoutGit(checkout, args, { stdin, env }));
  // Path, attribute, value; and so on.
  return paths.map((_, index) => {
    const value = fields[index * 3 + 2] ?? "unspecified";
    return NO_FILTER.has(value) ? undefined : value;
  });
}

const NO_FILTER: ReadonlySet<string> = new Set(["unspecified", "unset", "set"]);

/** Changed and staged files, and untracked ones where asked for; ignored ones never count. */
export async function uncommittedFiles(checkout: Checkout, untracked: "all" | "no"): Promise<string[]> {
  const args = ["status", "--porcelain=v1", "-z", "--no-renames", "--ignore-submodules=dirty"];
  const output = await checkoutGit(checkout, [...args, `--untracked-files=${untracked}`]);
  return nulFields(output)
    .map((line) => line.slice(3))
    .filter((path) => !isOfTheFactory(path));
}

export function operationIn(gitDir: string): RepositoryFacts["inProgress"] {
  return OPERATIONS.find(([file]) => existsSync(`${gitDir}/${file}`))?.[1];
}

const OPERATIONS = [
  ["MERGE_HEAD", "merge"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
  ["BISECT_LOG", "bisect"],
] as const;

async function onePath(checkout: Checkout, flag: string): Promise<string> {
  return (await checkoutGit(checkout, ["rev-parse", "--path-format=absolute", flag])).replace(/\n$/, "");
}

function nulFields(output: string): string[] {
  return output.split("\0").filter((field) => field !== "");
}
