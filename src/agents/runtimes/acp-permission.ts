// What an agent of the Agent Client Protocol may do when it asks: use our tools, and nothing else.
import { SERVER } from "./mcp-tools.ts";
import { listOf, recordOf, textOf } from "./untyped.ts";

export interface PermissionAnswer {
  outcome: { outcome: "cancelled" } | { outcome: "selected"; optionId: string };
}

/** Kinds that no tool of ours is: an agent that asks so asks for something of its own. */
const NEVER = ["execute", "delete", "move", "switch_mode"];

/**
 * The agent says itself what it asks for, so this keeps order and is no barrier: the barrier is the sandbox. Allowed is
 * allowed once, so that every use is asked for.
 */
export function permissionFor(params: unknown, tools: readonly string[]): PermissionAnswer {
  const asked = recordOf(params);
  const call = recordOf(asked["toolCall"]);
  const named = textOf(call["name"]) || textOf(call["title"]);
  const ours = tools.some((tool) => namesOf(tool).includes(named.trim()));
  const wanted = ours && !NEVER.includes(textOf(call["kind"])) ? "allow_once" : "reject_once";
  const option = listOf(asked["options"])
    .map(recordOf)
    .find(({ kind }) => kind === wanted);
  if (option === undefined || typeof option["optionId"] !== "string")
    return { outcome: { outcome: "cancelled" } };
  return { outcome: { outcome: "selected", optionId: option["optionId"] } };
}

/** How agents spell the tool of a server; the bare name could be a tool of their own. */
function namesOf(tool: string): string[] {
  return [
    `mcp__${SERVER}__${tool}`,
    `${SERVER}__${tool}`,
    `${SERVER}/${tool}`,
    `${SERVER}.${tool}`,
    `${SERVER}:${tool}`,
  ];
}
