// Keeps what an agent wrote and nobody took back: before a workspace goes, it lies in the hub under a salvage ref.
import type { WorkspaceRecord } from "../../domain/run/workspace-record.ts";
import { CANARY_FILE } from "../blindness/canary.ts";
import { asBytePath, isGitName, toText } from "../git/byte-path.ts";
import type { BytePath } from "../git/byte-path.ts";
import { importCommit } from "../git/fast-import.ts";
import type { FileChange } from "../git/fast-import.ts";
import { changesIn, contentOf, describe } from "./changes.ts";
import type { Change } from "./changes.ts";
import { bringOwnCommits } from "./own-commits.ts";
import type { Workshop, WorkspacePlaces } from "./places.ts";

export interface Salvaged {
  /** Refs of the hub; none when everything had been taken back. */
  refs: string[];
  files: number;
  commits: number;
}

export async function salvage(
  { hub }: Workshop,
  places: WorkspacePlaces,
  record: WorkspaceRecord,
): Promise<Salvaged> {
  // Before it was open, no agent can have been in it.
  if (record.state === "creating") return { refs: [], files: 0, commits: 0 };
  const unsaved = unsavedChanges(places, record);
  const names = salvageRefs(record);
  const commits = await bringOwnCommits(hub, places, record, names.commits);
  if (unsaved.length > 0) {
    await importCommit({
      gitDir: hub,
      ref: names.files,
      parent: record.taken?.commit ?? record.base,
      message: messageFor(record, unsaved),
      at: Math.floor(Date.now() / 1000),
      changes: edits(unsaved, places.tree),
    });
  }
  const refs = [...(unsaved.length > 0 ? [names.files] : []), ...(commits > 0 ? [names.commits] : [])];
  return { refs, files: unsaved.length, commits };
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

function salvageRefs({ id, createdAt }: WorkspaceRecord): { files: string; commits: string } {
  const when = createdAt.replaceAll(/[-:]|\.\d+/g, "");
  return { files: `refs/salvage/${id}/${when}/files`, commits: `refs/salvage/${id}/${when}/commits` };
}

function messageFor({ id, role, runId }: WorkspaceRecord, unsaved: Change[]): string {
  const subject = `salvage: ${unsaved.length} changed files of ${id} that nobody took back`;
  return `${subject}\n\nSession: ${runId}\nNode: ${role}\n`;
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
