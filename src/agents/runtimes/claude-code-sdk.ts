// The part of @anthropic-ai/claude-agent-sdk that the runtime uses; a wire test holds it against the real package.
import type { Readable, Writable } from "node:stream";

export interface ClaudeSdk {
  query(call: { prompt: string; options: ClaudeOptions }): AsyncIterable<ClaudeMessage>;
}

/** What is in a message is read as if nothing were known about it: it comes from a program and a model. */
export interface ClaudeMessage {
  type: string;
  subtype?: unknown;
  session_id?: unknown;
  event?: unknown;
  message?: unknown;
}

export interface ClaudeOptions {
  abortController: AbortController;
  model: string;
  /** Without a snapshot a fork is told its own system prompt instead of its parent's. */
  systemPrompt: { type: "custom"; prompt: string; snapshot: false };
  cwd: string;
  /** Replaces the environment. */
  env: Record<string, string>;
  tools: string[];
  allowedTools: string[];
  permissionMode: "dontAsk";
  settingSources: [];
  strictMcpConfig: true;
  includePartialMessages: true;
  maxTurns: number;
  outputFormat: { type: "json_schema"; schema: Record<string, unknown> };
  mcpServers: Record<string, ClaudeToolServer>;
  spawnClaudeCodeProcess(options: ClaudeSpawn): ClaudeProcess;
  resume?: string;
  forkSession?: boolean;
  pathToClaudeCodeExecutable?: string;
}

/** Of a server inside this process the SDK uses nothing but `connect`. */
export interface ClaudeToolServer {
  type: "sdk";
  name: string;
  timeout: number;
  instance: { connect(transport: ClaudeTransport): Promise<void>; close(): Promise<void> };
}

/** What the CLI says comes through a property `onmessage`, which the server sets. */
export interface ClaudeTransport {
  start(): Promise<void>;
  send(message: object): Promise<void>;
}

export interface ClaudeSpawn {
  command: string;
  args: string[];
  cwd?: string;
  env: Record<string, string | undefined>;
}

export interface ClaudeProcess {
  stdin: Writable;
  stdout: Readable;
  readonly killed: boolean;
  readonly exitCode: number | null;
  kill(signal: NodeJS.Signals): boolean;
  on(event: "exit", listener: (code: number | null, signal: NodeJS.Signals | null) => void): void;
  on(event: "error", listener: (error: Error) => void): void;
  once(event: "exit", listener: (code: number | null, signal: NodeJS.Signals | null) => void): void;
  once(event: "error", listener: (error: Error) => void): void;
  off(event: "exit", listener: (code: number | null, signal: NodeJS.Signals | null) => void): void;
  off(event: "error", listener: (error: Error) => void): void;
}
