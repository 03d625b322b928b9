// A small trial for tests, and rows that depend on nothing but their run.
import { protocolHash, type TrialProtocol, USUAL_WORKERS } from "../src/domain/trial/trial-protocol.ts";
import type { TrialRow } from "../src/domain/trial/trial-row.ts";
import { armNamed } from "../src/trial/arms.ts";
import type { TrialPlayer, TrialRun } from "../src/trial/port.ts";

/** Three tasks, two seeds, two arms: six blocks, twelve runs. */
export function sampleTrial(change: Partial<TrialProtocol> = {}): TrialProtocol {
  return {
    name: "sample",
    corpus: "builtin",
    tasks: ["parse-csv-line", "add-months", "lock-door"],
    seeds: [1, 2],
    arms: [armNamed("solo"), armNamed("blind")],
    control: "solo",
    workers: { kind: "simulated", parameters: USUAL_WORKERS },
    primary: "escaped",
    stop: {},
    ...change,
  };
}

export function sampleRow(run: TrialRun, change: Partial<TrialRow> = {}): TrialRow {
  const isOdd = Number.parseInt(protocolHash(sampleTrial({ name: JSON.stringify(run) })).slice(0, 8), 16) % 2;
  return {
    ...run,
    ended: "shipped",
    right: isOdd === 1,
    crashes: false,
    oracle: { passed: 4, failed: 1 - isOdd },
    coverage: 0.9,
    staticPass: true,
    defective: isOdd === 0,
    caughtBy: null,
    attempts: 1,
    calls: 3,
    tokens: 100,
    costUsd: 0.25,
    why: "",
    seconds: 0,
    ...change,
  };
}

/** Plays at once; `played` grows with each run. */
export function samplePlayer(
  played: TrialRun[] = [],
  play: (run: TrialRun) => TrialRow | Promise<TrialRow> = (run) => sampleRow(run),
): TrialPlayer {
  return {
    async play(run) {
      played.push(run);
      await Promise.resolve();
      return play(run);
    },
    close: () => Promise.resolve(),
  };
}
