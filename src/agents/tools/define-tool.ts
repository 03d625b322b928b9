// The only way to make a tool: typed inside, and never more text to the agent than it can use.
import type { z } from "zod";
import type { AgentTool, ToolName } from "../port.ts";

export interface ToolDefinition<Input extends z.ZodType> {
  name: ToolName;
  /** What it does, when to use it and what comes back, in the words a model needs. */
  description: string;
  input: Input;
  /** How to get the rest of a result that was cut. */
  narrow: string;
  run(input: z.output<Input>, signal: AbortSignal): Promise<string>;
}

/** About 15,000 tokens: more of one result would push the work itself out of the conversation. */
export const MOST_CHARACTERS = 60_000;

export function defineTool<Input extends z.ZodType>(tool: ToolDefinition<Input>): AgentTool {
  const { name, description, input, narrow } = tool;
  return {
    name,
    description,
    input,
    run: async (given, signal) =>
      bounded(await tool.run(input.parse(given), signal), MOST_CHARACTERS, narrow),
  };
}

/** The beginning and the end, because compilers and test runners say what matters in either place. */
export function bounded(text: string, most: number, narrow: string): string {
  if (text.length <= most) return text;
  const head = whole(text.slice(0, Math.floor(most * 0.7)));
  const tail = whole(text.slice(text.length - Math.floor(most * 0.3)));
  const left = text.length - head.length - tail.length;
  return `${head}\n… ${left} of ${text.length} characters left out here; ${narrow} …\n${tail}`;
}

/** Without half of a character at either end. */
function whole(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]/, "").replace(/[\uD800-\uDBFF]$/, "");
}
