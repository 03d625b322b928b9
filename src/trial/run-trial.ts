// Plays the runs of a trial that have no row yet, block by block, some at a time, until all are there or it must stop.
import { CupelError } from "../domain/error.ts";
import { thrownText } from "../domain/thrown.ts";
import type { TrialProtocol } from "../domain/trial/trial-protocol.ts";
import { crashedRow, runKey, type TrialRow } from "../domain/trial/trial-row.ts";
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

  const nextBlock = (mine: Set<string>): TrialBlock | undefined => {
    if (mustStop()) return undefined;
    // Half a block compares nothing, so what was begun is always finished.
    const goesOn = begun.shift();
    if (goesOn !== undefined) return goesOn;
    if (fresh.length === 0 || budget.reached() !== undefined) return undefined;
    const [block] = fresh.splice(choose(fresh, mine), 1);
    budget.begin(block?.length ?? 0);
    return block;
  };
  const choose = chooserFor(protocol);
  // Real workers that cannot be asked at all (no key, no price, no network) are no row: whoever resumes asks them again.
  const isHopeless = (row: TrialRow) =>
    protocol.workers.kind === "runtime" && [row, ...known.values()].every(({ ended }) => ended === "crashed");
  const work = async (player: TrialPlayer): Promise<void> => {
    const mine = new Set<string>();
    for (let block = nextBlock(mine); block !== undefined; block = nextBlock(mine)) {
      for (const run of block) {
        if (hasRow(run)) continue;
        if (mustStop()) return;
        const row = await played(player, run, signal);
        if (row === undefined) return;
        if (isHopeless(row)) throw noWorkers(row);
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

/**
 * Which of the blocks comes next. The first, where the order decides what is played at all. Otherwise a player keeps to its
 * tasks, then takes one that nobody has begun: simulated workers write the same code for a task again and again, and a player
 * knows what it has looked at before.
 */
function chooserFor({
  workers,
  stop,
}: TrialProtocol): (blocks: readonly TrialBlock[], mine: Set<string>) => number {
  if (workers.kind !== "simulated" || Object.keys(stop).length > 0) return () => 0;
  const begun = new Set<string>();
  return (blocks, mine) => {
    const tasks = blocks.map(([first]) => first?.task ?? "");
    const known = tasks.findIndex((task) => mine.has(task));
    const untouched = known === -1 ? tasks.findIndex((task) => !begun.has(task)) : known;
    const chosen = Math.max(0, untouched);
    for (const set of [mine, begun]) set.add(tasks[chosen] ?? "");
    return chosen;
  };
}

function noWorkers({ why }: TrialRow): CupelError {
  return new CupelError("call_interrupted", `the first run failed, and it was not counted: ${why}`, {
    expected: "workers that can be asked",
    hint: "mend that, then cupel trial resume goes on; cupel doctor --try-key tries a key",
  });
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
    const seconds = Math.round((performance.now() - begun) / 100) / 10;
    return { ...crashedRow(run, thrownText(error)), seconds };
  }
}
