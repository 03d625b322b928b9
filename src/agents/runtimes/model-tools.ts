// The tools of an agent as a model sees them, and what happens when it uses one.
import { ToolMessage } from "@langchain/core/messages";
import { createFilesystemMiddleware } from "deepagents";
import { tool } from "langchain";
import { z } from "zod";
import type { RuntimeRequest } from "../port.ts";
import type { FileBackend } from "../tools/file-backend.ts";
import { useTool } from "../use-tool.ts";

export interface ToolParts {
  request: RuntimeRequest;
  signal: AbortSignal;
  /** Set where the agent's file tools are deepagents' own, over this backend. */
  files: FileBackend | undefined;
}

const FILE_TOOLS = {
  read: "read_file",
  write: "write_file",
  edit: "edit_file",
  ls: "ls",
  glob: "glob",
  grep: "grep",
} as const;

export function answerToolOf({ outputSchema }: RuntimeRequest): string {
  const title = typeof outputSchema["title"] === "string" ? outputSchema["title"] : "";
  return /^[A-Za-z_][\w-]{0,63}$/.test(title) ? title : "answer";
}

export function isFileTool(name: string): name is keyof typeof FILE_TOOLS {
  return Object.hasOwn(FILE_TOOLS, name);
}

const never = (): string => "";

function spelled(schema: Readonly<Record<string, unknown>>) {
  const { $schema: _, ...plain } = schema;
  return { ...plain, type: "object" as const };
}

/** Only their names and schemas: every use goes through `useTool`, which checks by our own schemas. */
export function declaredTools({ request, files }: ToolParts) {
  const answer = tool(never, {
    name: answerToolOf(request),
    description: "Gives your answer and ends your work. Call it once, at the very end.",
    schema: spelled(request.outputSchema),
  });
  const given = request.tools
    .filter(({ name }) => files === undefined || !isFileTool(name))
    .map(({ name, description, input }) =>
      tool(never, { name, description, schema: spelled(z.toJSONSchema(input, { io: "input" })) }),
    );
  return [...given, answer];
}

export function filesystemMiddleware(request: RuntimeRequest, backend: FileBackend) {
  const names = request.tools.flatMap(({ name }) => (isFileTool(name) ? [FILE_TOOLS[name]] : []));
  return createFilesystemMiddleware({ backend, tools: [...new Set(["read_file" as const, ...names])] });
}

interface ToolCall {
  name: string;
  args: unknown;
  id?: string | undefined;
}

export async function useByModel<Result>(
  { name, args, id = "" }: ToolCall,
  { request, files, signal }: ToolParts,
  answered: (given: unknown) => void,
  handler: () => Result | Promise<Result>,
): Promise<Result | ToolMessage> {
  if (name === answerToolOf(request)) {
    answered(args);
    return new ToolMessage({ name, tool_call_id: id, content: "Your answer was received." });
  }
  if (name === "write_todos" || (files !== undefined && isDeepagents(name))) return handler();
  const { text, failed } = await useTool(request.tools, name, args, signal);
  return new ToolMessage({ name, tool_call_id: id, content: text, status: failed ? "error" : "success" });
}

function isDeepagents(name: string): boolean {
  return Object.values<string>(FILE_TOOLS).includes(name);
}
