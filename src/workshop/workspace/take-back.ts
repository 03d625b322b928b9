// Takes an agent's work out of its workspace: the harness commits it onto the hub's base, the agent never can.
import { randomUUID } from "node:crypto";
import { accessTo } from "../../domain/run/workspace-record.ts";
import type { WorkspaceRecord } from "../../domain/run/workspace-record.ts";
import { CANARY_FILE, canaryFilter } from "../blindness/canary.ts";
import { branchRef } from "../git/branch-names.ts";
import { isGitName, isText, toBytePath, toText } from "../git/byte-path.ts";
import { importCommit } from "../git/fast-import.ts";
import type { FileChange } from "../git/fast-import.ts";
import { git } from "../git/git.ts";
import { moveRef, readRef } from "../git/refs.ts";
import { readBaseline } from "./baseline.ts";
import { changesIn, contentOf, describe } from "./changes.ts";
import type { Change } from "./changes.ts";
import type { Workspace } from "./create.ts";
import type { Workshop, WorkspacePlaces } from "./places.ts";
import { readRecord, writeRecord } from "./record-file.ts";

export interface TakeBackRequest {
  /** A branch of the hub; made at the base when it is not there. */
  branch: string;
  /** The whole commit message. */
  message: string;
}

export type TakenBack =
  | { kind: "taken"; commit: string; paths: string[]; left: Leftover[] }
  | { kind: "nothing"; left: Leftover[] }
  /** Something in the agent's own files cannot be taken; nothing was. */
  | { kind: "refused"; problems: Leftover[] }
  /** The branch is no longer where this workspace's work would go on. */
  | { kind: "moved"; branch: string; expected: string; tip: string };

/** A changed path that stays where it is, and why. */
export interface Leftover {
  path: string;
  why: string;
}

export async function takeBack(
  { hub }: Workshop,
  { places }: Workspace,
  { branch, message }: TakeBackRequest,
): Promise<TakenBack> {
  const record = readRecord(places.record);
  const changes = changesIn(places, record);
  const { mine, left } = sort(changes, record);
  const problems = mine.flatMap((change) => problemOf(change, places.tree, record));
  if (problems.length > 0) return { kind: "refused", problems };

  const ref = branchRef(branch);
  const parent = record.taken?.branch === branch ? record.taken.commit : record.base;
  const edits = [...editsFor(mine, places, record)];
  if (edits.length === 0) return { kind: "nothing", left };

  const temporary = `refs/cupel/import/${randomUUID()}`;
  const at = Math.floor(Date.now() / 1000);
  const commit = await importCommit({ gitDir: hub, ref: temporary, parent, message, at, changes: edits });
  const isNew = record.taken?.branch !== branch;
  const moved = await moveBranch(hub, { ref, commit, parent, isNew });
  const same = moved === undefined || (moved !== "" && (await isSameWork(hub, moved, commit)));
  await moveRef(hub, temporary, commit, undefined);
  if (!same) return { kind: "moved", branch, expected: parent, tip: moved };

  const taken = moved ?? commit;
  const paths = Object.fromEntries(mine.map((change) => [toText(change.path), describe(change.now)]));
  writeRecord(places.record, { ...record, taken: { branch, commit: taken, paths } });
  return { kind: "taken", commit: taken, paths: edits.map((edit) => toText(edit.path)), left };
}

/** What the agent may write goes back; the rest is told, so that whoever judges the work can see it. */
function sort(changes: Change[], { grants }: WorkspaceRecord): { mine: Change[]; left: Leftover[] } {
  const mine: Change[] = [];
  const left: Leftover[] = [];
  for (const change of changes) {
    const path = toText(change.path);
    const access = path === CANARY_FILE ? "canary" : accessTo(grants, path);
    if (access === "write") mine.push(change);
    else left.push({ path, why: WHY_LEFT[access ?? "none"] });
  }
  return { mine, left };
}

const WHY_LEFT = {
  none: "not among the paths that were granted",
  read: "granted for reading only",
  canary: "the canary of the workspace was touched",
} as const;

function problemOf(change: Change, tree: string, record: WorkspaceRecord): Leftover[] {
  const path = toText(change.path);
  const problem = (why: string): Leftover[] => [{ path, why }];
  if (!isText(change.path)) return problem("its name is not UTF-8");
  if (path.split("/").some(isGitName)) return problem("a repository inside the work");
  if (change.now === undefined) return [];
  switch (change.now.kind) {
    case "link":
      return problem("a symbolic link, which could lead anywhere");
    case "other":
      return problem("neither a file nor a folder");
    case "unreachable":
      return problem("deeper than a path can be long");
    case "file":
      return canaryFilter([record.canary]).bytes(contentOf(tree, change)).found.length > 0
        ? problem(`holds the text of ${CANARY_FILE}, which must not be copied`)
        : [];
  }
}

/** Also what was taken before and is now as the base had it. */
function* editsFor(
  mine: Change[],
  { tree, baseline }: WorkspacePlaces,
  { taken }: WorkspaceRecord,
): Generator<FileChange> {
  const before = new Map(Object.entries(taken?.paths ?? {}));
  for (const change of mine) {
    const name = toText(change.path);
    const same = before.get(name) === describe(change.now) && before.has(name);
    before.delete(name);
    if (!same) yield editOf(change, tree);
  }
  if (before.size === 0) return;
  const { versions } = readBaseline(baseline);
  for (const name of before.keys()) {
    const path = toBytePath(name);
    const version = versions.get(path);
    yield version === undefined ? { kind: "delete", path } : { kind: "point", path, ...version };
  }
}

function editOf(change: Change, tree: string): FileChange {
  const { path, now } = change;
  if (now === undefined) return { kind: "delete", path };
  return { kind: "write", path, mode: now.mode, content: contentOf(tree, change) };
}

interface Move {
  ref: string;
  commit: string;
  parent: string;
  isNew: boolean;
}

/** The tip it has instead, when it is not where it was expected. */
async function moveBranch(hub: string, { ref, commit, parent, isNew }: Move): Promise<string | undefined> {
  const tip = await readRef(hub, ref);
  const free = tip === parent || (isNew && tip === undefined);
  if (!free) return tip ?? "";
  const moved = await moveRef(hub, ref, tip, commit);
  return moved.kind === "moved" ? undefined : (moved.found ?? "");
}

/** A crash between the branch and the record leaves the work done and unrecorded; doing it again must not refuse. */
async function isSameWork(hub: string, tip: string, commit: string): Promise<boolean> {
  const describeCommit = (id: string) => git(["rev-parse", `${id}^{tree}`, `${id}^@`], { gitDir: hub });
  const [one, other] = await Promise.all([describeCommit(tip), describeCommit(commit)]);
  return one === other;
}
