// How a command of somebody's product ended, in words for a finding.
import type { CommandResult } from "../workshop/process/run-command.ts";

export function endOf(result: Pick<CommandResult, "kind"> & Partial<Ends>): string {
  switch (result.kind) {
    case "exited":
      return `ended with ${result.code}`;
    case "killed":
      return `was ended by ${result.signal}`;
    case "timed-out":
      return `was not done after ${Math.round((result.afterMs ?? 0) / 1000)} s`;
    case "cancelled":
      return "was stopped";
    case "not-found":
      return "could not be started, since the program is not there";
  }
}

interface Ends {
  code: number;
  signal: string;
  afterMs: number;
}

const LAST_LINES = 8;
/** Where it happened inside of the runner says nothing to anybody. */
const STACK_FRAME = /^\s+at /;

export function saidBy({ stdout, stderr }: { stdout: string; stderr: string }): string {
  const lines = `${stdout}\n${stderr}`
    .split("\n")
    .filter((line) => line.trim() !== "" && !STACK_FRAME.test(line));
  return lines.slice(-LAST_LINES).join(" | ").slice(-800) || "it said nothing";
}
