// Plays a trial: one process at a time for its folder, and worker processes for its runs.
import { mkdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import { CupelError } from "../domain/error.ts";
import { environmentError } from "../domain/environment-error.ts";
import type { TrialProtocol } from "../domain/trial/trial-protocol.ts";
import { checkProtocol } from "../trial/check-protocol.ts";
import { tasksOfCorpus } from "../trial/corpus/corpora.ts";
import { openRows } from "../trial/rows-file.ts";
import { runTrial, type TrialPorts } from "../trial/run-trial.ts";
import { runsOf } from "../trial/schedule.ts";
import { holdFolder, lockProtocol, placesOf, protocolIn } from "../trial/trial-folder.ts";
import { trySandbox } from "./engineering.ts";
import type { WorkerCommand } from "./line-worker.ts";
import type { Environment } from "./runtimes.ts";
import { standingOf, type TrialStanding } from "./trial-standing.ts";
import { trialPlayer } from "./trial-worker.ts";
import { inWorkerPlace } from "./worker-place.ts";

export interface PlayOptions extends Pick<TrialPorts, "signal" | "onPlayed"> {
  /** How many runs are under way at a time. */
  jobs: number;
  worker: WorkerCommand;
  /** It is ours, and nothing speaks against playing it. */
  onBegun?: () => void;
  /** What real models need: keys and the like. */
  env: Environment;
}

/** Goes on where it was stopped; runs that have a row are not played again. */
export async function playTrial(folder: string, options: PlayOptions): Promise<TrialStanding> {
  const letGo = await holdFolder(folder);
  try {
    const protocol = await protocolIn(folder);
    const tasks = await tasksOfCorpus(protocol.corpus, protocol.tasks);
    checkProtocol(protocol, tasks);
    await needSandbox();
    await lockProtocol(folder, protocol);
    options.onBegun?.();
    return await inWorkerPlace((place) => playLocked(folder, protocol, withPlace(options, place)));
  } finally {
    await letGo();
  }
}

/** Without one every run would fail by itself. */
async function needSandbox(): Promise<void> {
  const { status, found } = await trySandbox();
  if (status === "ok") return;
  throw new CupelError("unsafe_without_sandbox", `trials run code in a sandbox, and it is ${found}`, {
    expected: "a working bubblewrap",
    hint: "apt-get install bubblewrap, and cupel doctor to see whether it works",
  });
}

async function playLocked(
  folder: string,
  protocol: TrialProtocol,
  { jobs, worker, env, signal, onPlayed }: PlayOptions,
): Promise<TrialStanding> {
  const { rows: file, cache } = placesOf(folder);
  const rows = await openRows(file, runsOf(protocol));
  const command = { ...worker, env: { ...workerEnv(protocol, worker, env), ...sharedCache(cache) } };
  const players = Array.from({ length: jobs }, () => trialPlayer(protocol, command, signal));
  try {
    const played = await runTrial(protocol, {
      players,
      rows,
      ...(signal === undefined ? {} : { signal }),
      ...(onPlayed === undefined ? {} : { onPlayed }),
    });
    if (played.end.kind === "complete") await rm(cache, { recursive: true, force: true });
    return standingOf({ folder, protocol, rows: played.rows, end: played.end });
  } finally {
    await Promise.allSettled(players.map((player) => player.close()));
    await rows.close();
  }
}

function withPlace(options: PlayOptions, place: Readonly<Record<string, string>>): PlayOptions {
  const { worker } = options;
  return { ...options, worker: { ...worker, env: { ...worker.env, ...place } } };
}

/** Real models need what a person has set for them; simulated workers may see nothing of it. */
function workerEnv({ workers }: TrialProtocol, worker: WorkerCommand, env: Environment) {
  if (workers.kind === "simulated") return worker.env;
  const set = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return { ...Object.fromEntries(set), ...worker.env };
}

/** What is kept by content may be shared among the runs; what earlier trials found out may not. */
function sharedCache(cache: string): { XDG_CACHE_HOME: string } {
  try {
    mkdirSync(cache, { recursive: true });
    return { XDG_CACHE_HOME: resolve(cache) };
  } catch (cause) {
    throw environmentError(cache, cause);
  }
}
