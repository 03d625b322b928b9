// The mutation adversary beside the graph, where survivors do not block: nobody waits for it until the result is final.
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { MutationAdversaryOutput } from "../../domain/agent/blind-roles.ts";
import { FunctionSpec } from "../../domain/blind/function-spec.ts";
import { Survivor } from "../../domain/blind/suite-verdict.ts";
import { MicroModuleContract } from "../../domain/contract/contract.ts";
import { Text } from "../../domain/refs.ts";
import { type AdvisoryJob, advisoryJob, type JobContext } from "../../graph/advisory-job.ts";
import type { Advice, NodeContext } from "../../graph/port.ts";
import type { ProtocolPorts } from "../port.ts";
import { askAdversary } from "./mutation.ts";

const JOB = "mutation_adversary";
const TIMEOUT_MS = 8 * 60_000;
const POLL_MS = 50;

const Input = z.strictObject({
  contract: MicroModuleContract,
  functions: z.array(FunctionSpec).min(1),
  commit: Text,
  survivors: z.array(Survivor).min(1),
});

/** Threads that are under way here: a job knows its thread only, and ports cannot be kept. */
const underWay = new Map<string, ProtocolPorts>();

export async function withAdvice<T>(
  thread: string,
  ports: ProtocolPorts,
  work: () => Promise<T>,
): Promise<T> {
  underWay.set(thread, ports);
  try {
    return await work();
  } finally {
    underWay.delete(thread);
  }
}

export function adviseOn(context: NodeContext, survived: z.input<typeof Input>): Promise<void> {
  return context.advise(jobOn(survived.commit), survived);
}

/** Waits until it has reported, failed or timed out; the job has a time of its own, so this ends. */
export async function adviceOn(
  context: NodeContext,
  commit: string,
): Promise<MutationAdversaryOutput | undefined> {
  for (const end = Date.now() + 2 * TIMEOUT_MS; Date.now() < end; await sleep(POLL_MS)) {
    context.signal.throwIfAborted();
    const given = (await context.advice()).find(({ job }) => job === jobOn(commit));
    if (given !== undefined) return reportOf(given);
  }
  return undefined;
}

function reportOf({ outcome }: Advice): MutationAdversaryOutput | undefined {
  return outcome.kind === "reported" ? MutationAdversaryOutput.parse(outcome.report) : undefined;
}

function jobOn(commit: string): string {
  return `${JOB}:${commit.slice(0, 16)}`;
}

/** What the factory opens its graphs with. */
export const blindAdvice: Readonly<Record<string, AdvisoryJob>> = {
  [JOB]: advisoryJob({
    input: Input,
    report: MutationAdversaryOutput,
    timeoutMs: TIMEOUT_MS,
    async run(survived, job) {
      const ports = underWay.get(job.thread);
      if (ports === undefined) throw new Error(`nobody here works on ${job.thread}`);
      const answer = await askAdversary(ports, contextOf(job), survived, job.start);
      if (answer.kind === "answered") return answer.output;
      throw new Error(`the mutation adversary ended with ${answer.stop.kind}: ${answer.stop.why}`);
    },
  }),
};

/** A job is begun anew as a whole, so there is nothing to be done once. */
function contextOf({ thread, start, signal }: JobContext): NodeContext {
  return {
    thread,
    node: `${JOB}_advice`,
    attempt: start,
    signal,
    once: async (_, schema, work) => schema.parse(await work()),
    spent: () => undefined,
    mail: async () => [],
    advise: async () => undefined,
    advice: async () => [],
  };
}
