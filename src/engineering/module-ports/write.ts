// Asks a role that writes: in a workspace of its own, through tools that see what is granted, and its work comes back as a
// commit that the harness made.
import { dirname, join } from "node:path";
import { z } from "zod";
import type { AgentTool } from "../../agents/port.ts";
import { fileTools } from "../../agents/tools/file-tools.ts";
import { buildTool, runTestsTool } from "../../agents/tools/workshop-tools.ts";
import type { Material, Situation } from "../../domain/artifact/material.ts";
import { grantFor } from "../../domain/artifact/role-access.ts";
import type { Role } from "../../domain/artifact/role.ts";
import { GitId } from "../../domain/run/workspace-record.ts";
import type { NodeContext } from "../../graph/port.ts";
import type { Work, Write, Written } from "../../protocols/port.ts";
import { FilesystemBackend } from "../../store/backends/filesystem.ts";
import { renderCommitMessage } from "../../workshop/git/commit-message.ts";
import { askOnce, callName, type OpenCall } from "../calls/ask-once.ts";
import {
  callWorkspace,
  closeWorkspace,
  openWorkspace,
  phaseOf,
  type TakenWork,
  takeWork,
  type WorkspacePlan,
} from "../calls/call-workspace.ts";
import { directProvisions } from "../provisions.ts";
import { officeTools, searched } from "./ask.ts";
import { type Desk, provisionsOf } from "./desk.ts";
import { raisedBy } from "./raise.ts";
import { type RunPlace, workshopRuns } from "./workshop-runs.ts";
import { type NoteAccess, workspaceView } from "./workspace-view.ts";

const Taken = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("taken"), commit: GitId }),
  z.strictObject({ kind: z.literal("nothing") }),
  z.strictObject({ kind: z.literal("refused"), problems: z.array(z.string()) }),
]) satisfies z.ZodType<Work>;

export async function write<Input extends z.ZodType, Output extends z.ZodType>(
  desk: Desk,
  context: NodeContext,
  request: Write<Input, Output>,
): Promise<Written<z.output<Output>>> {
  const { role, base, attempt, situation = {} } = request;
  const circumstances = { protocol: desk.subject.protocol, ...situation };
  const plan = workspacePlan(desk);
  const place = (pack: string) => callWorkspace(role.name, pack, base);
  const asked = await askOnce(desk.engineering, context, {
    ...request,
    situation,
    subject: desk.subject,
    besides: [
      ...OWN_FILES.filter((material) => isGranted(role.name, material, circumstances)),
      ...searched(role),
    ],
    async open(call) {
      const { tree } = (await openWorkspace(plan, place(call.ids.pack))).places;
      const folder = join(tree, "modules", desk.making.assignment.folder);
      const tools = await benchTools(desk, { folder, base }, call);
      return { tools: await officeTools(desk, context, request, call, tools), workspace: tree };
    },
    raised: (ids) => raisedBy(desk, ids),
  });
  const { pack } = asked.ids;
  const call = place(pack);
  const message = renderCommitMessage({
    phase: phaseOf(role.name),
    description: `${desk.making.assignment.module.name}: ${role.purpose}`,
    body: "",
    session: context.thread,
    node: context.node,
    costUsd: asked.spent.costUsd,
  });
  // Also what an agent wrote that then gave up is kept: somebody paid for it, and a person may want to look.
  const work = await context.once(`${callName(role.name, attempt)}:work`, Taken, async () =>
    workOf(await takeWork(plan, call, message)),
  );
  await closeWorkspace(plan, call);
  if (asked.kind === "stopped") return { kind: "stopped", stop: asked.stop };
  return { kind: "answered", output: asked.output, pack, session: asked.session, work };
}

/** The module's own folder, in which contract and evidence are the harness's. */
function workspacePlan(desk: Desk): WorkspacePlan {
  const { engineering, making, subject } = desk;
  const isWatched = making.protocol.gates.includes("blindness");
  return {
    engineering,
    home: `modules/${making.assignment.folder}/`,
    readOnly: ["contract.json", "ship.json"],
    dependencies: (base) => directProvisions(provisionsOf(desk), subject.dependencies, base),
    ...(isWatched ? { watchedBy: making.thread } : {}),
  };
}

/** What lies outside of the module is left where it is, and says nothing about it. */
function workOf(taken: TakenWork): Work {
  switch (taken.kind) {
    case "taken":
      return { kind: "taken", commit: taken.commit };
    case "nothing":
      return { kind: "nothing" };
    case "refused":
      return taken;
  }
}

/** Of whoever may see them: in a blind protocol a workspace holds a part of the module only. */
const OWN_FILES: readonly Material[] = ["workspace", "implementation_source"];

function isGranted(role: Role, material: Material, situation: Situation): boolean {
  return grantFor(role, material, situation).kind === "granted";
}

async function benchTools(desk: Desk, place: RunPlace, { pack }: OpenCall): Promise<AgentTool[]> {
  const { store, fence, now } = desk.engineering;
  const note: NoteAccess = (operation, path, granted, reason) =>
    store.packAudit.append(fence, [
      { packId: pack.context_pack_id, at: now().toISOString(), operation, path, granted, reason },
    ]);
  const placed = await directProvisions(provisionsOf(desk), desk.subject.dependencies, place.base);
  const modules = {
    own: desk.making.assignment.folder,
    dependencies: placed.map(({ name }) => name),
  };
  const runs = workshopRuns(desk, place, note);
  const files = workspaceView(new FilesystemBackend(dirname(place.folder)), modules, note);
  return [...fileTools(files), runTestsTool(runs), buildTool(runs)];
}
