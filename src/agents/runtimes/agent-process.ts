// What a runtime knows of the program that is its agent: the factory starts it, in a sandbox where there is one.
import type { Readable, Writable } from "node:stream";

export type AgentEnd =
  | { kind: "exited"; code: number }
  | { kind: "killed"; signal: string }
  | { kind: "timed-out" | "cancelled" | "not-found" };

export interface AgentProcess {
  stdin: Writable;
  stdout: Readable;
  stderr: Readable;
  /** When it and everything it started is gone. */
  ended: Promise<AgentEnd>;
  /** Ends it and everything it started. */
  kill(): void;
}

export interface StartAgentOptions {
  cwd: string;
  /** Replaces the environment; nothing is inherited. */
  env: Readonly<Record<string, string>>;
  /** What a sandbox lets it see, where the call has one. */
  workspace?: string;
}

export type StartAgent = (
  command: string,
  args: readonly string[],
  options: StartAgentOptions,
) => AgentProcess;

/** Where a killed agent could not be seen to end in this time, whoever waits for it goes on. */
const END_MS = 800;

/** Ends it and waits until it is gone, but not for ever. */
export async function endAgent(agent: AgentProcess): Promise<void> {
  agent.kill();
  await withinMs(agent.ended, END_MS).catch(() => undefined);
}

/** Undefined when it takes longer. */
export async function withinMs<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The last of what a stream said, for messages about why an agent is gone. */
export function tail(stream: Readable, characters = 2000): () => string {
  let kept = "";
  stream.setEncoding("utf8");
  stream.on("data", (text: string) => {
    kept = (kept + text).slice(-characters);
  });
  stream.on("error", () => undefined);
  return () => kept.trim();
}

export function describeEnd(end: AgentEnd, said: string): string {
  const how = {
    exited: () => `ended with exit code ${end.kind === "exited" ? end.code : "?"}`,
    killed: () => `was killed by ${end.kind === "killed" ? end.signal : "?"}`,
    "timed-out": () => "took too long",
    cancelled: () => "was stopped",
    "not-found": () => "could not be started: there is no such program",
  }[end.kind]();
  return said === "" ? how : `${how}: ${said}`;
}
