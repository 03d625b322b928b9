// Any agent of the Agent Client Protocol as a runtime: its answer is what it hands to the tool `submit`.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Runtime, RuntimeAnswer, RuntimeRequest } from "../port.ts";
import { acpReader } from "./acp-reader.ts";
import type { AcpSdk } from "./acp-sdk.ts";
import { type AcpCall, askAcp, SUBMIT } from "./acp-talk.ts";
import { endAgent, type StartAgent, tail } from "./agent-process.ts";
import { openToolSocket, type RelayPlace } from "./mcp-socket.ts";
import { type McpTool, offered, withoutDraft } from "./mcp-tools.ts";
import { NOTHING_SPENT, openCalls, opening } from "./open-calls.ts";
import { optionalPackage } from "./optional-package.ts";
import { keepVigil } from "./vigil.ts";

export interface AcpSetup {
  command: string;
  args: readonly string[];
  /** Starts the agent, and ends it with everything it started; agents have tools of their own, so in a sandbox. */
  start: StartAgent;
  /** All of the agent's environment. */
  env: Readonly<Record<string, string>>;
  /** Where an agent works that was given no workspace. */
  home: string;
  /** The path under which the agent sees a directory of ours. */
  inside?(directory: string): string;
  relay: RelayPlace;
  load?: () => Promise<AcpSdk>;
}

export function acpRuntime(setup: AcpSetup): Runtime {
  const calls = openCalls();
  const load = optionalPackage("acp", "@agentclientprotocol/sdk", setup.load);
  return {
    name: "acp",
    // The protocol goes on in a conversation, but knows no copies of one.
    forks: "never",
    run: (request) =>
      calls.run(request, async (signal) => {
        const sdk = await load();
        if (sdk.kind === "failed") return { ...sdk, ...NOTHING_SPENT, transcript: opening(request) };
        return call(setup, sdk.loaded, request, signal);
      }),
    close: () => calls.close(),
  };
}

async function call(
  setup: AcpSetup,
  sdk: AcpSdk,
  request: RuntimeRequest,
  signal: AbortSignal,
): Promise<RuntimeAnswer> {
  const { workspace } = request;
  const transcript = opening(request);
  const cwd = workspace ?? join(setup.home, "nowhere");
  await mkdir(cwd, { recursive: true });
  const vigil = keepVigil(request.limits.silenceMs, signal);
  const submitted: AcpCall["submitted"] = [];
  const tools = [...offered(request.tools, transcript, signal, vigil), submitTool(request, submitted)];
  const socket = await openToolSocket(setup.relay, tools);
  try {
    const agent = setup.start(setup.command, setup.args, {
      cwd,
      env: setup.env,
      ...(workspace === undefined ? {} : { workspace }),
    });
    const reader = acpReader(transcript);
    const lastWords = tail(agent.stderr);
    const inside = setup.inside?.(cwd) ?? cwd;
    try {
      const ending = await askAcp(
        { request, vigil, reader, socket, agent, lastWords, submitted, inside },
        sdk,
      );
      return { ...ending, ...reader.spent(), transcript };
    } finally {
      await endAgent(agent);
    }
  } finally {
    vigil.close();
    await socket.close();
  }
}

function submitTool({ outputSchema }: RuntimeRequest, submitted: unknown[]): McpTool {
  return {
    name: SUBMIT,
    description: "Takes your answer. Call it once, when you are done, then end your turn.",
    inputSchema: withoutDraft(outputSchema),
    run: async (output) => {
      // The last one counts; the others need not be kept.
      submitted.splice(0, submitted.length, output);
      return { text: "Your answer was taken. End your turn now.", failed: false };
    },
  };
}
