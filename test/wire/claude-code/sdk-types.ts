// Holds the types that the runtimes declare by hand against those of the real packages; the compiler is the test.
import type * as acp from "@agentclientprotocol/sdk";
import type * as claude from "@anthropic-ai/claude-agent-sdk";
import type * as codex from "@openai/codex-sdk";
import type { AcpClient, AcpConnection, AcpSdk } from "../../../src/agents/runtimes/acp-sdk.ts";
import type {
  ClaudeMessage,
  ClaudeOptions,
  ClaudeProcess,
  ClaudeSpawn,
  ClaudeTransport,
} from "../../../src/agents/runtimes/claude-code-sdk.ts";
import type {
  CodexEvent,
  CodexOptions,
  CodexSdk,
  CodexThreadOptions,
} from "../../../src/agents/runtimes/codex-sdk.ts";

type Claude = typeof claude;
type ClaudeCall = Parameters<Claude["query"]>[0];
type RealClaudeOptions = NonNullable<ClaudeCall["options"]>;
type RealServer = NonNullable<RealClaudeOptions["mcpServers"]>[string];
type RealInstance = Extract<RealServer, { instance: unknown }>["instance"];
type Codex = typeof codex;
type RealCodexOptions = NonNullable<ConstructorParameters<Codex["Codex"]>[0]>;
type Acp = typeof acp;

/** Each line says: the first can be used where the second is wanted. */
export type Checked = [
  // A tool server of ours is a plain object where the package names a class, of which it uses `connect` alone.
  Fits<Omit<ClaudeOptions, "mcpServers">, RealClaudeOptions>,
  Fits<Parameters<RealInstance["connect"]>[0], Omit<ClaudeTransport, "send"> & { onmessage?: unknown }>,
  Fits<Awaited<ReturnType<ReturnType<Claude["query"]>["next"]>>["value"], ClaudeMessage | void>,
  Fits<Parameters<NonNullable<RealClaudeOptions["spawnClaudeCodeProcess"]>>[0], ClaudeSpawn>,
  Fits<ClaudeProcess, ReturnType<NonNullable<RealClaudeOptions["spawnClaudeCodeProcess"]>>>,
  Fits<Codex, CodexSdk>,
  Fits<CodexOptions, RealCodexOptions>,
  Fits<CodexThreadOptions, NonNullable<Parameters<InstanceType<Codex["Codex"]>["startThread"]>[0]>>,
  Fits<codex.ThreadEvent, CodexEvent>,
  Fits<ReturnType<Acp["client"]>, Pick<AcpClient<never>, "onRequest" | "onNotification" | "connect">>,
  Fits<ReturnType<ReturnType<Acp["client"]>["connect"]>, AcpConnection>,
  Fits<Pick<Acp, "ndJsonStream">, Pick<AcpSdk, "ndJsonStream">>,
];

type Fits<Given extends Wanted, Wanted> = [Given, Wanted];
