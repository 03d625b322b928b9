// Wraps any runtime so that every call becomes a line of a script, which plays back the same outputs and files.
import type { ScriptLine } from "../../domain/agent/script-line.ts";
import type { AgentTool, Runtime, RuntimeAnswer, RuntimeRequest } from "../port.ts";
import type { Redact } from "../secrets.ts";
import { inputHashOf } from "./script.ts";
import { changesSince, snapshot } from "./workspace-files.ts";

/** `sink` gets one line of JSON with its end; two calls that end together give it one after the other. */
export function recording(runtime: Runtime, sink: (line: string) => Promise<void>, redact: Redact): Runtime {
  let last: Promise<void> = Promise.resolve();
  return {
    ...runtime,
    run: async (request) => {
      const { line, answer } = await record(runtime, request);
      if (line !== undefined) {
        const text = `${JSON.stringify(redact(line))}\n`;
        // A line that could not be written fails its own call, and no other.
        const written = last.then(() => sink(text));
        last = written.catch(() => undefined);
        await written;
      }
      return answer;
    },
    close: () => runtime.close(),
  };
}

async function record(
  runtime: Runtime,
  request: RuntimeRequest,
): Promise<{ line: ScriptLine | undefined; answer: RuntimeAnswer }> {
  const { workspace } = request;
  const before = workspace === undefined ? undefined : await snapshot(workspace);
  const toolCalls: ScriptLine["toolCalls"] = [];
  const tools = request.tools.map((tool): AgentTool => ({
    ...tool,
    run: (input, signal) => {
      toolCalls.push({ tool: tool.name, input: plain(input) });
      return tool.run(input, signal);
    },
  }));
  const begun = performance.now();
  const answer = await runtime.run({ ...request, tools });
  const latencyMs = Math.round(performance.now() - begun);
  const end = endOf(answer);
  if (end === undefined) return { line: undefined, answer };
  const changes =
    workspace === undefined || before === undefined
      ? { files: {}, omitted: [] }
      : await changesSince(before, workspace);
  const line: ScriptLine = {
    key: request.key,
    inputHash: inputHashOf(request),
    files: changes.files,
    toolCalls,
    usage: answer.usage,
    latencyMs,
    ...end,
    ...(changes.omitted.length === 0 ? {} : { omitted: changes.omitted }),
  };
  return { line, answer };
}

/** Undefined for what is asked again, or was stopped: the call that comes after it has the line. */
function endOf(answer: RuntimeAnswer): Pick<ScriptLine, "output" | "ending" | "said"> | undefined {
  switch (answer.kind) {
    case "answered":
      return { output: plain(answer.output), ending: "ok" };
    case "no-output":
      return { output: null, ending: "ok", said: answer.said };
    case "silent":
      return { output: null, ending: "silent" };
    case "failed":
      return { output: null, ending: "crash", said: answer.why };
    case "refused":
    case "too-long":
      return { output: null, ending: answer.kind, said: answer.why };
    case "busy":
    case "unavailable":
    case "aborted":
      return undefined;
  }
}

/** As JSON has it: what JSON cannot hold was never part of an answer. */
function plain(value: unknown): ScriptLine["output"] {
  return value === undefined ? null : JSON.parse(JSON.stringify(value));
}
