// Keeps what an agent wrote and nobody took back: before a workspace goes, it lies in the hub under a salvage ref.
import { join } from "node:path";
import { CupelError } from "../../domain/error.ts";
import type { WorkspaceRecord } from "../../domain/run/workspace-record.ts";
import { CANARY_FILE } from "../blindness/canary.ts";
import { salvageRef } from "../git/branch-names.ts";
import { asBytePath, isGitName, toText } from "../git/byte-path.ts";
import type { BytePath } from "../git/byte-path.ts";
import { renderCommitMessage } from "../git/commit-message.ts";
import { importCommit } from "../git/fast-import.ts";
import type { FileChange } from "../git/fast-import.ts";
import { changesIn, contentOf, describe } from "./changes.ts";
import type { Change } from "./changes.ts";
import { bringOwnCommits } from "./own-commits.ts";
import type { Workshop, WorkspacePlaces } from "./places.ts";
import { readRegular, walk } from "./walk.ts";

export interface Salvaged {
  /** Refs of the hub; none when everything had been taken back. */
  refs: string[];
  files: number;
  commits: number;
  /** Paths that no program can open, which are the only thing that goes. */
  unreachable: number;
}

export async function salvage(
  { hub }: Workshop,
  places: WorkspacePlaces,
  record: WorkspaceRecord,
): Promise<Salvaged> {
  // Before it was open, no agent can have been in it.
  if (record.state === "creating") return { refs: [], files: 0, commits: 0, unreachable: 0 };
  const changes = unsavedChanges(places, record);
  const unsaved = changes.filter(({ now }) => now?.kind !== "unreachable");
  const names = salvageRefs(record);
  const own = await keepOwnCommits(hub, places, record, names);
  if (unsaved.length > 0) {
    await importCommit({
      gitDir: hub,
      ref: names.files,
      parent: record.taken?.commit ?? record.base,
      message: messageFor(record, `${unsaved.length} changed files of ${record.id} that nobody took back`),
      at: Math.floor(Date.now() / 1000),
      changes: edits(unsaved, places.tree),
    });
  }
  const refs = [...(unsaved.length > 0 ? [names.files] : []), ...own.refs];
  const unreachable = changes.length - unsaved.length;
  return { refs, files: unsaved.length, commits: own.commits, unreachable };
}

/** A repository that git cannot read is kept as the files it consists of: an agent must not be able to stay by it. */
async function keepOwnCommits(
  hub: string,
  places: WorkspacePlaces,
  record: WorkspaceRecord,
  names: Record<"commits" | "repository", string>,
): Promise<{ refs: string[]; commits: number }> {
  try {
    const commits = await bringOwnCommits(hub, places, record, names.commits);
    return { refs: commits > 0 ? [names.commits] : [], commits };
  } catch (error) {
    if (!(error instanceof CupelError) || error.code !== "git_failed") throw error;
    await importCommit({
      gitDir: hub,
      ref: names.repository,
      message: messageFor(record, `the repository of ${record.id}, which git cannot read`),
      at: Math.floor(Date.now() / 1000),
      changes: rawFiles(join(places.tree, ".git")),
    });
    return { refs: [names.repository], commits: 0 };
  }
}

function* rawFiles(gitDir: string): Generator<FileChange> {
  for (const { path, kind } of walk(gitDir, () => false)) {
    if (kind === "file") {
      yield { kind: "write", path: storable(path), mode: "100644", content: readRegular(gitDir, path) };
    }
  }
}

/** What differs both from what the agent got and from what was taken back. */
export function unsavedChanges(places: WorkspacePlaces, record: WorkspaceRecord): Change[] {
  if (record.state === "creating") return [];
  const taken = new Map(Object.entries(record.taken?.paths ?? {}));
  return changesIn(places, record).filter(({ path, now }) => {
    const name = toText(path);
    if (name === CANARY_FILE || now?.kind === "other") return false;
    return !taken.has(name) || taken.get(name) !== describe(now);
  });
}

function salvageRefs({ id, createdAt }: WorkspaceRecord): Record<"files" | "commits" | "repository", string> {
  const when = createdAt.replaceAll(/[-:]|\.\d+/g, "");
  const name = (what: string) => salvageRef(id, `${when}-${what}`);
  return { files: name("files"), commits: name("commits"), repository: name("repository") };
}

function messageFor({ role, runId }: WorkspaceRecord, description: string): string {
  return renderCommitMessage({
    phase: "salvage",
    description,
    body: "",
    session: runId,
    node: role,
    costUsd: 0,
  });
}

function* edits(unsaved: Change[], tree: string): Generator<FileChange> {
  for (const change of unsaved) {
    const path = storable(change.path);
    if (change.now === undefined) yield { kind: "delete", path };
    else yield { kind: "write", path, mode: change.now.mode, content: contentOf(tree, change) };
  }
}

/** Git refuses its own name inside a tree; a repository that an agent made inside its work is kept all the same. */
function storable(path: BytePath): BytePath {
  const names = path.split("/");
  return asBytePath(names.map((name) => (isGitName(name) ? `salvaged-${name}` : name)).join("/"));
}
