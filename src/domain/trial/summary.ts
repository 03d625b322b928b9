// What the rows of a trial say, arm by arm; a share of nothing is null and never a success.
import { z } from "zod";
import { type Comparison, compare, type Estimate, estimateOf, tasksOf } from "./estimates.ts";
import { type Resamples, resamples } from "./intervals.ts";
import { type OutcomeName, escaped, falselyRejected, forEachOutcome } from "./outcomes.ts";
import type { TrialProtocol } from "./trial-protocol.ts";
import { runKey, type TrialRow } from "./trial-row.ts";
import { type Waterfall, waterfallOf } from "./waterfall.ts";

/** The keys that `cupel trial run --json` prints for each arm. */
export const ArmFigures = z.strictObject({
  tasks: z.int().describe("Runs: one for each task and seed."),
  escaped: z.int(),
  falseRejections: z.int(),
  crashRate: z.number().nullable(),
  correctness: z.number().nullable(),
  coverage: z.number().nullable(),
  staticPass: z.number().nullable(),
  calls: z.int(),
  tokens: z.int(),
});
export type ArmFigures = z.infer<typeof ArmFigures>;

export interface TrialSummary {
  arms: Readonly<Record<string, ArmFigures>>;
  /** One per arm of the protocol, in its order, as the three lists below. */
  estimates: readonly ArmEstimates[];
  waterfalls: readonly Waterfall[];
  /** Every arm but the control against it, over the runs that both have. */
  comparisons: readonly ArmComparisons[];
  effectiveness: readonly Effectiveness[];
  counted: CountedRows;
}

export interface ArmEstimates {
  arm: string;
  outcomes: Readonly<Record<OutcomeName, Estimate>>;
}

export interface ArmComparisons {
  arm: string;
  pairs: number;
  outcomes: Readonly<Record<OutcomeName, Comparison>>;
}

/** What an arm costs for what it keeps back. */
export interface Effectiveness {
  arm: string;
  escapedPerThousand: Estimate;
  callsPerTask: Estimate;
  tokensPerTask: Estimate;
  tokensPerRight: Estimate;
  /** Over the pairs with the control; null where the arm lets no fewer escape. */
  extraTokensPerEscapeAvoided: number | null;
}

/** Rows that belong to the trial, each run once. */
export interface CountedRows {
  rows: readonly TrialRow[];
  planned: number;
  /** Of another task, seed or arm than was registered. */
  stray: number;
  /** Of a run that is there already; only the first row counts. */
  repeated: number;
}

export function summarize(protocol: TrialProtocol, rows: readonly TrialRow[]): TrialSummary {
  const counted = countedRows(protocol, rows);
  const seen = new Set(counted.rows.map(({ task }) => task));
  const tasks = [...new Set(protocol.tasks)].filter((task) => seen.has(task));
  const draws = resamples(tasks.length);
  const arms = [...new Set(protocol.arms.map(({ name }) => name))].map((arm) => ({
    arm,
    rows: counted.rows.filter((row) => row.arm === arm),
  }));
  const estimates = arms.map(({ arm, rows: own }) => ({ arm, outcomes: estimateAll(tasks, own, draws) }));
  const control = arms.find(({ arm }) => arm === protocol.control)?.rows ?? [];
  const comparisons = arms
    .filter(({ arm }) => arm !== protocol.control)
    .map(({ arm, rows: own }) => compareArm(arm, tasks, own, control, draws));
  return {
    arms: Object.fromEntries(
      arms.map(({ arm, rows: own }, index) => [arm, figuresOf(own, estimates[index]?.outcomes)]),
    ),
    estimates,
    waterfalls: arms.map(({ arm, rows: own }) => waterfallOf(arm, own)),
    comparisons,
    effectiveness: estimates.map((own) =>
      effectivenessOf(
        own,
        comparisons.find(({ arm }) => arm === own.arm),
      ),
    ),
    counted,
  };
}

function countedRows(protocol: TrialProtocol, rows: readonly TrialRow[]): CountedRows {
  const keys = protocol.tasks.flatMap((task) =>
    protocol.seeds.flatMap((seed) => protocol.arms.map(({ name }) => runKey({ task, seed, arm: name }))),
  );
  const planned = new Set(keys);
  const registered = rows.filter((row) => planned.has(runKey(row)));
  const first = new Map<string, TrialRow>();
  for (const row of registered) if (!first.has(runKey(row))) first.set(runKey(row), row);
  return {
    rows: [...planned].flatMap((key) => first.get(key) ?? []),
    planned: planned.size,
    stray: rows.length - registered.length,
    repeated: registered.length - first.size,
  };
}

function figuresOf(rows: readonly TrialRow[], outcomes: ArmEstimates["outcomes"] | undefined): ArmFigures {
  return {
    tasks: rows.length,
    escaped: rows.filter((row) => escaped(row)).length,
    falseRejections: rows.filter((row) => falselyRejected(row)).length,
    crashRate: outcomes?.crashRate.value ?? null,
    correctness: outcomes?.correctness.value ?? null,
    coverage: outcomes?.coverage.value ?? null,
    staticPass: outcomes?.staticPass.value ?? null,
    calls: rows.reduce((sum, { calls }) => sum + calls, 0),
    tokens: rows.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}

function estimateAll(
  tasks: readonly string[],
  rows: readonly TrialRow[],
  draws: Resamples,
): ArmEstimates["outcomes"] {
  return forEachOutcome((outcome) => estimateOf(outcome, tasksOf(outcome, tasks, rows), draws));
}

function compareArm(
  arm: string,
  tasks: readonly string[],
  rows: readonly TrialRow[],
  control: readonly TrialRow[],
  draws: Resamples,
): ArmComparisons {
  const [own, others] = [new Set(rows.map(pairKey)), new Set(control.map(pairKey))];
  const left = rows.filter((row) => others.has(pairKey(row)));
  const right = control.filter((row) => own.has(pairKey(row)));
  return {
    arm,
    pairs: left.length,
    outcomes: forEachOutcome((outcome) =>
      compare(outcome, [tasksOf(outcome, tasks, left), tasksOf(outcome, tasks, right)], draws),
    ),
  };
}

function pairKey({ task, seed }: TrialRow): string {
  return runKey({ task, seed, arm: "" });
}

function effectivenessOf(
  { arm, outcomes }: ArmEstimates,
  comparison: ArmComparisons | undefined,
): Effectiveness {
  const fewer = comparison?.outcomes.escaped.difference.value ?? 0;
  const more = comparison?.outcomes.tokens.difference.value ?? null;
  return {
    arm,
    escapedPerThousand: timesThousand(outcomes.escaped),
    callsPerTask: outcomes.calls,
    tokensPerTask: outcomes.tokens,
    tokensPerRight: outcomes.tokensPerRight,
    extraTokensPerEscapeAvoided: more === null || fewer >= 0 ? null : more / -fewer,
  };
}

function timesThousand({ value, interval, of }: Estimate): Estimate {
  return {
    value: value === null ? null : value * 1000,
    interval: interval === null ? null : { low: interval.low * 1000, high: interval.high * 1000 },
    of,
  };
}
