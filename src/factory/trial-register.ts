// Registers trials: what is compared, and how, is checked and written down before anything is played.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { environmentError, hasCode } from "../domain/environment-error.ts";
import type { TrialProtocol } from "../domain/trial/trial-protocol.ts";
import { checkProtocol } from "../trial/check-protocol.ts";
import { tasksOfCorpus } from "../trial/corpus/corpora.ts";
import { protocolFor, type TrialWishes, USUAL_CORPUS } from "../trial/presets.ts";
import { sweptProtocols } from "../trial/sweep.ts";
import { refuseTrialIn, registerTrial } from "../trial/trial-folder.ts";
import type { Environment } from "./runtimes.ts";
import { workersIn } from "./trial-settings.ts";

export interface Registered {
  folder: string;
  protocol: TrialProtocol;
}

export interface Registering {
  sweep?: string;
  /** Where somebody stands who registers it. */
  here: string;
  env: Environment;
}

/** Several, in folders of their own below this one, where a parameter is swept. */
export async function registerTrials(
  folder: string,
  wishes: TrialWishes,
  { sweep, here, env }: Registering,
): Promise<Registered[]> {
  const tasks = await tasksOfCorpus(wishes.corpus ?? USUAL_CORPUS);
  const wished = protocolFor(wishes, tasks);
  checkProtocol(wished, tasks);
  const protocol = { ...wished, workers: await workersIn(here, wished.workers, env) };
  const registered =
    sweep === undefined
      ? [{ folder, protocol }]
      : sweptProtocols(protocol, sweep).map((swept) => ({ ...swept, folder: join(folder, swept.folder) }));
  for (const each of [{ folder }, ...registered]) refuseTrialIn(each.folder);
  for (const each of registered) await registerTrial(each.folder, each.protocol);
  return registered;
}

/** A folder that was not there before, below this directory. */
export function freshFolder(directory: string, preset: string): string {
  for (let number = 1; ; number += 1) {
    const folder = join(directory, number === 1 ? `trial-${preset}` : `trial-${preset}-${number}`);
    try {
      mkdirSync(folder);
      return folder;
    } catch (cause) {
      if (!hasCode(cause, "EEXIST")) throw environmentError(folder, cause);
    }
  }
}
