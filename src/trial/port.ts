// What a trial needs of whoever plays its runs.
import type { TrialRow } from "../domain/trial/trial-row.ts";

/** One task and one seed in one arm. */
export interface TrialRun {
  task: string;
  seed: number;
  arm: string;
}

export interface TrialPlayer {
  play(run: TrialRun): Promise<TrialRow>;
  close(): Promise<void>;
}
