// Takes an agent's work out of its workspace: the harness commits it onto the hub's base, the agent never can.
import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { accessTo } from "../../domain/run/workspace-record.ts";
import type { WorkspaceRecord } from "../../domain/run/workspace-record.ts";
import { CANARY_FILE, canaryFilter } from "../blindness/canary.ts";
import type { CanaryFilter } from "../blindness/canary.ts";
import { branchRef } from "../git/branch-names.ts";
import { isGitName, isText, toText } from "../git/byte-path.ts";
import { importCommit } from "../git/fast-import.ts";
import { moveRefs, readRef } from "../git/refs.ts";
import { isOfTheFactory } from "../hub/factory-paths.ts";
import { changesIn, contentOf, describe } from "./changes.ts";
import type { Change } from "./changes.ts";
import type { Workspace } from "./create.ts";
import { editsSince, readEdits } from "./edits.ts";
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
  | { kind: "moved"; branch: string; expected: string; tip: string | undefined };

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
  const ref = branchRef(branch);
  const record = await settled(hub, places);
  const { mine, left } = sort(await changesIn(places, record), record);
  const problems = await problemsOf(mine, places.tree, record);
  if (problems.length > 0) return { kind: "refused", problems };

  // What another branch got is not on this one.
  const taken = record.taken?.branch === branch ? record.taken : null;
  const edits = editsSince(taken, mine, places);
  if (edits.length === 0) return { kind: "nothing", left };

  const parent = taken?.commit ?? record.base;
  const temporary = `${IMPORTS}${randomUUID()}`;
  const at = Math.floor(Date.now() / 1000);
  const changes = readEdits(edits);
  const commit = await importCommit({ gitDir: hub, ref: temporary, parent, message, at, changes });
  const paths = Object.fromEntries(mine.map((change) => [toText(change.path), describe(change.now)]));
  const pending = { branch, commit, paths };
  writeRecord(places.record, { ...record, pending });
  const moved = await moveBranch(hub, { ref, temporary, commit, parent, isNew: taken === null });
  writeRecord(places.record, moved.kind === "moved" ? { ...record, taken: pending } : record);
  if (moved.kind === "lost") return { kind: "moved", branch, expected: parent, tip: moved.found };
  return { kind: "taken", commit, paths: edits.map(({ path }) => toText(path)), left };
}

/** Where commits lie until a branch holds them. */
export const IMPORTS = "refs/cupel/import/";

/** After a crash the branch tells whether the work that was on its way has arrived. */
async function settled(hub: string, places: WorkspacePlaces): Promise<WorkspaceRecord> {
  const record = readRecord(places.record);
  const { pending } = record;
  if (pending === null) return record;
  const arrived = (await readRef(hub, branchRef(pending.branch))) === pending.commit;
  return { ...record, pending: null, taken: arrived ? pending : record.taken };
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

async function problemsOf(mine: Change[], tree: string, record: WorkspaceRecord): Promise<Leftover[]> {
  const filter = canaryFilter([record.canary]);
  const problems: Leftover[] = [];
  let bytes = 0;
  for (const change of mine) {
    const why = problemOf(change) ?? problemInside(change, tree, filter);
    if (why !== undefined) problems.push({ path: toText(change.path), why });
    bytes += change.now?.bytes ?? 0;
    if (bytes > MOST_BYTES) {
      return [{ path: toText(change.path), why: `with it the work is larger than ${MOST_BYTES} bytes` }];
    }
    await setImmediate();
  }
  return problems;
}

/** More than any module needs, and little enough to be read twice. */
const MOST_BYTES = 256 * 1024 * 1024;

function problemOf({ path, now }: Change): string | undefined {
  if (!isText(path)) return "its name is not UTF-8";
  const text = toText(path);
  if (text.split("/").some(isGitName)) return "a repository inside the work";
  if (isOfTheFactory(text)) return "a place that belongs to Cupel";
  switch (now?.kind) {
    case "link":
      return "a symbolic link, which could lead anywhere";
    case "other":
      return "neither a file nor a folder";
    case "unreachable":
      return "deeper than a path can be long";
    case "file":
    case undefined:
      return undefined;
  }
}

function problemInside(change: Change, tree: string, filter: CanaryFilter): string | undefined {
  const inName = filter.text(toText(change.path));
  const inside = change.now === undefined ? undefined : filter.bytes(contentOf(tree, change));
  if (inName.found.length > 0 || (inside?.found.length ?? 0) > 0)
    return `holds the text of ${CANARY_FILE}, which must not be copied`;
  return inside?.unread === undefined ? undefined : `cannot be searched for canaries: ${inside.unread}`;
}

interface Move {
  ref: string;
  /** Holds the commit until the branch does. */
  temporary: string;
  commit: string;
  parent: string;
  isNew: boolean;
}

type Moved = { kind: "moved" } | { kind: "lost"; found: string | undefined };

async function moveBranch(hub: string, { ref, temporary, commit, parent, isNew }: Move): Promise<Moved> {
  const tip = await readRef(hub, ref);
  const release = { ref: temporary, from: commit, to: undefined };
  const free = tip === parent || (isNew && tip === undefined);
  if (free && (await moveRefs(hub, [{ ref, from: tip, to: commit }, release]))) return { kind: "moved" };
  await moveRefs(hub, [release]);
  return { kind: "lost", found: await readRef(hub, ref) };
}
