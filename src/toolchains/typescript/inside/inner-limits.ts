// How long a mutant may take and how often it may be reached, from what the unmutated tests needed.
import type { DryRun } from "./inner-job.ts";

export interface MutantLimits {
  tests: DryRun["tests"];
  baselineMs: number;
  limitMs: number;
  /** While files load and between tests. */
  loadHits: number;
}

/** Many times what quick tests need; of slow ones fewer times, or one endless loop would take a quarter of an hour. */
const QUICK = { times: 20, hits: 100 };
const SLOW = { times: 4, extraMs: 4_000, hits: 4, extraHits: 100_000_000 };
/** So few that a run-away costs a millisecond, so many that no honest small test reaches it. */
const LEAST_HITS = 200_000;

/** A mutant that is reached while a file loads can be noticed by any test. */
export function limitsOf(dry: DryRun, mutant: number, leastMs: number): MutantLimits {
  const tests = dry.static.includes(mutant)
    ? dry.tests
    : (dry.covering[mutant] ?? []).flatMap((index) => dry.tests[index] ?? []);
  const baselineMs = dry.loadMs + tests.reduce((sum, { durationMs }) => sum + durationMs, 0);
  return {
    tests,
    baselineMs,
    limitMs: Math.max(leastMs, Math.min(baselineMs * QUICK.times, baselineMs * SLOW.times + SLOW.extraMs)),
    loadHits: hitLimit(dry.staticHits),
  };
}

/** By each test for itself: the smallest that runs away is enough. */
export function hitLimit(unmutated: number): number {
  return Math.min(unmutated * QUICK.hits + LEAST_HITS, unmutated * SLOW.hits + SLOW.extraHits);
}
