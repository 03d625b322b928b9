// How Claude Code's CLI is set up: quiet, told nothing by files of the machine, with our tools only or, in a sandbox,
// with its own for files.
import { join } from "node:path";
import type { AgentTool, RuntimeRequest, ToolName } from "../port.ts";
import type { StartAgent } from "./agent-process.ts";
import type { ClaudeOptions, ClaudeSdk } from "./claude-code-sdk.ts";
import { SERVER, withoutDraft } from "./mcp-tools.ts";
import { modelName } from "./open-calls.ts";

export interface ClaudeCodeSetup {
  /** Starts the CLI, and ends it with everything it started. */
  start: StartAgent;
  /** All of the CLI's environment besides what is set here: its key and where it asks. */
  env: Readonly<Record<string, string>>;
  /** Its home, nobody else's; conversations are kept there, so that they can be gone on from later. */
  home: string;
  /** Set where `start` runs the CLI in a sandbox: its own file tools are then used instead of ours. */
  sandbox?: {
    /** The path under which the CLI sees a workspace. */
    inside(workspace: string): string;
  };
  /** The CLI to run instead of the one in the package. */
  executable?: string;
  load?: () => Promise<ClaudeSdk>;
}

/** Its own tools for ours; whatever is not here is ours also in a sandbox, and its shell is never offered. */
const NATIVE: Readonly<Partial<Record<ToolName, string>>> = {
  read: "Read",
  write: "Write",
  edit: "Edit",
  glob: "Glob",
  ls: "Glob",
  grep: "Grep",
};

const QUIET = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_AUTOUPDATER: "1",
  DISABLE_TELEMETRY: "1",
  DISABLE_ERROR_REPORTING: "1",
  CLAUDE_CODE_DISABLE_CLAUDE_MDS: "1",
  CLAUDE_CODE_DISABLE_AUTO_MEMORY: "1",
  CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1",
  CLAUDE_CODE_DISABLE_REFUSAL_RETRY: "1",
  CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK: "1",
  // Asking again is the caller's work; the CLI does it only where it would lose work that was paid for.
  CLAUDE_CODE_MAX_RETRIES: "4",
  MAX_STRUCTURED_OUTPUT_RETRIES: "2",
  ENABLE_TOOL_SEARCH: "false",
};

type Ours = "mcpServers" | "spawnClaudeCodeProcess";

export function claudeOptions(setup: ClaudeCodeSetup, request: RuntimeRequest): Omit<ClaudeOptions, Ours> {
  const native = nativeTools(setup, request);
  const { limits } = request;
  return {
    abortController: new AbortController(),
    model: modelName(request.model),
    systemPrompt: { type: "custom", prompt: request.system, snapshot: false },
    cwd: placeOf(setup, request).inside,
    env: {
      ...setup.env,
      ...QUIET,
      HOME: setup.home,
      CLAUDE_CONFIG_DIR: join(setup.home, ".claude"),
      CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(limits.maxOutputTokens),
      MCP_TOOL_TIMEOUT: String(limits.timeoutMs),
    },
    tools: native,
    allowedTools: [...native, ...ownTools(setup, request).map(({ name }) => `mcp__${SERVER}__${name}`)],
    permissionMode: "dontAsk",
    settingSources: [],
    strictMcpConfig: true,
    includePartialMessages: true,
    maxTurns: limits.maxTurns,
    outputFormat: { type: "json_schema", schema: withoutDraft(request.outputSchema) },
    ...(request.forkFrom === undefined ? {} : { resume: request.forkFrom, forkSession: true }),
    ...(setup.executable === undefined ? {} : { pathToClaudeCodeExecutable: setup.executable }),
  };
}

/** The tools that stay ours. */
export function ownTools(setup: ClaudeCodeSetup, request: RuntimeRequest): AgentTool[] {
  return request.tools.filter(({ name }) => !isNative(setup, request, name));
}

/** Without tools of its own the CLI needs no place to work; one that is always the same keeps conversations together. */
export function placeOf(
  { home, sandbox }: ClaudeCodeSetup,
  { workspace }: RuntimeRequest,
): { directory: string; inside: string } {
  const nowhere = join(home, "nowhere");
  if (sandbox === undefined || workspace === undefined) return { directory: nowhere, inside: nowhere };
  return { directory: workspace, inside: sandbox.inside(workspace) };
}

function nativeTools(setup: ClaudeCodeSetup, request: RuntimeRequest): string[] {
  const names = request.tools.flatMap(({ name }) =>
    isNative(setup, request, name) ? [NATIVE[name] ?? ""] : [],
  );
  return [...new Set(names)];
}

function isNative({ sandbox }: ClaudeCodeSetup, { workspace }: RuntimeRequest, name: ToolName): boolean {
  return sandbox !== undefined && workspace !== undefined && NATIVE[name] !== undefined;
}
