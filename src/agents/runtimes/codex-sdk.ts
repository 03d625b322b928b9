// The part of @openai/codex-sdk that the runtime uses; a wire test holds it against the real package.

export interface CodexSdk {
  Codex: new (options: CodexOptions) => CodexAgent;
}

export interface CodexAgent {
  startThread(options: CodexThreadOptions): CodexThread;
}

export interface CodexThread {
  runStreamed(
    input: string,
    options: { outputSchema: unknown; signal: AbortSignal },
  ): Promise<{ events: AsyncIterable<CodexEvent> }>;
}

/** What is in an event is read as if nothing were known about it: it comes from a program and a model. */
export interface CodexEvent {
  type: string;
  thread_id?: unknown;
  item?: unknown;
  usage?: unknown;
  error?: unknown;
  message?: unknown;
}

export type CodexValue = string | number | boolean | CodexValue[] | { [key: string]: CodexValue };

export interface CodexOptions {
  /** Replaces the environment. */
  env: Record<string, string>;
  config: { [key: string]: CodexValue };
  codexPathOverride?: string;
}

export interface CodexThreadOptions {
  model: string;
  sandboxMode: "read-only";
  workingDirectory: string;
  skipGitRepoCheck: boolean;
  approvalPolicy: "never";
  webSearchMode: "disabled";
  networkAccessEnabled: boolean;
}
