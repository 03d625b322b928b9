// In which order the runs of a trial are played: drawn from what is registered, so that nobody chooses it and anybody can
// repeat it.
import { chance } from "../domain/chance.ts";
import { protocolHash, type TrialProtocol } from "../domain/trial/trial-protocol.ts";
import { runKey, type TrialRow } from "../domain/trial/trial-row.ts";
import type { TrialRun } from "./port.ts";

/** One task and one seed in every arm: what is compared with each other is played one after the other, by one player. */
export type TrialBlock = readonly TrialRun[];

export function scheduleOf(protocol: TrialProtocol): TrialBlock[] {
  const random = chance(0, `schedule ${protocolHash(protocol)}`);
  return shuffled(blocksOf(protocol), random).map((block) => shuffled(block, random));
}

/** Every run as it is registered: by task, then seed, then arm. */
export function runsOf(protocol: TrialProtocol): TrialRun[] {
  return blocksOf(protocol).flat();
}

/** Rows as their runs are registered, in whatever order they were played. */
export function inOrder(runs: readonly TrialRun[], rows: readonly TrialRow[]): TrialRow[] {
  const byRun = new Map(rows.map((row) => [runKey(row), row]));
  return runs.flatMap((run) => byRun.get(runKey(run)) ?? []);
}

function blocksOf({ tasks, seeds, arms }: TrialProtocol): TrialRun[][] {
  return tasks.flatMap((task) => seeds.map((seed) => arms.map(({ name: arm }) => ({ task, seed, arm }))));
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map((item) => ({ item, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
