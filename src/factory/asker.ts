// The way to ask a role in a run: cast as the settings say, paid from the run's budget, told to its journal.
import type { Tracer } from "@opentelemetry/api";
import type { z } from "zod";
import { callRole } from "../agents/call-role.ts";
import type { RoleCallEvent } from "../agents/call-role.ts";
import { castRole } from "../agents/cast-role.ts";
import type { AgentTool, RoleDefinition, TranscriptEntry } from "../agents/port.ts";
import type { PromptSource } from "../agents/prompting/prompt-source.ts";
import type { RuntimeRegistry } from "../agents/runtimes/registry.ts";
import type { Redact } from "../agents/secrets.ts";
import type { CallKey } from "../domain/agent/call-key.ts";
import type { RoleCallOutcome } from "../domain/agent/role-call-outcome.ts";
import type { ResolvedConfig } from "../domain/config.ts";
import { CupelError } from "../domain/error.ts";
import type { PayloadRef } from "../domain/refs.ts";
import { traceRoleCall } from "../graph/spans-role-call.ts";
import type { StateStore } from "../store/state-store.ts";
import type { Run } from "./run.ts";

export interface Asking<Input extends z.ZodType = z.ZodType> {
  input: z.input<Input>;
  /** Which call this is; whoever asks counts `attempt`. */
  key: Omit<CallKey, "role" | "turn">;
  /** Of those the role may have. */
  tools: readonly AgentTool[];
  /** Where an agent with file tools of its own works. */
  workspace?: string;
  /** Of a role that works in attempts: which one at the same thing it is; `key.attempt` unless told. */
  tries?: number;
  attempts?: number;
  /** A conversation to go on from, where the runtime can. */
  forkFrom?: string;
  signal: AbortSignal;
}

export type Ask = <Input extends z.ZodType, Output extends z.ZodType>(
  role: RoleDefinition<Input, Output>,
  asking: Asking<Input>,
) => Promise<RoleCallOutcome<z.output<Output>>>;

export interface AskerOptions {
  config: ResolvedConfig;
  store: StateStore;
  run: Run;
  runtimes: RuntimeRegistry;
  prompts: PromptSource;
  redact: Redact;
  tracer: Tracer | undefined;
}

/** Closing ends the calls that are under way, and the runtimes with them. */
export function asker(options: AskerOptions): { ask: Ask; close: () => Promise<void> } {
  const { config, store, run, runtimes, prompts, redact, tracer } = options;
  const under = new Set<Promise<unknown>>();
  const closing = new AbortController();
  const ports = {
    budget: run.budget,
    prompts,
    emit: (event: RoleCallEvent) => run.emit(event),
    keep: (transcript: readonly TranscriptEntry[]) => keepIn(store, transcript),
    redact,
  };

  /** Conversations of this process, each with the runtime that had it. */
  const had = new Map<string, string>();

  const call: Ask = async (role, { forkFrom, ...asking }) => {
    const { runtime: name, model, limits } = castRole(config, role);
    const runtime = await runtimes.get(name);
    const signal = AbortSignal.any([asking.signal, run.lost, closing.signal]);
    // Whoever was asked elsewhere, or before this process, begins afresh: no answer depends on it.
    const from = forkFrom !== undefined && had.get(forkFrom) === name ? { forkFrom } : {};
    const work = async () => {
      const outcome = await callRole({ ...asking, ...from, role, runtime, model, limits, signal }, ports);
      if (outcome.kind === "done") had.set(outcome.session, name);
      return outcome;
    };
    if (tracer === undefined) return work();
    return traceRoleCall(tracer, { key: { role: role.name, ...asking.key }, model }, work);
  };

  return {
    ask(role, asking) {
      if (closing.signal.aborted)
        return Promise.reject(new CupelError("usage", "the works are closed; no role is asked any more"));
      const asked = call(role, asking).finally(() => under.delete(asked));
      under.add(asked);
      return asked;
    },
    async close() {
      closing.abort();
      await Promise.allSettled(under);
      await runtimes.close();
    },
  };
}

/** One entry a line, so that people can read and search it. */
function keepIn({ payloads }: StateStore, transcript: readonly TranscriptEntry[]): Promise<PayloadRef> {
  return payloads.put(transcript.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
}
