// One figure of a trial with its interval, for one arm or between two; made of sums by task.
import {
  bootstrap,
  clusteredTimes,
  clusteredWilson,
  type Interval,
  resampledTotals,
  type Resamples,
  type Sums,
  totals,
} from "./intervals.ts";
import { OUTCOMES, type OutcomeName } from "./outcomes.ts";
import type { TrialRow } from "./trial-row.ts";

export interface Estimate {
  /** Null where there is nothing below the line. */
  value: number | null;
  interval: Interval | null;
  /** What is below the line. */
  of: number;
}

/** An arm against the control, over the same runs. */
export interface Comparison {
  own: number | null;
  control: number | null;
  difference: Estimate;
  /** Null also where the control's figure is 0. */
  ratio: Estimate;
}

/** Above and below the line, for each task in the order given. */
export function tasksOf(outcome: OutcomeName, tasks: readonly string[], rows: readonly TrialRow[]): Sums[] {
  const byTask = new Map(tasks.map((task) => [task, [0, 0] satisfies [number, number]]));
  for (const row of rows) {
    const sums = byTask.get(row.task);
    const part = OUTCOMES[outcome].part(row);
    if (sums === undefined || part === null) continue;
    sums[0] += part[0];
    sums[1] += part[1];
  }
  return [...byTask.values()];
}

export function estimateOf(outcome: OutcomeName, tasks: readonly Sums[], draws: Resamples): Estimate {
  const sums = totals(tasks);
  const interval =
    OUTCOMES[outcome].kind === "share"
      ? clusteredWilson(tasks)
      : bootstrap(tasks, quotient, resampledTotals(tasks, draws));
  return { value: quotient(sums), interval, of: sums[1] ?? 0 };
}

export function compare(
  outcome: OutcomeName,
  [own, control]: readonly [readonly Sums[], readonly Sums[]],
  draws: Resamples,
): Comparison {
  const both = own.map((sums, index) => [...sums, ...(control[index] ?? [])]);
  const sums = totals(both);
  const resampled = resampledTotals(both, draws);
  const estimate = (figure: (sums: Sums) => number | null): Estimate => ({
    value: figure(sums),
    interval: bootstrap(both, figure, resampled),
    of: Math.min(sums[1] ?? 0, sums[3] ?? 0),
  });
  return {
    own: quotient(sums),
    control: quotient(sums.slice(2)),
    difference: estimate(differenceOf),
    ratio:
      OUTCOMES[outcome].kind === "share"
        ? { ...estimate(ratioOf), interval: clusteredTimes(both) }
        : estimate(ratioOf),
  };
}

function quotient([above = 0, below = 0]: Sums): number | null {
  return below === 0 ? null : above / below;
}

function differenceOf([above = 0, below = 0, otherAbove = 0, otherBelow = 0]: Sums): number | null {
  return below === 0 || otherBelow === 0 ? null : above / below - otherAbove / otherBelow;
}

function ratioOf([above = 0, below = 0, otherAbove = 0, otherBelow = 0]: Sums): number | null {
  return below === 0 || otherBelow === 0 || otherAbove === 0
    ? null
    : above / below / (otherAbove / otherBelow);
}
