// All that belongs to one run of the model runtime, and what it is given from outside.
import { BaseMessage, HumanMessage } from "@langchain/core/messages";
import type { ModelPrice } from "../../domain/agent/model-price.ts";
import type { RuntimeRequest, TranscriptEntry } from "../port.ts";
import { priceOf, PRICES } from "../prices.ts";
import type { FileBackend } from "../tools/file-backend.ts";
import type { AgentProgress } from "./model-agent.ts";
import { ModelMeter } from "./model-meter.ts";
import { countsOn, type MakeModel, type ProviderOptions } from "./model-providers.ts";
import { withScratch } from "./model-scratch.ts";
import type { ModelSession } from "./model-sessions.ts";
import { isFileTool } from "./model-tools.ts";
import { keepVigil, type Vigil } from "./vigil.ts";

export interface ModelOptions extends ProviderOptions {
  /** The files of a call. Where it gives a backend, deepagents' file tools take the place of those in the request. */
  files?: (request: RuntimeRequest) => FileBackend | undefined;
  prices?: readonly ModelPrice[];
  env?: Readonly<Record<string, string | undefined>>;
  /** Another source of models than the providers' packages. */
  makeModel?: (request: RuntimeRequest, signal: AbortSignal) => MakeModel;
}

export interface ModelRun {
  request: RuntimeRequest;
  /** Ends the run from inside; `signal` also ends with whoever asked. */
  controller: AbortController;
  signal: AbortSignal;
  vigil: Vigil;
  meter: ModelMeter;
  progress: AgentProgress;
  /** The conversation as far as it is complete. */
  messages: readonly BaseMessage[];
  scratch: Map<string, string>;
}

export function beginRun(
  request: RuntimeRequest,
  { prices = PRICES }: ModelOptions,
  parent: ModelSession | undefined,
  closing: AbortSignal,
): ModelRun {
  const controller = new AbortController();
  const { silenceMs } = request.limits;
  // There is no program to wait for, so silence counts from the first moment.
  const vigil = keepVigil(silenceMs, AbortSignal.any([request.signal, closing]), silenceMs);
  return {
    request,
    controller,
    signal: AbortSignal.any([request.signal, closing, controller.signal]),
    vigil,
    meter: new ModelMeter(priceOf(request.model, prices), countsOn(request.model), () => vigil.heard()),
    progress: { transcript: opening(request, parent), answer: undefined, stopped: undefined },
    messages: [...(parent?.messages ?? []), new HumanMessage(request.prompt)],
    scratch: new Map(parent?.scratch),
  };
}

function opening({ system, prompt }: RuntimeRequest, parent: ModelSession | undefined): TranscriptEntry[] {
  const told: TranscriptEntry[] = parent?.system === system ? [] : [{ kind: "system", text: system }];
  return [...told, { kind: "prompt", text: prompt }];
}

/** Deepagents' own file tools only where the role has file tools and somebody gave a backend for them. */
export function filesOf(
  { request, scratch }: ModelRun,
  options: ModelOptions,
): { files: FileBackend | undefined; scratch: FileBackend } {
  const given = request.tools.some(({ name }) => isFileTool(name)) ? options.files?.(request) : undefined;
  const room = withScratch(given, scratch);
  return { files: given === undefined ? undefined : room, scratch: room };
}

export function messagesOf(state: unknown): BaseMessage[] | undefined {
  if (typeof state !== "object" || state === null || !("messages" in state)) return undefined;
  const { messages } = state;
  const all = Array.isArray(messages) && messages.every((message) => BaseMessage.isInstance(message));
  return all ? messages : undefined;
}
