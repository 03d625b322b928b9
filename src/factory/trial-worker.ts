// Runs of a trial in a process of their own, one after the other.
import type { Readable, Writable } from "node:stream";
import { z } from "zod";
import { TrialProtocol } from "../domain/trial/trial-protocol.ts";
import { TrialRow } from "../domain/trial/trial-row.ts";
import { verdictMemory } from "../evidence/verdict-memory.ts";
import { stopCompiler } from "../toolchains/typescript/compiler/program.ts";
import { tasksOfCorpus } from "../trial/corpus/corpora.ts";
import type { TrialPlayer } from "../trial/port.ts";
import { lineWorker, serveLines, type WorkerCommand } from "./line-worker.ts";
import type { Environment } from "./runtimes.ts";
import { playTrialRun, type TrialStage } from "./trial-play.ts";

const WORK = {
  what: "run",
  order: z.strictObject({
    run: TrialRow.pick({ task: true, seed: true, arm: true }),
    protocol: TrialProtocol,
  }),
  answer: TrialRow,
};

/** Models take their time; simulated workers take none. */
const MOST_MINUTES = { simulated: 10, runtime: 240 };

export function trialPlayer(
  protocol: TrialProtocol,
  command: WorkerCommand,
  signal: AbortSignal | undefined,
): TrialPlayer {
  const mostMs = MOST_MINUTES[protocol.workers.kind] * 60_000;
  const worker = lineWorker(WORK, command, { mostMs, ...(signal === undefined ? {} : { signal }) });
  return { play: (run) => worker.ask({ run, protocol }), close: () => worker.close() };
}

/** The other side: until nothing more comes. */
export async function serveTrial(input: Readable, output: Writable, env: Environment): Promise<void> {
  const verdicts = verdictMemory();
  const known = new Map<string, Promise<TrialStage["tasks"]>>();
  try {
    await serveLines(WORK, { input, output }, async ({ run, protocol }) => {
      const key = `${protocol.corpus}\n${run.task}`;
      const tasks = known.get(key) ?? tasksOfCorpus(protocol.corpus, [run.task]);
      known.set(key, tasks);
      return playTrialRun(run, { protocol, tasks: await tasks, env, verdicts });
    });
  } finally {
    stopCompiler();
  }
}
