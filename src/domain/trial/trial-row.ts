// One run of a trial: one task, one seed, one arm. Rows are kept as they came; every figure is made of them.
import { z } from "zod";
import { GateName } from "../evidence/gate.ts";
import { Text } from "../refs.ts";

const Share = z.number().min(0).max(1);
const Count = z.int().nonnegative();

export const TrialRow = z.strictObject({
  task: Text,
  seed: Count,
  arm: Text,
  /** Halted: the protocol gave up and said why. Crashed: the factory itself failed, or the oracle could not be run. */
  ended: z.enum(["shipped", "halted", "crashed"]),
  /** By the hidden oracle; null where nothing was made that it could be asked about. */
  right: z.boolean().nullable().describe("Of what shipped, or of the last code that was refused."),
  /** Whether the shipped code ends some call of the oracle otherwise than by a result or an error of its contract. */
  crashes: z.boolean().nullable(),
  oracle: z.strictObject({ passed: Count, failed: Count }).nullable(),
  /** Of the lines, by the tests that shipped. */
  coverage: Share.nullable(),
  staticPass: z.boolean().nullable(),
  /** Whether the implementer's first draw had a defect. */
  defective: z.boolean(),
  /** What first sent a defective candidate back: a gate, or who else. */
  caughtBy: z.union([GateName, z.enum(["reviewer", "own-tests", "protocol"])]).nullable(),
  /** How often the implementer was asked. */
  attempts: Count,
  calls: Count,
  tokens: Count,
  costUsd: z.number().nonnegative().nullable().describe("Null where the price of a call is not known."),
  why: z.string().describe("In the words of the halt or the crash; empty for what shipped."),
  /** The only part that differs when a trial is repeated. */
  seconds: z.number().nonnegative(),
});
export type TrialRow = z.infer<typeof TrialRow>;

/** A run is one task and seed in one arm. */
export function runKey({ task, seed, arm }: Pick<TrialRow, "task" | "seed" | "arm">): string {
  return `${task} ${seed} ${arm}`;
}

/** A run that failed by itself: nothing of it was measured. */
export function crashedRow(
  { task, seed, arm }: Pick<TrialRow, "task" | "seed" | "arm">,
  why: string,
): TrialRow {
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
    seconds: 0,
  };
}

/** Also behind the name of whoever could not be asked because of it. */
const BROKEN_ORACLE = /(?:^|: )the oracle of (\S+) is broken: /;

/** Told as the reason of a crashed run. */
export function brokenOracle(task: string, how: string): string {
  return `the oracle of ${task} is broken: ${how}`;
}

/** Tasks whose oracle refused the reference, or saw no defect in whatever was tried. */
export function brokenOraclesIn(rows: readonly TrialRow[]): string[] {
  const named = rows.flatMap(({ ended, why }) => {
    const task = ended === "crashed" ? BROKEN_ORACLE.exec(why)?.[1] : undefined;
    return task === undefined ? [] : [task];
  });
  return [...new Set(named)].toSorted();
}
