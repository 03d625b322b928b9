// Asks a role from inside a node, once: its pack is kept before, its outcome before the node goes on, and after a crash the
// same call goes on instead of a second one.
import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { AgentTool, RoleDefinition } from "../../agents/port.ts";
import { RoleCallOutcome } from "../../domain/agent/role-call-outcome.ts";
import { artifactId, idOfType } from "../../domain/artifact/artifact-type.ts";
import type { ContextPack } from "../../domain/artifact/context-pack.ts";
import type { Material, Situation } from "../../domain/artifact/material.ts";
import { parseOrThrow } from "../../domain/parse.ts";
import { IsoTime } from "../../domain/refs.ts";
import type { Spent } from "../../domain/run/run-event.ts";
import type { NodeContext } from "../../graph/port.ts";
import type { Stop } from "../../protocols/outcome.ts";
import type { EngineeringPorts } from "../port.ts";
import { moduleOf, nodeKeyOf, pillarOf, type Subject } from "../subject.ts";
import { contextPackOf } from "./context-pack.ts";
import { endedByItself } from "./interrupted.ts";
import { stopOf } from "./stop.ts";

/** The ids that one call needs, made before anything is done under them. */
export const CallIds = z.strictObject({
  pack: idOfType("CONTEXT_PACK"),
  exception: idOfType("INTERFACE_CHANGE_EXCEPTION"),
  at: IsoTime,
});
export type CallIds = z.infer<typeof CallIds>;

export interface RoleAsk<Input extends z.ZodType, Output extends z.ZodType> {
  role: RoleDefinition<Input, Output>;
  input: z.input<Input>;
  attempt: number;
  tries?: number;
  forkFrom?: string;
  situation: Situation;
  subject: Subject;
  /** What it is shown besides its input. */
  besides: readonly Material[];
  /** Opened for the call alone; not at all when its outcome is known. */
  open(call: OpenCall): Promise<{ tools: readonly AgentTool[]; workspace?: string }>;
  /** The request for another contract that this call has raised, if it has. */
  raised(ids: CallIds): Promise<string | undefined>;
}

export interface OpenCall {
  ids: CallIds;
  pack: ContextPack;
  /** Of this call, for records. */
  runId: string;
}

export type Asked<Output> = { ids: CallIds; runId: string; spent: Spent } & (
  | { kind: "answered"; output: Output; session: string }
  | { kind: "stopped"; stop: Stop }
);

export async function askOnce<Input extends z.ZodType, Output extends z.ZodType>(
  engineering: EngineeringPorts,
  context: NodeContext,
  ask: RoleAsk<Input, Output>,
): Promise<Asked<z.output<Output>>> {
  const { role, input, attempt, tries, forkFrom, subject } = ask;
  const name = callName(role.name, attempt);
  const ids = await context.once(`${name}:ids`, CallIds, async () => newIds(engineering.now()));
  const call = openCall(engineering, ids, ask);
  await keepPack(engineering, call, subject, context.thread);
  const outcome = await context.once(`${name}:outcome`, RoleCallOutcome, async () => {
    const { tools, workspace } = await ask.open(call);
    const outcome = await engineering.ask(role, {
      input,
      key: {
        task: subject.task.task_id,
        module: moduleOf(subject),
        node: nodeKeyOf(context.node, subject),
        attempt,
      },
      ...(tries === undefined ? {} : { tries }),
      ...(forkFrom === undefined ? {} : { forkFrom }),
      tools,
      signal: context.signal,
      ...(workspace === undefined ? {} : { workspace }),
    });
    context.spent({ usage: outcome.usage, costUsd: outcome.costUsd });
    return endedByItself(context, role.name, outcome);
  });
  if (outcome.kind === "aborted") throw new Error(`the call of the ${role.name} was kept without an end`);
  const { usage, costUsd } = outcome;
  const about = { ids, runId: call.runId, spent: { usage, costUsd } };
  const raised = (await ask.raised(ids)) ?? null;
  if (outcome.kind !== "done") return { ...about, kind: "stopped", stop: stopOf(role.name, outcome, raised) };
  if (raised !== null) {
    const why = `the ${role.name} raised ${raised}`;
    return {
      ...about,
      kind: "stopped",
      stop: { role: role.name, kind: "blocked", why, interfaceChange: raised },
    };
  }
  const output = parseOrThrow(role.output, outcome.output, `the kept output of the ${role.name}`);
  return { ...about, kind: "answered", output, session: outcome.session };
}

export function callName(role: string, attempt: number): string {
  return `${role}:${attempt}`;
}

function newIds(now: Date): CallIds {
  return {
    pack: artifactId("CONTEXT_PACK", randomUUID()),
    exception: artifactId("INTERFACE_CHANGE_EXCEPTION", randomUUID()),
    at: now.toISOString(),
  };
}

function openCall<Input extends z.ZodType, Output extends z.ZodType>(
  { runId }: EngineeringPorts,
  ids: CallIds,
  { role, input, situation, subject, besides }: RoleAsk<Input, Output>,
): OpenCall {
  const told = typeof input === "object" && input !== null ? { ...role.facts, ...input } : { ...role.facts };
  const invocation = `${runId}/${ids.pack}`;
  const request = { role: role.name, situation: { protocol: subject.protocol, ...situation }, subject, told };
  const pack = contextPackOf({ ...request, id: ids.pack, at: ids.at, runId: invocation, besides });
  return { ids, pack, runId: invocation };
}

async function keepPack(
  { store, fence }: EngineeringPorts,
  { pack, runId }: OpenCall,
  { task }: Subject,
  thread: string,
): Promise<void> {
  const id = pack.context_pack_id;
  await store.artifacts.create(fence, {
    id,
    type: "CONTEXT_PACK",
    pillar: pillarOf(task),
    createdBy: { role: "harness", run_id: runId },
    contextPackRef: null,
    notes: thread,
    body: { "context_pack.json": JSON.stringify(pack) },
  });
  await store.documents.write(fence, "context_packs", `${id}.json`, pack);
}
