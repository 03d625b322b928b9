// Asks a role that writes: in a workspace of its own, through tools that see what is granted, and its work comes back as a
// commit that the harness made.
import { dirname } from "node:path";
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
import { dependencyFolders } from "../module-folder.ts";
import { shelfOf } from "../ship/shelf.ts";
import { officeTools, searched } from "./ask.ts";
import type { Desk } from "./desk.ts";
import { raisedBy } from "./raise.ts";
import { callWorkspace, closeWorkspace, openWorkspace, ownFolder, takeWork } from "./workspace-of-call.ts";
import { workshopRuns } from "./workshop-runs.ts";
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
      const workspace = await openWorkspace(desk, place(call.ids.pack));
      const own = ownFolder(desk, workspace);
      const tools = await benchTools(desk, own, call);
      return {
        tools: await officeTools(desk, context, request, call, tools),
        workspace: workspace.places.tree,
      };
    },
    raised: (ids) => raisedBy(desk, ids),
  });
  const { pack } = asked.ids;
  const call = place(pack);
  const message = renderCommitMessage({
    phase: role.name === "tests" || role.name === "test_author" ? "tests" : "impl",
    description: `${desk.making.assignment.module.name}: ${role.purpose}`,
    body: "",
    session: context.thread,
    node: context.node,
    costUsd: asked.spent.costUsd,
  });
  // Also what an agent wrote that then gave up is kept: somebody paid for it, and a person may want to look.
  const work = await context.once(`${callName(role.name, attempt)}:work`, Taken, () =>
    takeWork(desk, call, message),
  );
  await closeWorkspace(desk, call);
  if (asked.kind === "stopped") return { kind: "stopped", stop: asked.stop };
  return { kind: "answered", output: asked.output, pack, work };
}

/** Of whoever may see them: in a blind protocol a workspace holds a part of the module only. */
const OWN_FILES: readonly Material[] = ["workspace", "implementation_source"];

function isGranted(role: Role, material: Material, situation: Situation): boolean {
  return grantFor(role, material, situation).kind === "granted";
}

async function benchTools(desk: Desk, own: string, { pack }: OpenCall): Promise<AgentTool[]> {
  const { store, fence, now } = desk.engineering;
  const note: NoteAccess = (operation, path, granted, reason) =>
    store.packAudit.append(fence, [
      { packId: pack.context_pack_id, at: now().toISOString(), operation, path, granted, reason },
    ]);
  const placed = dependencyFolders(await shelfOf({ store }), desk.subject.dependencies);
  const modules = {
    own: desk.making.assignment.folder,
    dependencies: placed.map(({ folder }) => folder),
  };
  const runs = workshopRuns(desk, own, note);
  const files = workspaceView(new FilesystemBackend(dirname(own)), modules, note);
  return [...fileTools(files), runTestsTool(runs), buildTool(runs)];
}
