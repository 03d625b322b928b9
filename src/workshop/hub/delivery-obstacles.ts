// Looks for what stands in the way of a fast-forward of the person's checkout, without touching anything.
import { lstatSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve, sep } from "node:path";
import { asBytePath, toBuffer, toText } from "../git/byte-path.ts";
import type { BytePath } from "../git/byte-path.ts";
import { checkoutGit, tryCheckoutGit } from "../git/checkout.ts";
import type { Checkout } from "../git/checkout.ts";
import type { ChangedPath } from "../git/diff.ts";
import { isOfTheFactory } from "./factory-paths.ts";
import type { Hub } from "./hub.ts";
import { filtersOf, operationIn, uncommittedFiles } from "./repository-check.ts";

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

/** What is dangerous comes first: a smaller obstacle is told with the command that goes on in spite of it. */
export async function findObstacle(
  checkout: Checkout,
  hub: Hub,
  changes: readonly ChangedPath[],
  to: string,
): Promise<Obstacle | undefined> {
  const ours = changes.filter(({ path }) => isOfTheFactory(path));
  if (ours.length > 0) return obstacle("factory-files", "files in .cupel would be overwritten", ours);
  const halfDone = await isHalfDone(checkout, to);
  const danger = halfDone ? undefined : await findDanger(checkout, hub, changes);
  if (danger !== undefined) return danger;
  const operation = operationIn(hub.facts.gitDir);
  if (operation !== undefined)
    return { reason: "in-progress", why: `a ${operation} is in progress`, files: [] };
  if (halfDone) return undefined;
  const dirty = await uncommittedFiles(checkout, "no");
  if (dirty.length > 0)
    return { reason: "not-clean", why: "the checkout has changes that are not committed", files: dirty };
  const filtered = await filteredPaths(checkout, hub, changes, to);
  if (filtered.length > 0)
    return obstacle("filters", "a filter of your git configuration applies to changed files", filtered);
  return undefined;
}

async function findDanger(
  checkout: Checkout,
  hub: Hub,
  changes: readonly ChangedPath[],
): Promise<Obstacle | undefined> {
  const files = inTheWay(hub.project, changes);
  if (files.length > 0)
    return { reason: "overwrites", why: "files that git does not know would be overwritten", files };
  const later = await runsLater(checkout, hub, changes);
  if (later.length > 0)
    return obstacle("runs-later", "your next git command would run or read these files", later);
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

/** What stands where files are added, or where their folders must be, and is in no commit: git would replace it. */
function inTheWay(project: string, changes: readonly ChangedPath[]): string[] {
  const tracked = new Set(changes.filter(({ before }) => before !== undefined).map(({ bytes }) => bytes));
  const found = changes
    .filter(({ before }) => before === undefined)
    .map(({ bytes }) => firstInTheWay(project, bytes, tracked))
    .filter((path) => path !== undefined);
  return [...new Set(found)].map(toText);
}

/** A tracked file that becomes a folder is among the changes, as one that is deleted. */
function firstInTheWay(
  project: string,
  path: BytePath,
  tracked: ReadonlySet<BytePath>,
): BytePath | undefined {
  for (let end = path.indexOf("/"); end !== -1; end = path.indexOf("/", end + 1)) {
    const parent = asBytePath(path.slice(0, end));
    const kind = kindAt(project, parent);
    if (kind === "directory") continue;
    return kind === "nothing" || tracked.has(parent) ? undefined : parent;
  }
  return kindAt(project, path) === "nothing" ? undefined : path;
}

/** What cannot be looked at counts as there. Links are not followed. */
function kindAt(project: string, path: BytePath): "nothing" | "directory" | "other" {
  try {
    const place = Buffer.concat([Buffer.from(`${project}/`), toBuffer(path)]);
    return lstatSync(place).isDirectory() ? "directory" : "other";
  } catch (error) {
    return error instanceof Error && Reflect.get(error, "code") === "ENOENT" ? "nothing" : "other";
  }
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
