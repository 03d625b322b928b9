// Plays the runs of a trial that have no row yet, block by block, some at a time, until all are there or it must stop.
import { thrownText } from "../domain/thrown.ts";
import type { TrialProtocol } from "../domain/trial/trial-protocol.ts";
import { runKey, type TrialRow } from "../domain/trial/trial-row.ts";
import type { TrialPlayer, TrialRun } from "./port.ts";
import type { RowsFile } from "./rows-file.ts";
import { inOrder, runsOf, scheduleOf, type TrialBlock } from "./schedule.ts";
import { budgetOf } from "./stopping-rule.ts";

export interface TrialPorts {
  /** One for each block that may be under way; each takes one run after the other. */
  players: readonly TrialPlayer[];
  rows: Pick<RowsFile, "rows" | "append">;
  signal?: AbortSignal;
  /** Told of each row when it is written. */
  onPlayed?: (row: TrialRow, left: number) => void;
}

/** How it ended; `stopped` is by the stopping rule of the protocol, in words. */
export type TrialEnd = { kind: "complete" } | { kind: "stopped"; why: string } | { kind: "interrupted" };

export interface TrialOutcome {
  end: TrialEnd;
  /** Earlier and new ones, as they are registered: by task, then seed, then arm. */
  rows: TrialRow[];
}

export async function runTrial(protocol: TrialProtocol, ports: TrialPorts): Promise<TrialOutcome> {
  const { players, rows, signal, onPlayed } = ports;
  const planned = runsOf(protocol);
  const known = new Map(rows.rows.map((row) => [runKey(row), row]));
  const hasRow = (run: TrialRun) => known.has(runKey(run));
  const schedule = scheduleOf(protocol);
  const begun = schedule.filter((block) => block.some(hasRow));
  const fresh = schedule.filter((block) => !block.some(hasRow));
  const budget = budgetOf(protocol, rows.rows, begun.flat().length);
  const mustStop = () => signal?.aborted === true || failure.length > 0;
  const failure: unknown[] = [];

  const nextBlock = (): TrialBlock | undefined => {
    if (mustStop()) return undefined;
    // Half a block compares nothing, so what was begun is always finished.
    const goesOn = begun.shift();
    if (goesOn !== undefined) return goesOn;
    if (fresh.length === 0 || budget.reached() !== undefined) return undefined;
    const block = fresh.shift();
    budget.begin(block?.length ?? 0);
    return block;
  };
  const work = async (player: TrialPlayer): Promise<void> => {
    for (let block = nextBlock(); block !== undefined; block = nextBlock()) {
      for (const run of block) {
        if (hasRow(run)) continue;
        if (mustStop()) return;
        const row = await played(player, run, signal);
        if (row === undefined) return;
        await rows.append(row);
        known.set(runKey(run), row);
        budget.spend(row);
        onPlayed?.(row, planned.length - known.size);
      }
    }
  };
  // One that cannot go on (a full disk) lets the others finish what they are at.
  await Promise.all(players.map((player) => work(player).catch((error: unknown) => failure.push(error))));
  if (failure.length > 0) throw failure[0];
  const end = endOf(planned.length - known.size, budget.reached(), signal);
  return { end, rows: inOrder(planned, [...known.values()]) };
}

function endOf(left: number, why: string | undefined, signal: AbortSignal | undefined): TrialEnd {
  if (left === 0) return { kind: "complete" };
  return why === undefined || signal?.aborted === true ? { kind: "interrupted" } : { kind: "stopped", why };
}

/** A run that throws is a row, too; one that was interrupted is not. */
async function played(
  player: TrialPlayer,
  run: TrialRun,
  signal: AbortSignal | undefined,
): Promise<TrialRow | undefined> {
  const begun = performance.now();
  try {
    const row = await player.play(run);
    if (runKey(row) === runKey(run)) return row;
    throw new Error(`asked to play ${runKey(run)}, the player told of ${runKey(row)}`);
  } catch (error) {
    if (signal?.aborted === true) return undefined;
    return crashedRow(run, thrownText(error), (performance.now() - begun) / 1000);
  }
}

function crashedRow({ task, seed, arm }: TrialRun, why: string, seconds: number): TrialRow {
  return {
    task,
    seed,
    arm,
    ended: "crashed",
    right: null,
    crashes: null,
    oracle: null,
    coverage: null,
    staticPass: null,
    // Nobody was there to tell.
    defective: false,
    caughtBy: null,
    attempts: 0,
    calls: 0,
    tokens: 0,
    costUsd: 0,
    why,
    seconds: Math.round(seconds * 10) / 10,
  };
}
