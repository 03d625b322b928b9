// What a trial looks at: of each run, what it adds to a figure and to what the figure is a share of.
import type { TrialRow } from "./trial-row.ts";

export const OUTCOME_NAMES = [
  "escaped",
  "falseRejections",
  "yield",
  "correctness",
  "crashRate",
  "coverage",
  "staticPass",
  "failedRuns",
  "calls",
  "tokens",
  "costUsd",
  "seconds",
  "tokensPerRight",
] as const;
export type OutcomeName = (typeof OUTCOME_NAMES)[number];

export interface Outcome {
  title: string;
  /** A `share` is of yes and no, a `mean` of numbers. */
  kind: "share" | "mean";
  /** What one run adds above and below the line; null where it has nothing to say. */
  part: (row: TrialRow) => readonly [above: number, below: number] | null;
}

export const OUTCOMES: Readonly<Record<OutcomeName, Outcome>> = {
  escaped: share("escaped defects", everyRun, escaped),
  falseRejections: share("right code refused", everyRun, falselyRejected),
  yield: share("shipped", everyRun, shipped),
  correctness: share("right, of what shipped", shipped, rightness),
  crashRate: share("crashing, of what shipped", shipped, ({ crashes }) => crashes),
  coverage: {
    title: "line coverage of what shipped",
    kind: "mean",
    part: (row) => (shipped(row) && row.coverage !== null ? [row.coverage, 1] : null),
  },
  staticPass: share("statically clean, of what shipped", shipped, ({ staticPass }) => staticPass),
  failedRuns: share("runs that failed", everyRun, ({ ended }) => ended === "crashed"),
  calls: perRun("calls per task", ({ calls }) => calls),
  tokens: perRun("tokens per task", ({ tokens }) => tokens),
  costUsd: {
    title: "cost per task in USD",
    kind: "mean",
    part: ({ costUsd }) => (costUsd === null ? null : [costUsd, 1]),
  },
  seconds: perRun("seconds per task", ({ seconds }) => seconds),
  tokensPerRight: {
    title: "tokens per right shipped module",
    kind: "mean",
    part: (row) => [row.tokens, shipped(row) && rightness(row) === true ? 1 : 0],
  },
};

export function forEachOutcome<T>(make: (outcome: OutcomeName) => T): Record<OutcomeName, T> {
  return {
    escaped: make("escaped"),
    falseRejections: make("falseRejections"),
    yield: make("yield"),
    correctness: make("correctness"),
    crashRate: make("crashRate"),
    coverage: make("coverage"),
    staticPass: make("staticPass"),
    failedRuns: make("failedRuns"),
    calls: make("calls"),
    tokens: make("tokens"),
    costUsd: make("costUsd"),
    seconds: make("seconds"),
    tokensPerRight: make("tokensPerRight"),
  };
}

/** By an oracle that asked at least one thing; an oracle that asked nothing has said nothing. */
export function rightness({ right, oracle }: TrialRow): boolean | null {
  return oracle === null || oracle.passed + oracle.failed === 0 ? null : right;
}

export function shipped({ ended }: TrialRow): boolean {
  return ended === "shipped";
}

export function escaped(row: TrialRow): boolean {
  return shipped(row) && rightness(row) === false;
}

export function falselyRejected(row: TrialRow): boolean {
  return row.ended === "halted" && rightness(row) === true;
}

function everyRun(): boolean {
  return true;
}

function share(
  title: string,
  of: (row: TrialRow) => boolean,
  hit: (row: TrialRow) => boolean | null,
): Outcome {
  return {
    title,
    kind: "share",
    part: (row) => {
      const answer = of(row) ? hit(row) : null;
      return answer === null ? null : [answer ? 1 : 0, 1];
    },
  };
}

function perRun(title: string, amount: (row: TrialRow) => number): Outcome {
  return { title, kind: "mean", part: (row) => [amount(row), 1] };
}
