// A picture of everything that a person has in a repository, so that a test can say that nothing of it changed.
import { existsSync, lstatSync, readFileSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { sampleGit } from "./git-samples.ts";

/** By path: the content of every file of the work tree (but .cupel) and of .git (but stored objects). */
export function everythingOf(project: string): Record<string, string> {
  const gitDir = sampleGit(project, "rev-parse", "--path-format=absolute", "--git-common-dir");
  return {
    ...filesBelow(project, (path) => path !== ".git" && path !== ".cupel"),
    ...prefixed(
      ".git/",
      filesBelow(gitDir, (path) => path !== "objects"),
    ),
    objects: sampleGit(project, "count-objects", "-v"),
  };
}

/** Names of what differs between two pictures. */
export function differences(before: Record<string, string>, after: Record<string, string>): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => before[name] !== after[name]).toSorted();
}

function filesBelow(root: string, wanted: (path: string) => boolean, below = ""): Record<string, string> {
  const found: Record<string, string> = {};
  if (!existsSync(root)) return found;
  for (const name of readdirSync(join(root, below))) {
    const path = join(below, name);
    if (!wanted(path)) continue;
    const file = join(root, path);
    const stat = lstatSync(file);
    if (stat.isDirectory()) Object.assign(found, filesBelow(root, wanted, path));
    else
      found[path] = stat.isSymbolicLink()
        ? `-> ${readlinkSync(file)}`
        : `${stat.mode} ${readFileSync(file, "latin1")}`;
  }
  return found;
}

function prefixed(prefix: string, entries: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(entries).map(([name, value]) => [`${prefix}${name}`, value]));
}
