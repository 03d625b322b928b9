// How far a figure of a trial could be off: intervals of 95 %, the same for the same rows on every machine.
import { chance } from "../chance.ts";

export interface Interval {
  low: number;
  high: number;
}

const NORMAL = 1.959963984540054;

/** Wilson's score interval of a share; a share of nothing has none. `of` may be a fraction where runs are not
 * independent and count for fewer than they are. */
export function wilson(successes: number, of: number): Interval | null {
  if (of === 0) return null;
  if (!(successes >= 0 && successes <= of)) throw new RangeError(`${successes} of ${of} is no share`);
  const share = successes / of;
  const shrink = 1 + NORMAL ** 2 / of;
  const middle = (share + NORMAL ** 2 / (2 * of)) / shrink;
  const half = (NORMAL / shrink) * Math.sqrt((share * (1 - share)) / of + NORMAL ** 2 / (4 * of ** 2));
  return {
    low: successes === 0 ? 0 : Math.max(0, middle - half),
    high: successes === of ? 1 : Math.min(1, middle + half),
  };
}

/** One task's sums, from which a figure is made: successes and runs, tokens of one arm and of another. */
export type Sums = readonly number[];

/** A share over tasks that were run several times each: runs of one task resemble each other, and count for less. */
export function clusteredWilson(tasks: readonly Sums[]): Interval | null {
  const [successes, of] = totals(tasks);
  if (successes === undefined || of === undefined || of === 0) return null;
  const effective = of / designEffect(tasks, successes, of);
  return wilson((successes / of) * effective, effective);
}

/**
 * How many times as often something was seen here as elsewhere, by the sums of both: Koopman's score interval, which none
 * against some has as well. Runs of one task resemble each other and count for less,
 * on both sides as on the one where they do so most.
 */
export function clusteredTimes(tasks: readonly Sums[]): Interval | null {
  const [seen = 0, of = 0, seenElsewhere = 0, ofElsewhere = 0] = totals(tasks);
  if (of === 0 || ofElsewhere === 0 || seenElsewhere === 0) return null;
  const elsewhere = tasks.map((sums) => sums.slice(2));
  const effect = Math.max(designEffect(tasks, seen, of), designEffect(elsewhere, seenElsewhere, ofElsewhere));
  return times([seen / effect, of / effect], [seenElsewhere / effect, ofElsewhere / effect]);
}

/** P. A. R. Koopman, Biometrics 40 (1984), 513–517. */
export function times(own: Counts, other: Counts): Interval {
  const point = own[0] / own[1] / (other[0] / other[1]);
  const isWithin = (ratio: number) => farness(ratio, own, other) <= NORMAL ** 2;
  return {
    low: point === 0 ? 0 : Math.exp(edge(Math.log(point), -1, (log) => isWithin(Math.exp(log)))),
    high: Math.exp(edge(Math.log(point === 0 ? 1e-9 : point), 1, (log) => isWithin(Math.exp(log)))),
  };
}

type Counts = readonly [seen: number, of: number];

/** How badly both counts fit together if one share is `ratio` times the other. */
function farness(ratio: number, [seen, of]: Counts, [seenElsewhere, ofElsewhere]: Counts): number {
  const all = (of + ofElsewhere) * ratio;
  const half = (of * ratio + seen + ofElsewhere + seenElsewhere * ratio) / 2;
  const there = (half - Math.sqrt(Math.max(0, half ** 2 - all * (seen + seenElsewhere)))) / all;
  const here = ratio * there;
  const spread = (here * (1 - here)) / of + (ratio ** 2 * there * (1 - there)) / ofElsewhere;
  return (seen / of - (ratio * seenElsewhere) / ofElsewhere) ** 2 / spread;
}

/** Where what holds at a place ends in a direction. */
function edge(from: number, direction: 1 | -1, holds: (place: number) => boolean): number {
  let [inside, step] = [from, 1];
  while (step > 1e-12) {
    if (holds(inside + direction * step)) inside += direction * step;
    else step /= 2;
  }
  return inside;
}

/** How many times larger the variance is than it would be if all runs were independent; never below 1. */
function designEffect(tasks: readonly Sums[], successes: number, of: number): number {
  const share = successes / of;
  const seen = tasks.filter(([, runs = 0]) => runs > 0);
  if (share === 0 || share === 1 || seen.length < 2) return 1;
  const squares = seen.map(([hits = 0, runs = 0]) => (hits - share * runs) ** 2);
  const sum = squares.reduce((total, square) => total + square, 0);
  const variance = (sum * seen.length) / (seen.length - 1) / of ** 2;
  return Math.max(1, variance / ((share * (1 - share)) / of));
}

/** How often each task was drawn, once per resampling. */
export type Resamples = readonly (readonly number[])[];

const TIMES = 1000;

/** Tasks are drawn with replacement, each with all its runs: what holds for these tasks shall hold for others. */
export function resamples(tasks: number, times = TIMES): Resamples {
  const random = chance(0, `resamples of ${tasks} tasks`);
  return Array.from({ length: times }, () => {
    const drawn = Array.from({ length: tasks }, () => 0);
    for (let draw = 0; draw < tasks; draw++) {
      const task = Math.floor(random() * tasks);
      drawn[task] = (drawn[task] ?? 0) + 1;
    }
    return drawn;
  });
}

/** Above this share of resamplings without a figure there is no interval either. */
const MOST_EMPTY = 0.05;

/**
 * The middle 95 % of a figure over resampled tasks. It learns from how tasks differ: of fewer than two tasks, or
 * of tasks that all agree, it can tell nothing and is null, never an interval without width.
 */
export function bootstrap(
  tasks: readonly Sums[],
  figure: (sums: Sums) => number | null,
  resampled: readonly Sums[],
): Interval | null {
  const point = figure(totals(tasks));
  if (point === null || tasks.filter((sums) => sums.some((sum) => sum !== 0)).length < 2) return null;
  const values = resampled
    .map((sums) => figure(sums))
    .filter((value): value is number => value !== null)
    .toSorted((a, b) => a - b);
  if (values.length < resampled.length * (1 - MOST_EMPTY)) return null;
  const [least, most] = [values[0] ?? point, values.at(-1) ?? point];
  if (most - least <= 1e-12 * Math.max(1, Math.abs(point))) return null;
  return { low: Math.min(point, quantile(values, 0.025)), high: Math.max(point, quantile(values, 0.975)) };
}

/** The sums over all tasks, once for each resampling. */
export function resampledTotals(tasks: readonly Sums[], draws: Resamples): Sums[] {
  return draws.map((drawn) => totals(tasks, drawn));
}

export function totals(tasks: readonly Sums[], drawn?: readonly number[]): number[] {
  const sums = (tasks[0] ?? []).map(() => 0);
  for (let index = 0; index < tasks.length; index++) {
    const times = drawn === undefined ? 1 : (drawn[index] ?? 0);
    if (times === 0) continue;
    const task = tasks[index] ?? [];
    for (let place = 0; place < sums.length; place++)
      sums[place] = (sums[place] ?? 0) + times * (task[place] ?? 0);
  }
  return sums;
}

function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share;
  const [below, above] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0];
  return below + (above - below) * (place - Math.floor(place));
}
