// Plays a script: files written, tools really used, time really taken, endings as told. For tests, demos and replays.
import { type CallKey, keyText } from "../../domain/agent/call-key.ts";
import type { ScriptLine } from "../../domain/agent/script-line.ts";
import { sleep } from "../patience.ts";
import type { Runtime, RuntimeAnswer, RuntimeRequest, TranscriptEntry } from "../port.ts";
import { useTool } from "../use-tool.ts";
import { inputHashOf, missingLine } from "./script.ts";
import { writeFiles } from "./workspace-files.ts";

export interface ScriptedOptions {
  /** Plays a line also when the agent was asked something else than when it was recorded. */
  ignoreInput?: boolean;
  /** 1 takes the time that the script says; 0 takes none. */
  pace?: number;
}

const SESSION = "scripted:";

export function scriptedRuntime(script: readonly ScriptLine[], options: ScriptedOptions = {}): Runtime {
  const lines = new Map(script.map((line) => [keyText(line.key), line]));
  /** A line is used up when its call has ended; one that was aborted can be played again. */
  const used = new Set<string>();
  const running = new Map<Promise<unknown>, AbortController>();

  async function run(request: RuntimeRequest, signal: AbortSignal): Promise<RuntimeAnswer> {
    const name = keyText(request.key);
    const line = lines.get(name);
    if (line === undefined) return failed(missingLine(request.key, script), "add the line to the script");
    const refusal = refusalOf(line, request, options) ?? (used.has(name) ? usedTwice(name) : undefined);
    if (refusal !== undefined) return refusal;
    used.add(name);
    const answer = await play(line, request, options.pace ?? 1, signal).catch(thrown);
    if (answer.kind === "aborted") used.delete(name);
    return answer;
  }

  return {
    name: "scripted",
    forks: "always",
    costs: "nothing",
    async run(request) {
      const controller = new AbortController();
      const stop = (): void => controller.abort();
      if (request.signal.aborted) stop();
      request.signal.addEventListener("abort", stop, { once: true });
      const playing = run(request, controller.signal).finally(() => {
        request.signal.removeEventListener("abort", stop);
        running.delete(playing);
      });
      running.set(playing, controller);
      return playing;
    },
    async close() {
      for (const controller of running.values()) controller.abort();
      await Promise.allSettled(running.keys());
    },
  };
}

async function play(
  line: ScriptLine,
  request: RuntimeRequest,
  pace: number,
  signal: AbortSignal,
): Promise<RuntimeAnswer> {
  const begun = performance.now();
  const transcript: TranscriptEntry[] = [];
  if (request.forkFrom === undefined) transcript.push({ kind: "system", text: request.system });
  transcript.push({ kind: "prompt", text: request.prompt });
  const paid = { usage: line.usage, costUsd: 0, transcript };
  if (signal.aborted) return { kind: "aborted", ...paid };

  const write = async (): Promise<void> => {
    if (request.workspace !== undefined) await writeFiles(request.workspace, line.files);
  };
  await write();
  for (const { tool, input } of line.toolCalls) {
    if (signal.aborted) return { kind: "aborted", ...paid };
    transcript.push({ kind: "tool-call", tool, input });
    transcript.push({ kind: "tool-result", tool, ...(await useTool(request.tools, tool, input, signal)) });
  }
  // A recorded tool call leaves a file as it was at that moment; the script says how it is in the end.
  if (line.toolCalls.length > 0) await write();

  await sleep(line.latencyMs * pace - (performance.now() - begun), signal);
  if (line.ending === "silent") await sleep(request.limits.silenceMs, signal);
  if (signal.aborted) return { kind: "aborted", ...paid };
  if (line.said !== undefined) transcript.push({ kind: "said", text: line.said });
  return { ...ending(line, request), ...paid };
}

type Ending<Answer> = Answer extends unknown ? Omit<Answer, "usage" | "costUsd" | "transcript"> : never;

function ending(line: ScriptLine, { key, limits }: RuntimeRequest): Ending<RuntimeAnswer> {
  const session = sessionOf(key);
  switch (line.ending) {
    case "ok":
      if (line.output === null) return { kind: "no-output", said: line.said ?? "", session };
      return { kind: "answered", output: structuredClone(line.output), session };
    case "silent":
      return { kind: "silent", afterMs: limits.silenceMs, session };
    case "crash":
      return { kind: "failed", why: line.said ?? "the script says that the agent crashes here" };
    case "refused":
    case "too-long":
      return { kind: line.ending, why: line.said ?? `the script says ${line.ending} here` };
  }
}

function sessionOf(key: CallKey): string {
  return `${SESSION}${keyText(key)}`;
}

function refusalOf(
  line: ScriptLine,
  request: RuntimeRequest,
  { ignoreInput = false }: ScriptedOptions,
): RuntimeAnswer | undefined {
  if (request.forkFrom?.startsWith(SESSION) === false)
    return failed(`${request.forkFrom} is no conversation of a script`);
  if (line.omitted !== undefined)
    return failed(`the recording left out files that were too large: ${line.omitted.join(", ")}`);
  if (Object.keys(line.files).length > 0 && request.workspace === undefined)
    return failed("the script writes files, but this call has no workspace");
  if (ignoreInput || line.inputHash === null || line.inputHash === inputHashOf(request)) return undefined;
  return failed(
    `the agent is asked something else than when ${keyText(request.key)} was recorded`,
    "record it again, or play it all the same with --ignore-input",
  );
}

function usedTwice(name: string): RuntimeAnswer {
  return failed(
    `the script's line was played already: ${name}`,
    "a second call needs another attempt, or a line of its own",
  );
}

/** What a script asks for and a workspace refuses. */
function thrown(error: unknown): RuntimeAnswer {
  return failed(error instanceof Error ? error.message : String(error));
}

function failed(why: string, hint?: string): RuntimeAnswer {
  const nothing = { usage: { inputTokens: 0, outputTokens: 0 }, costUsd: 0, transcript: [] };
  return { kind: "failed", why, ...(hint === undefined ? {} : { hint }), ...nothing };
}
