// Brings the commits that an agent made in its own repository into the hub, without running git in that repository.
import { randomUUID } from "node:crypto";
import { lstatSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { sha256Hex } from "../../domain/canonical.ts";
import { CupelError } from "../../domain/error.ts";
import type { WorkspaceRecord } from "../../domain/run/workspace-record.ts";
import { toBytePath } from "../git/byte-path.ts";
import { emptyRepository } from "../git/empty-repository.ts";
import { git } from "../git/git.ts";
import type { WorkspacePlaces } from "./places.ts";
import { readRegular, walk } from "./walk.ts";

/** How many commits the agent made, at least one when it staged something; they hang on `ref` of the hub then. */
export async function bringOwnCommits(
  hub: string,
  places: WorkspacePlaces,
  record: WorkspaceRecord,
  ref: string,
): Promise<number> {
  if (!hasOwnObjects(places, record)) return 0;
  const reader = join(places.directory, `reader-${randomUUID()}.git`);
  try {
    makeReader(reader, join(places.tree, ".git"), objectFiles(places), record.base);
    const commits = await commitsIn(reader, record.root?.commit);
    const tips = [...tipsOf(commits), ...(await looseFiles(reader, record, commits))];
    if (tips.length === 0) return 0;
    await git(["update-ref", ref, await joined(reader, tips)], { gitDir: reader });
    await git(["-c", "fetch.fsckObjects=true", "fetch", "-q", "--no-tags", reader, `+${ref}:${ref}`], {
      gitDir: hub,
    });
    return Math.max(commits.length, 1);
  } finally {
    rmSync(reader, { recursive: true, force: true });
  }
}

/** Whether the agent's repository holds more than it was made with; without that it has no commit of the agent. */
export function hasOwnObjects(
  places: WorkspacePlaces,
  { root }: WorkspaceRecord,
  closed: "look" | "open" = "open",
): boolean {
  const isRoot = (path: string) => root !== null && path.startsWith(`objects/pack/${root.pack}.`);
  const objects = objectFiles(places, closed);
  if (objects.some((path) => !isRoot(path))) return true;
  const pack = objects.find((path) => path.endsWith(".pack"));
  // A name is not a content: the agent can give its own pack the name of the first.
  return (
    pack !== undefined &&
    sha256Hex(readRegular(join(places.tree, ".git"), toBytePath(pack))) !== root?.packHash
  );
}

/** Relative to the agent's git directory. */
function objectFiles({ tree }: WorkspacePlaces, closed: "look" | "open" = "open"): string[] {
  const gitDir = join(tree, ".git");
  if (lstatSync(gitDir, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  const found = walk(gitDir, (path) => path !== "objects" && !path.startsWith("objects/"), closed);
  // No link and no list of alternates leads from these to objects of others.
  return [...found].flatMap(({ path, kind }) => (kind === "file" && OBJECT_FILE.test(path) ? [path] : []));
}

const OBJECT_FILE = /^objects\/([0-9a-f]{2}\/[0-9a-f]{38,62}|pack\/pack-[0-9a-f]+\.(pack|idx|rev))$/;

/** A repository of the harness: the agent's objects, but no configuration, hook or ref of the agent. */
function makeReader(reader: string, gitDir: string, objects: string[], like: string): void {
  rmSync(reader, { recursive: true, force: true });
  emptyRepository(reader, ["\tbare = true"], like);
  for (const path of objects) {
    mkdirSync(dirname(join(reader, path)), { recursive: true });
    writeFileSync(join(reader, path), readRegular(gitDir, toBytePath(path)));
  }
}

const OBJECT_AND_TYPE = "--batch-check=%(objectname) %(objecttype)";

interface OwnCommit {
  id: string;
  parents: string[];
}

/** Also those that no branch of the agent holds any more. */
async function commitsIn(reader: string, rootCommit: string | undefined): Promise<OwnCommit[]> {
  const all = await git(["cat-file", "--batch-all-objects", "--unordered", OBJECT_AND_TYPE], {
    gitDir: reader,
  });
  // What git cannot read it calls missing; a commit could be among it.
  const unread = all.match(/^\S+ missing$/m)?.[0];
  if (unread !== undefined) {
    throw new CupelError("git_failed", `the agent's repository is damaged: ${unread}`, {
      hint: "look into the workspace, then remove its directory by hand",
    });
  }
  const ids = all.split("\n").flatMap((line) => (line.endsWith(" commit") ? [line.split(" ")[0] ?? ""] : []));
  if (ids.length === 0) return [];
  const lines = await git(["rev-list", "--no-walk", "--parents", "--stdin"], {
    gitDir: reader,
    stdin: `${ids.join("\n")}\n`,
  });
  return lines
    .trim()
    .split("\n")
    .map((line) => line.split(" "))
    .map(([id = "", ...parents]) => ({ id, parents }))
    .filter(({ id }) => id !== rootCommit);
}

function tipsOf(commits: OwnCommit[]): string[] {
  const inner = new Set(commits.flatMap(({ parents }) => parents));
  return commits.map(({ id }) => id).filter((id) => !inner.has(id));
}

/** What was staged but never committed: file contents that no commit leads to, each under its id. */
async function looseFiles(
  reader: string,
  { root }: WorkspaceRecord,
  commits: OwnCommit[],
): Promise<string[]> {
  const known = [...(root === null ? [] : [root.commit]), ...commits.map(({ id }) => id)];
  const all = await git(["cat-file", "--batch-all-objects", "--unordered", OBJECT_AND_TYPE], {
    gitDir: reader,
  });
  const held = await git(["rev-list", "--objects", "--no-object-names", "--stdin"], {
    gitDir: reader,
    stdin: `${known.join("\n")}\n`,
  });
  const reachable = new Set(held.split("\n"));
  const loose = all.split("\n").flatMap((line) => {
    const [id = "", type] = line.split(" ");
    return type === "blob" && !reachable.has(id) ? [id] : [];
  });
  if (loose.length === 0) return [];
  const stdin = loose.map((id) => `100644 blob ${id}\t${id}\n`).join("");
  const tree = (await git(["mktree"], { gitDir: reader, stdin })).trim();
  return [await commitWith(reader, tree, [], `salvage: ${loose.length} staged contents`)];
}

/** One commit that holds them all, so that a thousand loose ends do not become a thousand refs. */
async function joined(reader: string, tips: string[]): Promise<string> {
  const [first = "", ...more] = tips;
  if (more.length === 0) return first;
  const groups: string[] = [];
  for (let start = 0; start < tips.length; start += GROUP) {
    const parents = tips.slice(start, start + GROUP);
    const message = `salvage: ${tips.length} loose ends of an agent's repository`;
    groups.push(await commitWith(reader, `${parents[0] ?? first}^{tree}`, parents, message));
  }
  return joined(reader, groups);
}

/** As many as fit on a command line. */
const GROUP = 1000;

async function commitWith(reader: string, tree: string, parents: string[], message: string): Promise<string> {
  const args = parents.flatMap((parent) => ["-p", parent]);
  return (await git(["commit-tree", tree, ...args, "-m", message], { gitDir: reader })).trim();
}
