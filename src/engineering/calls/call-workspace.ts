// The workspace of one call: exactly what is granted, found again after a crash, and gone when its work is safe.
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { staysInside } from "../../domain/artifact/context-pack.ts";
import type { Role } from "../../domain/artifact/role.ts";
import type { PathGrant, WorkspaceId } from "../../domain/run/workspace-record.ts";
import { isText, toText } from "../../workshop/git/byte-path.ts";
import { readTree, type TreeEntry } from "../../workshop/git/objects.ts";
import { listRefs, readBranch } from "../../workshop/git/refs.ts";
import { adoptWorkspace } from "../../workshop/workspace/adopt.ts";
import { createWorkspace, type Workspace } from "../../workshop/workspace/create.ts";
import { placesOf, type Workshop } from "../../workshop/workspace/places.ts";
import { removeWorkspace } from "../../workshop/workspace/remove.ts";
import { takeBack } from "../../workshop/workspace/take-back.ts";
import { restWorkspace, watchWorkspace } from "../../workshop/workspace/watched.ts";
import type { EngineeringPorts } from "../port.ts";
import type { Provision } from "../provisions.ts";

/** What a workspace is made of, besides the call that it is for. */
export interface WorkspacePlan {
  engineering: Pick<EngineeringPorts, "hub" | "sandbox" | "runId" | "store">;
  /** The folder that the agent writes in, with a slash at its end. */
  home: string;
  /** Files of it that the agent may only read. */
  readOnly: readonly string[];
  /** What the work on a commit uses, by the names that it imports. */
  dependencies: (base: string) => Promise<readonly Pick<Provision, "name" | "open">[]>;
  /** The thread whose agents must not see each other, where it is looked into in the end. */
  watchedBy?: string;
}

export interface CallWorkspace {
  id: WorkspaceId;
  /** Of the hub; no other call has it. */
  branch: string;
  role: Role;
  base: string;
}

export type TakenWork =
  /** `left` is what was changed and stays where it is, with the reason. */
  | { kind: "taken"; commit: string; left: string[] }
  | { kind: "nothing"; left: string[] }
  | { kind: "refused"; problems: string[] };

export function callWorkspace(role: Role, pack: string, base: string): CallWorkspace {
  const hex = pack.slice("CP-".length);
  return { id: `${role.replaceAll("_", "-")}-${hex}`, branch: `${phaseOf(role)}-${hex}`, role, base };
}

const WRITE_TESTS: readonly Role[] = ["tests", "test_author", "tester"];

export function phaseOf(role: Role): "tests" | "impl" {
  return WRITE_TESTS.includes(role) ? "tests" : "impl";
}

/** Of the call that goes on, with what its agent had written already; else a new one. */
export async function openWorkspace(plan: WorkspacePlan, call: CallWorkspace): Promise<Workspace> {
  const workspace = await adoptedOrNew(plan, call);
  if (plan.watchedBy !== undefined) watchWorkspace(workshopFor(plan), plan.watchedBy, workspace);
  return workspace;
}

async function adoptedOrNew(plan: WorkspacePlan, { id, role, base }: CallWorkspace): Promise<Workspace> {
  const { engineering, home } = plan;
  const workshop = workshopFor(plan);
  const adopted = await adoptWorkspace(workshop, id);
  if (adopted !== undefined) return adopted;
  const places = placesOf(workshop.project, id);
  if (existsSync(places.directory)) await removeWorkspace(workshop, { places });
  const grants: PathGrant[] = [
    { path: home, access: "write" },
    ...plan.readOnly.map((path): PathGrant => ({ path: `${home}${path}`, access: "read" })),
  ];
  return createWorkspace(workshop, engineering.sandbox, {
    id,
    runId: engineering.runId,
    role,
    base,
    grants,
    dependencies: await openDependencies(plan, base),
  });
}

async function openDependencies(
  { dependencies }: WorkspacePlan,
  base: string,
): Promise<Record<string, Record<string, string>>> {
  const entries = (await dependencies(base)).map(async ({ name, open }) => [name, await open()]);
  return Object.fromEntries(await Promise.all(entries));
}

/** What an earlier try took back before it died is on the branch of the call, which nobody else moves. */
export async function takeWork(
  plan: WorkspacePlan,
  call: CallWorkspace,
  message: string,
): Promise<TakenWork> {
  const workshop = workshopFor(plan);
  const known = await adoptWorkspace(workshop, call.id);
  if (known === undefined) {
    const before = await taken(plan, call);
    if (before !== undefined) return { ...before, left: [] };
  }
  // Somebody cleaned up in between: what the agent wrote was salvaged, and goes on from there.
  const workspace = known ?? (await restored(plan, call));
  if (workspace === undefined) return { kind: "nothing", left: [] };
  const back = await takeBack(workshop, workspace, { branch: call.branch, message });
  switch (back.kind) {
    case "taken":
      return { kind: "taken", commit: back.commit, left: told(back.left) };
    case "nothing":
      return { ...((await taken(plan, call)) ?? { kind: "nothing" }), left: told(back.left) };
    case "refused":
      return { kind: "refused", problems: told(back.problems) };
    case "moved":
      throw new Error(`the branch ${back.branch} of one call was moved by another`);
  }
}

function told(places: readonly { path: string; why: string }[]): string[] {
  return places.map(({ path, why }) => `${path}: ${why}`);
}

async function restored(plan: WorkspacePlan, call: CallWorkspace): Promise<Workspace | undefined> {
  const { gitDir } = plan.engineering.hub;
  const refs = await listRefs(gitDir, `refs/salvage/${call.id}/`);
  const files = refs.find(({ name }) => name.endsWith("-files"));
  if (files === undefined) return undefined;
  const workspace = await openWorkspace(plan, call);
  rmSync(join(workspace.places.tree, plan.home), { recursive: true, force: true });
  for await (const { path, content } of readTree(gitDir, files.commit, isPlainBelow(plan.home))) {
    const target = join(workspace.places.tree, toText(path));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, content);
  }
  return workspace;
}

/** Links stay where they were salvaged. */
export function isPlainBelow(home: string): (entry: TreeEntry) => boolean {
  return ({ path, mode }) => {
    const text = toText(path);
    return mode.startsWith("100") && isText(path) && staysInside(text) && text.startsWith(home);
  };
}

async function taken(
  { engineering }: WorkspacePlan,
  { branch }: CallWorkspace,
): Promise<{ kind: "taken"; commit: string } | undefined> {
  const commit = await readBranch(engineering.hub.gitDir, branch);
  return commit === undefined ? undefined : { kind: "taken", commit };
}

/** Whatever was not taken back is salvaged before it goes. */
export async function closeWorkspace(plan: WorkspacePlan, { id }: CallWorkspace): Promise<void> {
  const workshop = workshopFor(plan);
  const places = placesOf(workshop.project, id);
  if ((await adoptWorkspace(workshop, id)) === undefined) return;
  if (plan.watchedBy === undefined) await removeWorkspace(workshop, { places });
  else await restWorkspace(workshop, plan.watchedBy, { places });
}

function workshopFor({ engineering }: WorkspacePlan): Workshop {
  const { project, gitDir } = engineering.hub;
  return { project, hub: gitDir };
}
