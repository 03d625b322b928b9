// Claude Code as a runtime: its CLI, started by us, watched, and gone when the call is over.
import { mkdir } from "node:fs/promises";
import type { Runtime, RuntimeAnswer, RuntimeRequest, TranscriptEntry } from "../port.ts";
import { type AgentProcess, describeEnd, endAgent, tail, withinMs } from "./agent-process.ts";
import { type ClaudeCodeSetup, claudeOptions, ownTools, placeOf } from "./claude-code-options.ts";
import { claudeProcess } from "./claude-code-process.ts";
import { claudeReader } from "./claude-code-reader.ts";
import type { ClaudeOptions, ClaudeSdk, ClaudeToolServer } from "./claude-code-sdk.ts";
import { mcpServer, offered, SERVER } from "./mcp-tools.ts";
import { type Bare, NOTHING_SPENT, openCalls, opening, UNKNOWN_SPENT } from "./open-calls.ts";
import { optionalPackage } from "./optional-package.ts";
import { keepVigil, type Vigil } from "./vigil.ts";

export type { ClaudeCodeSetup };

/** How long the CLI may take to write its conversation down and end. */
const FAREWELL_MS = 3000;

export function claudeCodeRuntime(setup: ClaudeCodeSetup): Runtime {
  const calls = openCalls();
  const load = optionalPackage("claude-code", "@anthropic-ai/claude-agent-sdk", setup.load);
  return {
    name: "claude-code",
    forks: "always",
    run: (request) =>
      calls.run(request, async (signal) => {
        const sdk = await load();
        if (sdk.kind === "failed") return { ...sdk, ...NOTHING_SPENT, transcript: opening(request) };
        await mkdir(placeOf(setup, request).directory, { recursive: true });
        return ask(setup, sdk.loaded, request, signal);
      }),
    close: () => calls.close(),
  };
}

async function ask(
  setup: ClaudeCodeSetup,
  sdk: ClaudeSdk,
  request: RuntimeRequest,
  signal: AbortSignal,
): Promise<RuntimeAnswer> {
  const transcript = opening(request);
  const vigil = keepVigil(request.limits.silenceMs, signal);
  const reader = claudeReader(request, transcript);
  const started: Started = { agent: undefined, said: () => "" };
  const options = {
    ...claudeOptions(setup, request),
    mcpServers: toolServers(setup, request, transcript, vigil, signal),
    spawnClaudeCodeProcess: starter(setup, request, started),
  };
  let farewell = 0;
  try {
    const messages = sdk.query({ prompt: request.prompt, options })[Symbol.asyncIterator]();
    for (;;) {
      const coming = messages.next();
      coming.catch(() => undefined);
      const next = await Promise.race([coming, vigil.over]);
      if (typeof next === "string")
        return { ...stopped(next, request, reader.session()), ...UNKNOWN_SPENT, transcript };
      if (next.done === true) return { ...(await gone(started)), ...UNKNOWN_SPENT, transcript };
      const heard = reader.read(next.value);
      if (heard.kind === "life") vigil.heard();
      if (heard.kind === "waits") vigil.excuse(heard.ms);
      if (heard.kind !== "ended") continue;
      farewell = heard.running ? 0 : FAREWELL_MS;
      return { ...heard.ending, ...heard.spent, transcript };
    }
  } catch (error) {
    return { ...(await gone(started, error)), ...UNKNOWN_SPENT, transcript };
  } finally {
    if (started.agent !== undefined) {
      if (farewell > 0) await Promise.race([withinMs(started.agent.ended, farewell), vigil.over]);
      await endAgent(started.agent);
    }
    vigil.close();
  }
}

interface Started {
  agent: AgentProcess | undefined;
  said: () => string;
}

function starter(
  setup: ClaudeCodeSetup,
  { workspace }: RuntimeRequest,
  started: Started,
): ClaudeOptions["spawnClaudeCodeProcess"] {
  return ({ command, args, cwd, env }) => {
    const variables = Object.entries(env).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    );
    const agent = setup.start(command, args, {
      cwd: cwd ?? setup.home,
      env: Object.fromEntries(variables),
      ...(workspace === undefined ? {} : { workspace }),
    });
    started.agent = agent;
    started.said = tail(agent.stderr);
    return claudeProcess(agent);
  };
}

function toolServers(
  setup: ClaudeCodeSetup,
  request: RuntimeRequest,
  transcript: TranscriptEntry[],
  vigil: Vigil,
  signal: AbortSignal,
): Record<string, ClaudeToolServer> {
  const ours = ownTools(setup, request);
  if (ours.length === 0) return {};
  const answer = mcpServer(offered(ours, transcript, signal, vigil));
  const server: ClaudeToolServer = {
    type: "sdk",
    name: SERVER,
    timeout: request.limits.timeoutMs,
    instance: {
      async connect(transport) {
        const reply = async (message: unknown): Promise<void> => {
          const answered = await answer(message);
          if (answered !== undefined) await transport.send(answered);
        };
        // A CLI that is gone takes no replies.
        Object.assign(transport, {
          onmessage: (message: unknown) => void reply(message).catch(() => undefined),
        });
        await transport.start();
      },
      close: () => Promise.resolve(),
    },
  };
  return { [SERVER]: server };
}

function stopped(
  why: "silent" | "aborted",
  { limits }: RuntimeRequest,
  session: string | undefined,
): Bare<RuntimeAnswer> {
  return why === "aborted" ? { kind: "aborted" } : { kind: "silent", afterMs: limits.silenceMs, session };
}

/** The CLI is gone without a result; its last words say more than the SDK does. */
async function gone({ agent, said }: Started, error?: unknown): Promise<Bare<RuntimeAnswer>> {
  const message = error instanceof Error ? error.message : "no result";
  const end =
    agent === undefined ? undefined : await withinMs(agent.ended, FAREWELL_MS).catch(() => undefined);
  const why = end === undefined ? message : describeEnd(end, said() || message);
  return { kind: "failed", why: `Claude Code ${why}` };
}
