// The workspace of one call: exactly what is granted, found again after a crash, and gone when its work is safe.
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { staysInside } from "../../domain/artifact/context-pack.ts";
import type { Role } from "../../domain/artifact/role.ts";
import type { WorkspaceId } from "../../domain/run/workspace-record.ts";
import type { Work } from "../../protocols/port.ts";
import { isText, toText } from "../../workshop/git/byte-path.ts";
import { readTree, type TreeEntry } from "../../workshop/git/objects.ts";
import { listRefs, readBranch } from "../../workshop/git/refs.ts";
import { adoptWorkspace } from "../../workshop/workspace/adopt.ts";
import { createWorkspace, type Workspace } from "../../workshop/workspace/create.ts";
import { placesOf, type Workshop } from "../../workshop/workspace/places.ts";
import { removeWorkspace } from "../../workshop/workspace/remove.ts";
import { takeBack } from "../../workshop/workspace/take-back.ts";
import { restWorkspace, watchWorkspace } from "../../workshop/workspace/watched.ts";
import { openFiles } from "../dependency-view.ts";
import { dependencyFolders } from "../module-folder.ts";
import { shelfOf } from "../ship/shelf.ts";
import type { Desk } from "./desk.ts";

export interface CallWorkspace {
  id: WorkspaceId;
  /** Of the hub; no other call has it. */
  branch: string;
  role: Role;
  base: string;
}

export function callWorkspace(role: Role, pack: string, base: string): CallWorkspace {
  const hex = pack.slice("CP-".length);
  const kind = role === "tests" || role === "test_author" ? "tests" : "impl";
  return { id: `${role.replaceAll("_", "-")}-${hex}`, branch: `${kind}-${hex}`, role, base };
}

/** Of the call that goes on, with what its agent had written already; else a new one. */
export async function openWorkspace(desk: Desk, call: CallWorkspace): Promise<Workspace> {
  const workspace = await adoptedOrNew(desk, call);
  if (isWatched(desk)) watchWorkspace(workshopFor(desk), desk.making.thread, workspace);
  return workspace;
}

/** Where agents must not see each other, it is looked into in the end. */
function isWatched({ making }: Desk): boolean {
  return making.protocol.gates.includes("blindness");
}

async function adoptedOrNew(desk: Desk, { id, role, base }: CallWorkspace): Promise<Workspace> {
  const { engineering, making } = desk;
  const workshop = workshopFor(desk);
  const adopted = await adoptWorkspace(workshop, id);
  if (adopted !== undefined) return adopted;
  const places = placesOf(workshop.project, id);
  if (existsSync(places.directory)) await removeWorkspace(workshop, { places });
  const home = `modules/${making.assignment.folder}/`;
  return createWorkspace(workshop, engineering.sandbox, {
    id,
    runId: engineering.runId,
    role,
    base,
    grants: [
      { path: home, access: "write" },
      { path: `${home}contract.json`, access: "read" },
      { path: `${home}ship.json`, access: "read" },
    ],
    dependencies: await openDependencies(desk),
  });
}

async function openDependencies({
  engineering,
  subject,
}: Desk): Promise<Record<string, Record<string, string>>> {
  const { store } = engineering;
  const placed = dependencyFolders(await shelfOf({ store }), subject.dependencies);
  const entries = placed.map(async ({ ref, folder }) => [folder, await openFiles(store, ref)]);
  return Object.fromEntries(await Promise.all(entries));
}

export function ownFolder({ making }: Desk, { places }: Workspace): string {
  return join(places.tree, "modules", making.assignment.folder);
}

/** What an earlier try took back before it died is on the branch of the call, which nobody else moves. */
export async function takeWork(desk: Desk, call: CallWorkspace, message: string): Promise<Work> {
  const workshop = workshopFor(desk);
  const known = await adoptWorkspace(workshop, call.id);
  if (known === undefined) {
    const before = await taken(desk, call);
    if (before !== undefined) return before;
  }
  // Somebody cleaned up in between: what the agent wrote was salvaged, and goes on from there.
  const workspace = known ?? (await restored(desk, call));
  if (workspace === undefined) return { kind: "nothing" };
  const back = await takeBack(workshop, workspace, { branch: call.branch, message });
  switch (back.kind) {
    case "taken":
      return { kind: "taken", commit: back.commit };
    case "nothing":
      return (await taken(desk, call)) ?? { kind: "nothing" };
    case "refused":
      return { kind: "refused", problems: back.problems.map(({ path, why }) => `${path}: ${why}`) };
    case "moved":
      throw new Error(`the branch ${back.branch} of one call was moved by another`);
  }
}

async function restored(desk: Desk, call: CallWorkspace): Promise<Workspace | undefined> {
  const { gitDir } = desk.engineering.hub;
  const refs = await listRefs(gitDir, `refs/salvage/${call.id}/`);
  const files = refs.find(({ name }) => name.endsWith("-files"));
  if (files === undefined) return undefined;
  const workspace = await openWorkspace(desk, call);
  const home = `modules/${desk.making.assignment.folder}/`;
  rmSync(ownFolder(desk, workspace), { recursive: true, force: true });
  for await (const { path, content } of readTree(gitDir, files.commit, isPlainBelow(home))) {
    const target = join(workspace.places.tree, toText(path));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, content);
  }
  return workspace;
}

/** Links stay where they were salvaged. */
function isPlainBelow(home: string): (entry: TreeEntry) => boolean {
  return ({ path, mode }) => {
    const text = toText(path);
    return mode.startsWith("100") && isText(path) && staysInside(text) && text.startsWith(home);
  };
}

async function taken({ engineering }: Desk, { branch }: CallWorkspace): Promise<Work | undefined> {
  const commit = await readBranch(engineering.hub.gitDir, branch);
  return commit === undefined ? undefined : { kind: "taken", commit };
}

/** Whatever was not taken back is salvaged before it goes. */
export async function closeWorkspace(desk: Desk, { id }: CallWorkspace): Promise<void> {
  const workshop = workshopFor(desk);
  const places = placesOf(workshop.project, id);
  if ((await adoptWorkspace(workshop, id)) === undefined) return;
  if (isWatched(desk)) await restWorkspace(workshop, desk.making.thread, { places });
  else await removeWorkspace(workshop, { places });
}

function workshopFor({ engineering }: Desk): Workshop {
  const { project, gitDir } = engineering.hub;
  return { project, hub: gitDir };
}
