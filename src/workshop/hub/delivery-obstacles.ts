// Looks for what stands in the way of a fast-forward of the person's checkout, without touching anything.
import { lstatSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve, sep } from "node:path";
import { checkoutGit, tryCheckoutGit } from "../git/checkout.ts";
import type { Checkout } from "../git/checkout.ts";
import type { ChangedPath } from "../git/diff.ts";
import type { Hub } from "./hub.ts";
import { filtersOf, isOfTheFactory, operationIn, uncommittedFiles } from "./repository-check.ts";

export type LeftReason =
  | "other-branch"
  | "diverged"
  | "in-progress"
  | "not-clean"
  | "overwrites"
  | "factory-files"
  | "filters"
  | "runs-later"
  | "refused";

export interface Obstacle {
  reason: LeftReason;
  why: string;
  files: string[];
}

export async function findObstacle(
  checkout: Checkout,
  hub: Hub,
  changes: readonly ChangedPath[],
  to: string,
): Promise<Obstacle | undefined> {
  const operation = operationIn(hub.facts.gitDir);
  if (operation !== undefined)
    return { reason: "in-progress", why: `a ${operation} is in progress`, files: [] };
  const ours = changes.filter(({ path }) => isOfTheFactory(path));
  if (ours.length > 0) return obstacle("factory-files", "files in .cupel would be overwritten", ours);
  if (await isHalfDone(checkout, to)) return undefined;
  const overwritten = changes.filter(
    ({ before, path }) => before === undefined && exists(join(hub.project, path)),
  );
  if (overwritten.length > 0)
    return obstacle("overwrites", "files that git does not know would be overwritten", overwritten);
  const dirty = await uncommittedFiles(checkout, "no");
  if (dirty.length > 0)
    return { reason: "not-clean", why: "the checkout has changes that are not committed", files: dirty };
  const later = await runsLater(checkout, hub, changes);
  if (later.length > 0)
    return obstacle("runs-later", "your next git command would run or read these files", later);
  const filtered = await filteredPaths(checkout, hub, changes, to);
  if (filtered.length > 0)
    return obstacle("filters", "a filter of your git configuration applies to changed files", filtered);
  return undefined;
}

/** A process was killed between the files and the branch: everything is as it will be, so nothing can be lost. */
async function isHalfDone(checkout: Checkout, to: string): Promise<boolean> {
  const staged = await tryCheckoutGit(checkout, ["diff-index", "--cached", "--quiet", to, "--"]);
  if (staged.kind !== "exited" || staged.code !== 0) return false;
  const changed = await tryCheckoutGit(checkout, ["diff-files", "--quiet", "--ignore-submodules"]);
  return changed.kind === "exited" && changed.code === 0;
}

function obstacle(reason: LeftReason, why: string, changes: readonly ChangedPath[]): Obstacle {
  return { reason, why, files: changes.map(({ path }) => path) };
}

/** Changed files that the person's git takes as hooks or as configuration. */
async function runsLater(
  checkout: Checkout,
  hub: Hub,
  changes: readonly ChangedPath[],
): Promise<ChangedPath[]> {
  // Not with our own settings, which point elsewhere.
  const theirs = { ...checkout, settings: {} };
  const hooks = await tryCheckoutGit(theirs, ["config", "--type=path", "--get-all", "core.hooksPath"]);
  const origins = await checkoutGit(theirs, ["config", "--null", "--show-origin", "--name-only", "--list"]);
  const files = [...origins.matchAll(/file:([^\0]*)\0/g)].map(([, file = ""]) => file);
  const roots = [...hooks.stdout.split("\n").filter((line) => line !== ""), ...files]
    .map((path) => relative(hub.project, resolve(hub.project, path)))
    .filter(
      (path) => path !== "" && !path.startsWith("..") && path !== ".git" && !path.startsWith(`.git${sep}`),
    );
  return changes.filter(({ path }) => roots.some((root) => path === root || path.startsWith(`${root}/`)));
}

/** By the attributes as they would be afterwards, read through an index of its own; the hub lends the objects. */
async function filteredPaths(
  checkout: Checkout,
  hub: Hub,
  changes: readonly ChangedPath[],
  to: string,
): Promise<ChangedPath[]> {
  const directory = mkdtempSync(join(tmpdir(), "cupel-deliver-"));
  try {
    const objects = JSON.stringify(join(hub.gitDir, "objects"));
    const env = { GIT_INDEX_FILE: join(directory, "index"), GIT_ALTERNATE_OBJECT_DIRECTORIES: objects };
    await checkoutGit(checkout, ["read-tree", to], { env });
    const written = changes.filter(({ after }) => after !== undefined);
    const filters = await filtersOf(
      checkout,
      written.map(({ bytes }) => bytes),
      env,
    );
    return written.filter((_, index) => filters[index] !== undefined);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function exists(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
