// The CLI of Claude Code as the SDK wants to see it, started by whoever starts programs here.
import { EventEmitter } from "node:events";
import type { AgentProcess } from "./agent-process.ts";
import type { ClaudeProcess } from "./claude-code-sdk.ts";

export function claudeProcess(agent: AgentProcess): ClaudeProcess {
  const state: { killed: boolean; exitCode: number | null } = { killed: false, exitCode: null };
  const events = Object.assign(new EventEmitter(), state, {
    stdin: agent.stdin,
    stdout: agent.stdout,
    kill: (): boolean => {
      events.killed = true;
      agent.kill();
      return true;
    },
  });
  // An error that nobody listens for must not end the harness; how the agent ended is told by its end.
  events.on("error", () => undefined);
  agent.ended.then(
    (end) => {
      events.exitCode = end.kind === "exited" ? end.code : null;
      if (end.kind === "not-found") events.emit("error", new Error("the CLI could not be started"));
      return events.emit("exit", events.exitCode, events.exitCode === null ? "SIGKILL" : null);
    },
    (error: unknown) => events.emit("error", error instanceof Error ? error : new Error(String(error))),
  );
  return events;
}
