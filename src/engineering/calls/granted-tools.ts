// Which tools a call gets: those that its role has and that the access table grants, closed after a request that stops it.
import type { AgentTool, RoleDefinition, ToolName } from "../../agents/port.ts";
import type { Situation, Tool } from "../../domain/artifact/material.ts";
import { toolsFor } from "../../domain/artifact/role-access.ts";

export const TOOL_PERMISSION: Readonly<Record<ToolName, Tool>> = {
  read: "read_file",
  ls: "read_file",
  glob: "read_file",
  grep: "read_file",
  write: "write_file",
  edit: "write_file",
  build: "build",
  run_tests: "run_tests",
  search_code_index: "search_code_index",
  raise_interface_change_exception: "raise_interface_change_exception",
  web_search: "web_search",
  validate_spec: "validate_spec",
  emit_structured_spec: "emit_structured_spec",
};

export function grantedTools(
  role: Pick<RoleDefinition, "name" | "tools">,
  situation: Situation,
  tools: readonly AgentTool[],
): AgentTool[] {
  const granted = toolsFor(role.name, situation);
  return tools.filter(({ name }) => role.tools.includes(name) && granted.includes(TOOL_PERMISSION[name]));
}

/** `raised` says which request has stopped the call, if one has; from then on no tool does anything. */
export function closedAfter(raised: () => string | undefined, tools: readonly AgentTool[]): AgentTool[] {
  return tools.map((tool) => ({
    ...tool,
    run: async (input, signal) => {
      const exception = raised();
      if (exception === undefined) return tool.run(input, signal);
      return `Nothing was done: you raised ${exception}, and the task halts until a person has decided. Answer now with a blocker that names ${exception}.`;
    },
  }));
}
