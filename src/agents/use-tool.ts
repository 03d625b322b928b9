// How every runtime lets an agent use a tool: unknown names, bad input and failures are told to the agent, never thrown.
import { parse, renderProblems } from "../domain/parse.ts";
import { thrownText } from "../domain/thrown.ts";
import { unlessAborted } from "./patience.ts";
import type { AgentTool } from "./port.ts";

export interface ToolResult {
  text: string;
  failed: boolean;
}

/** More would fill the conversation and teach the agent nothing. */
const MAX_CHARACTERS = 200_000;

export async function useTool(
  tools: readonly AgentTool[],
  name: string,
  input: unknown,
  signal: AbortSignal,
): Promise<ToolResult> {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) {
    const names = tools.map((candidate) => candidate.name).join(", ");
    return failed(`There is no tool ${name}. You have: ${names === "" ? "none" : names}.`);
  }
  const parsed = parse(tool.input, input);
  if (parsed.kind === "invalid") {
    return failed(`${name} was not run, its input does not fit:\n${renderProblems(parsed.problems)}`);
  }
  try {
    const text = await unlessAborted(tool.run(parsed.value, signal), signal);
    return text === undefined ? failed(`${name} was stopped`) : { text: shortened(text), failed: false };
  } catch (error) {
    return failed(`${name} failed: ${thrownText(error, MAX_CHARACTERS)}`);
  }
}

function failed(text: string): ToolResult {
  return { text: shortened(text), failed: true };
}

function shortened(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  const left = text.length - MAX_CHARACTERS;
  return `${text.slice(0, MAX_CHARACTERS)}\n… ${left} characters left out; ask for less.`;
}
