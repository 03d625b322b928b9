// Brings the commits that an agent made in its own repository into the hub, without running git in that repository.
import { lstatSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CupelError } from "../../domain/error.ts";
import type { WorkspaceRecord } from "../../domain/run/workspace-record.ts";
import { toBytePath } from "../git/byte-path.ts";
import { git } from "../git/git.ts";
import type { WorkspacePlaces } from "./places.ts";
import { readRegular, walk } from "./walk.ts";

/** How many commits the agent made; they all hang on `ref` of the hub afterwards. */
export async function bringOwnCommits(
  hub: string,
  places: WorkspacePlaces,
  record: WorkspaceRecord,
  ref: string,
): Promise<number> {
  if (!hasOwnObjects(places, record)) return 0;
  const reader = join(places.directory, "reader.git");
  try {
    makeReader(reader, join(places.tree, ".git"), objectFiles(places), record.base);
    const commits = await commitsIn(reader, record.root?.commit);
    if (commits.length === 0) return 0;
    await git(["update-ref", ref, await joined(reader, tipsOf(commits))], { gitDir: reader });
    await git(["-c", "fetch.fsckObjects=true", "fetch", "-q", "--no-tags", reader, `+${ref}:${ref}`], {
      gitDir: hub,
    });
    return commits.length;
  } finally {
    rmSync(reader, { recursive: true, force: true });
  }
}

/** Whether the agent's repository holds more than it was made with; without that it has no commit of the agent. */
export function hasOwnObjects(places: WorkspacePlaces, { root }: WorkspaceRecord): boolean {
  const own = (path: string) => root === null || !path.startsWith(`objects/pack/${root.pack}.`);
  return objectFiles(places).some(own);
}

/** Relative to the agent's git directory. */
function objectFiles({ tree }: WorkspacePlaces): string[] {
  const gitDir = join(tree, ".git");
  if (lstatSync(gitDir, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  const found = walk(gitDir, (path) => path !== "objects" && !path.startsWith("objects/"));
  // No link and no list of alternates leads from these to objects of others.
  return [...found].flatMap(({ path, kind }) => (kind === "file" && OBJECT_FILE.test(path) ? [path] : []));
}

const OBJECT_FILE = /^objects\/([0-9a-f]{2}\/[0-9a-f]{38,62}|pack\/pack-[0-9a-f]+\.(pack|idx|rev))$/;

/** A repository of the harness: the agent's objects, but no configuration, hook or ref of the agent. */
function makeReader(reader: string, gitDir: string, objects: string[], like: string): void {
  rmSync(reader, { recursive: true, force: true });
  mkdirSync(join(reader, "refs"), { recursive: true });
  writeFileSync(join(reader, "HEAD"), "ref: refs/heads/main\n");
  const format = like.length === 64 ? "1\n[extensions]\n\tobjectFormat = sha256" : "0";
  writeFileSync(join(reader, "config"), `[core]\n\tbare = true\n\trepositoryformatversion = ${format}\n`);
  for (const path of objects) {
    mkdirSync(dirname(join(reader, path)), { recursive: true });
    writeFileSync(join(reader, path), readRegular(gitDir, toBytePath(path)));
  }
}

interface OwnCommit {
  id: string;
  parents: string[];
}

/** Also those that no branch of the agent holds any more. */
async function commitsIn(reader: string, rootCommit: string | undefined): Promise<OwnCommit[]> {
  const format = "--batch-check=%(objectname) %(objecttype)";
  const all = await git(["cat-file", "--batch-all-objects", "--unordered", format], { gitDir: reader });
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

/** One commit that holds them all, so that a thousand loose ends do not become a thousand refs. */
async function joined(reader: string, tips: string[]): Promise<string> {
  const [first = "", ...more] = tips;
  if (more.length === 0) return first;
  const parents = tips.flatMap((tip) => ["-p", tip]);
  const message = `salvage: ${tips.length} loose ends of an agent's repository`;
  return (
    await git(["commit-tree", `${first}^{tree}`, ...parents, "-m", message], { gitDir: reader })
  ).trim();
}
