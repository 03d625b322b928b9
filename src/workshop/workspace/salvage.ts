// Keeps what an agent wrote and nobody took back: before a workspace goes, it lies in the hub under a salvage ref.
import { join } from "node:path";
import { sha256Hex } from "../../domain/canonical.ts";
import { CupelError } from "../../domain/error.ts";
import type { WorkspaceRecord } from "../../domain/run/workspace-record.ts";
import { CANARY_FILE } from "../blindness/canary.ts";
import { salvageRef } from "../git/branch-names.ts";
import { asBytePath, isGitName, toText } from "../git/byte-path.ts";
import type { BytePath } from "../git/byte-path.ts";
import { renderCommitMessage } from "../git/commit-message.ts";
import { importCommit } from "../git/fast-import.ts";
import type { FileChange } from "../git/fast-import.ts";
import { changesIn } from "./changes.ts";
import { editsSince, readEdits } from "./edits.ts";
import type { Edit } from "./edits.ts";
import { bringOwnCommits } from "./own-commits.ts";
import type { Workshop, WorkspacePlaces } from "./places.ts";
import { readRegular, walk } from "./walk.ts";

export interface Salvaged {
  /** Refs of the hub; none when everything had been taken back. */
  refs: string[];
  files: number;
  commits: number;
  /** Paths that no program can open; they are all that is not kept. */
  unreachable: number;
}

export async function salvage(
  { hub }: Workshop,
  places: WorkspacePlaces,
  record: WorkspaceRecord,
): Promise<Salvaged> {
  // Before it was open, no agent can have been in it.
  if (record.state === "creating") return { refs: [], files: 0, commits: 0, unreachable: 0 };
  const { edits, unreachable } = await unsavedWork(places, record);
  const own = await keepOwnCommits(hub, places, record);
  const refs = [...own.refs];
  if (edits.length > 0) {
    const ref = refFor(record, "files");
    await importCommit({
      gitDir: hub,
      ref,
      parent: record.taken?.commit ?? record.base,
      message: messageFor(record, `${edits.length} changed files of ${record.id} that nobody took back`),
      at: Math.floor(Date.now() / 1000),
      changes: storableEdits(edits, markOf(record)),
    });
    refs.unshift(ref);
  }
  return { refs, files: edits.length, commits: own.commits, unreachable };
}

/** What differs both from what the agent got and from what was taken back. */
export async function unsavedWork(
  places: WorkspacePlaces,
  record: WorkspaceRecord,
  closed: "look" | "open" = "open",
): Promise<{ edits: Edit[]; unreachable: number }> {
  if (record.state === "creating") return { edits: [], unreachable: 0 };
  const changes = await changesIn(places, record, closed);
  const work = changes.filter(({ path, now }) => {
    const isThing = now?.kind === "other" || now?.kind === "unreachable";
    return !isThing && toText(path) !== CANARY_FILE;
  });
  const unreachable = changes.filter(({ now }) => now?.kind === "unreachable").length;
  return { edits: editsSince(record.taken, work, places), unreachable };
}

/** A repository that git cannot read is kept as the files it consists of: an agent must not be able to stay by it. */
async function keepOwnCommits(
  hub: string,
  places: WorkspacePlaces,
  record: WorkspaceRecord,
): Promise<{ refs: string[]; commits: number }> {
  const ref = refFor(record, "commits");
  try {
    const commits = await bringOwnCommits(hub, places, record, ref);
    return { refs: commits > 0 ? [ref] : [], commits };
  } catch (error) {
    if (error instanceof CupelError && error.code === "store_full") throw error;
    const raw = refFor(record, "repository");
    await importCommit({
      gitDir: hub,
      ref: raw,
      message: messageFor(record, `the repository of ${record.id}, which git cannot read`),
      at: Math.floor(Date.now() / 1000),
      changes: rawFiles(join(places.tree, ".git"), markOf(record)),
    });
    return { refs: [raw], commits: 0 };
  }
}

function* rawFiles(gitDir: string, mark: string): Generator<FileChange> {
  for (const { path, kind } of walk(gitDir, () => false)) {
    if (kind !== "file") continue;
    yield { kind: "write", path: storable(path, mark), mode: "100644", content: readRegular(gitDir, path) };
  }
}

async function* storableEdits(edits: readonly Edit[], mark: string): AsyncGenerator<FileChange> {
  for await (const edit of readEdits(edits)) yield { ...edit, path: storable(edit.path, mark) };
}

/** Git refuses its own name inside a tree; a repository that an agent made inside its work is kept all the same. */
function storable(path: BytePath, mark: string): BytePath {
  const names = path.split("/");
  return asBytePath(names.map((name) => (isGitName(name) ? `salvaged-${mark}-git` : name)).join("/"));
}

/** One for each workspace that ever was; the agent could not know it, so nothing of its is called so by chance. */
function markOf({ canary }: WorkspaceRecord): string {
  return sha256Hex(canary).slice(0, 12);
}

function refFor(record: WorkspaceRecord, what: "files" | "commits" | "repository"): string {
  const when = record.createdAt.replaceAll(/[-:]|\.\d+/g, "");
  return salvageRef(record.id, `${when}-${markOf(record)}-${what}`);
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
