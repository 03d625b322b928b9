// One kind of advisory work: what it takes, what it reports and how long it may take; every way it can end is an outcome.
import type { z } from "zod";
import { CupelError } from "../domain/error.ts";
import { parseOrThrow } from "../domain/parse.ts";
import { attemptNode, LONGEST_MS } from "./attempt.ts";
import type { Stop } from "./attempt.ts";
import { fromBytes, toBytes } from "./checkpoint/stored-value.ts";
import type { Advice } from "./port.ts";
import { redacted } from "./reason.ts";

export interface AdvisoryJobDefinition<Input, Report> {
  input: z.ZodType<Input>;
  /** Small, like everything that a graph keeps: findings have their place among the payloads. */
  report: z.ZodType<Report>;
  /** Of one start. */
  timeoutMs: number;
  /** May be started again after a crash. */
  run(input: Input, context: JobContext): Promise<Report>;
}

export interface JobContext {
  readonly thread: string;
  /** As the node named it. */
  readonly job: string;
  /** How often it has been started, this time included. */
  readonly start: number;
  readonly signal: AbortSignal;
}

/** A job whose types nobody needs to know any more. */
export interface AdvisoryJob {
  readonly timeoutMs: number;
  /** Throws when the job cannot take this input. */
  check(input: unknown): void;
  run(input: unknown, context: JobContext): Promise<unknown>;
}

const MOST_REPORT_BYTES = 65_536;

export function advisoryJob<Input, Report>(definition: AdvisoryJobDefinition<Input, Report>): AdvisoryJob {
  const { timeoutMs } = definition;
  if (!(timeoutMs > 0 && timeoutMs <= LONGEST_MS)) {
    throw new CupelError("usage", `an advisory job may take ${timeoutMs} ms`, {
      expected: `more than 0 and at most ${LONGEST_MS}`,
    });
  }
  const asked = (input: unknown): Input => parseOrThrow(definition.input, input, "what the job was asked");
  return {
    timeoutMs,
    check: (input) => void asked(input),
    run: async (input, context) =>
      parseOrThrow(definition.report, await definition.run(asked(input), context), "its report"),
  };
}

/** `stopped` is no outcome: the job begins again when its thread goes on. */
export async function runJob(
  job: AdvisoryJob,
  input: unknown,
  context: Omit<JobContext, "signal">,
  { graceMs, underWay, redact }: { graceMs: number; underWay: Set<Stop>; redact: (text: string) => string },
): Promise<Advice["outcome"] | { kind: "stopped" }> {
  const ended = await attemptNode(
    async (signal) => kept(await job.run(input, { ...context, signal })),
    { timeoutMs: job.timeoutMs, graceMs },
    underWay,
  );
  switch (ended.kind) {
    case "ended":
      return { kind: "reported", report: ended.result };
    case "threw":
      return { kind: "failed", why: redacted(ended.cause, redact) };
    default:
      return { kind: ended.kind };
  }
}

/** As it comes back from the database, so that whoever asks later gets the same. */
function kept(report: unknown): unknown {
  const bytes = toBytes(report);
  if (bytes.length <= MOST_REPORT_BYTES) return fromBytes(bytes);
  throw new Error(`its report has ${bytes.length} bytes; at most ${MOST_REPORT_BYTES} are kept`);
}
