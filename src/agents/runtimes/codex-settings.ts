// How Codex's CLI is set up so that it asks one provider only, offers no tool but ours and tells nobody about it.
import type { RuntimeRequest } from "../port.ts";
import type { CodexValue } from "./codex-sdk.ts";
import { SERVER } from "./mcp-tools.ts";
import type { ToolSocket } from "./mcp-socket.ts";

export interface CodexProvider {
  /** Of the Responses API, with its version: `https://…/v1`. */
  baseUrl: string;
  /** Which variable of the environment holds the key. */
  keyName: string;
}

const PROVIDER = "cupel";

/** Everything by which it would act, look or speak on its own. Its shell reads outside of any workspace. */
const OFF = [
  "apps",
  "browser_use",
  "computer_use",
  "goals",
  "hooks",
  "image_generation",
  "memories",
  "multi_agent",
  "plugins",
  "shell_tool",
  "tool_search",
  "unified_exec",
  "view_image",
];

export function codexSettings(
  { limits, tools }: RuntimeRequest,
  provider: CodexProvider,
  instructions: string,
  socket: ToolSocket | undefined,
): { [key: string]: CodexValue } {
  return {
    model_provider: PROVIDER,
    model_providers: {
      [PROVIDER]: {
        name: PROVIDER,
        base_url: provider.baseUrl,
        env_key: provider.keyName,
        wire_api: "responses",
        supports_websockets: false,
        // Asking again is the caller's work.
        request_max_retries: 0,
        stream_max_retries: 0,
        stream_idle_timeout_ms: limits.silenceMs,
      },
    },
    model_instructions_file: instructions,
    features: Object.fromEntries(OFF.map((name) => [name, false])),
    analytics: { enabled: false },
    check_for_update_on_startup: false,
    history: { persistence: "none" },
    include_environment_context: false,
    include_permissions_instructions: false,
    project_doc_max_bytes: 0,
    skills: { include_instructions: false, bundled: { enabled: false } },
    tools: { web_search: false },
    ...(socket === undefined ? {} : { mcp_servers: { [SERVER]: serverOf(socket, limits.timeoutMs, tools) } }),
  };
}

/** The token goes through the environment: a command line can be read by everybody on the machine. */
function serverOf(socket: ToolSocket, timeoutMs: number, tools: RuntimeRequest["tools"]): CodexValue {
  return {
    command: socket.command,
    args: socket.args,
    env_vars: Object.keys(socket.env),
    required: true,
    startup_timeout_sec: 30,
    tool_timeout_sec: Math.ceil(timeoutMs / 1000),
    enabled_tools: tools.map(({ name }) => name),
    default_tools_approval_mode: "approve",
  };
}
