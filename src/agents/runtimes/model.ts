// Plays a role with any chat model that LangChain knows; conversations live as long as this process.
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
import type { Runtime, RuntimeAnswer, RuntimeRequest } from "../port.ts";
import { buildAgent } from "./model-agent.ts";
import { endingOf } from "./model-errors.ts";
import { outcomeOf } from "./model-outcome.ts";
import { modelMaker, providerOf } from "./model-providers.ts";
import { filesOf, type ModelOptions, type ModelRun, beginRun, messagesOf } from "./model-run.ts";
import { ModelSessions } from "./model-sessions.ts";

export function modelRuntime(options: ModelOptions): Runtime {
  const sessions = new ModelSessions();
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  return {
    name: "model",
    forks: "while-alive",
    async run(request) {
      const playing = play(request, options, sessions, closing.signal).finally(() => running.delete(playing));
      running.add(playing);
      return playing;
    },
    async close() {
      closing.abort();
      await Promise.allSettled(running);
      sessions.clear();
    },
  };
}

async function play(
  request: RuntimeRequest,
  options: ModelOptions,
  sessions: ModelSessions,
  closing: AbortSignal,
): Promise<RuntimeAnswer> {
  if (request.signal.aborted || closing.aborted) return { kind: "aborted", ...NOTHING };
  const { forkFrom } = request;
  const parent = forkFrom === undefined ? undefined : sessions.get(forkFrom);
  if (forkFrom !== undefined && parent === undefined) return unknownConversation(forkFrom);
  const refusal = traced(options.env ?? process.env);
  if (refusal !== undefined) return refusal;

  const run = beginRun(request, options, parent, closing);
  const session = (): string =>
    sessions.keep({ system: request.system, messages: run.messages, scratch: run.scratch });
  try {
    const cut = await Promise.race([outside(() => converse(run, options)), run.vigil.over]);
    if (cut !== undefined) return stopped(run, cut, session);
    const outcome = outcomeOf(run.progress, run.messages, request.limits, session);
    return { ...outcome, ...run.meter.spent(), transcript: run.progress.transcript };
  } catch (error) {
    return failed(run, error, session);
  } finally {
    run.vigil.close();
    run.controller.abort();
  }
}

const NOTHING = { usage: { inputTokens: 0, outputTokens: 0 }, costUsd: 0, transcript: [] };

function unknownConversation(forkFrom: string): RuntimeAnswer {
  return {
    kind: "failed",
    why: `the conversation ${forkFrom} is not known to this process`,
    hint: "conversations of the runtime model end with the process; start a fresh one",
    ...NOTHING,
  };
}

/** Each of them makes LangChain send every prompt and every answer to somebody else. */
const TRACING = ["LANGSMITH_TRACING", "LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING", "LANGCHAIN_TRACING_V2"];

function traced(env: Readonly<Record<string, string | undefined>>): RuntimeAnswer | undefined {
  const name = TRACING.find((variable) => env[variable] === "true");
  if (name === undefined) return undefined;
  const why = `${name} is set, and LangChain would send all that is said to LangSmith`;
  return { kind: "failed", why, hint: `unset ${name}`, ...NOTHING };
}

/** How many steps of LangChain's loop one turn takes at most, all middleware included. */
const STEPS_A_TURN = 12;

async function converse(run: ModelRun, options: ModelOptions): Promise<void> {
  const { request, signal, meter } = run;
  const provider = providerOf(request.model);
  const makeModel =
    options.makeModel?.(request, signal) ?? (await modelMaker(request.model, options, signal));
  const agent = buildAgent(
    { ...run, ...filesOf(run, options), makeModel, provider, tellsEnd: options.makeModel === undefined },
    run.progress,
  );
  const recursionLimit = STEPS_A_TURN * (request.limits.maxTurns + 2);
  const states = await agent.stream(
    { messages: [...run.messages] },
    { streamMode: "values", signal, callbacks: [meter], recursionLimit },
  );
  for await (const state of states) run.messages = messagesOf(state) ?? run.messages;
}

/** Without what LangChain hands down from whoever called: a graph's checkpoints and listeners are not this agent's. */
function outside<T>(work: () => Promise<T>): Promise<T> {
  return AsyncLocalStorageProviderSingleton.runWithConfig({}, work, true);
}

function stopped(run: ModelRun, why: "silent" | "aborted", session: () => string): RuntimeAnswer {
  const told = { ...run.meter.spentWhenStopped(), transcript: run.progress.transcript };
  if (why === "aborted") return { kind: "aborted", ...told };
  return { kind: "silent", afterMs: run.request.limits.silenceMs, session: session(), ...told };
}

function failed(run: ModelRun, error: unknown, session: () => string): RuntimeAnswer {
  if (run.signal.aborted) return stopped(run, "aborted", session);
  const { billed, ...ending } = endingOf(error, providerOf(run.request.model));
  return { ...ending, ...run.meter.spent(billed), transcript: run.progress.transcript };
}
