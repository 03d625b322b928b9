// Asks a role that touches no file.
import type { z } from "zod";
import { searchCodeIndexTool } from "../../agents/tools/code-index-tool.ts";
import { interfaceChangeTool } from "../../agents/tools/interface-change-tool.ts";
import type { AgentTool, RoleDefinition } from "../../agents/port.ts";
import type { Material, Situation } from "../../domain/artifact/material.ts";
import type { NodeContext } from "../../graph/port.ts";
import type { Answer, Ask } from "../../protocols/port.ts";
import { askOnce, type CallIds, callName, type OpenCall } from "../calls/ask-once.ts";
import { closedAfter, grantedTools } from "../calls/granted-tools.ts";
import type { Desk } from "./desk.ts";
import { raiserFor, raisedBy } from "./raise.ts";

export async function ask<Input extends z.ZodType, Output extends z.ZodType>(
  desk: Desk,
  context: NodeContext,
  request: Ask<Input, Output>,
): Promise<Answer<z.output<Output>>> {
  const { role, situation = {} } = request;
  const asked = await askOnce(desk.engineering, context, {
    ...request,
    situation,
    subject: desk.subject,
    besides: searched(role),
    open: async (call) => ({ tools: await officeTools(desk, context, request, call) }),
    raised: (ids: CallIds) => raisedBy(desk, ids),
  });
  if (asked.kind === "stopped") return { kind: "stopped", stop: asked.stop };
  const { output, session } = asked;
  return { kind: "answered", output, pack: asked.ids.pack, session };
}

/** What a search shows is shown, too. */
export function searched({ tools }: Pick<RoleDefinition, "tools">): Material[] {
  return tools.includes("search_code_index") ? ["code_index_results"] : [];
}

export interface ToolUser {
  role: Pick<RoleDefinition, "name" | "tools">;
  attempt: number;
  situation?: Situation;
}

/** What needs no workspace, with `others` beside it; whatever the call raises closes all of them. */
export async function officeTools(
  desk: Desk,
  context: NodeContext,
  { role, attempt, situation = {} }: ToolUser,
  call: OpenCall,
  others: readonly AgentTool[] = [],
): Promise<AgentTool[]> {
  const { index } = desk.engineering;
  const { raise, raised } = await raiserFor(desk, context, {
    name: callName(role.name, attempt),
    role: role.name,
    call,
  });
  const tools = [
    ...others,
    searchCodeIndexTool((query, signal) => index.search(query, signal)),
    interfaceChangeTool(raise),
  ];
  const allowed = grantedTools(role, { protocol: desk.subject.protocol, ...situation }, tools);
  return closedAfter(raised, allowed);
}
