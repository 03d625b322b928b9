// What became of defective first draws in one arm: what caught each first, how each ended, what escaped.
import { GateName } from "../evidence/gate.ts";
import { escaped, rightness, shipped } from "./outcomes.ts";
import type { TrialRow } from "./trial-row.ts";

export type Catcher = NonNullable<TrialRow["caughtBy"]>;

export const CATCHERS: readonly Catcher[] = [...GateName.options, "own-tests", "reviewer", "protocol"];

export interface Waterfall {
  arm: string;
  /** Runs whose first draw had a defect: everything below is of these. */
  defective: number;
  /** Who caught at least one, in the order of the gates; `left` is how many nobody had caught after that. */
  steps: readonly { by: Catcher; caught: number; left: number }[];
  uncaught: number;
  /** Of all that were defective, caught or not. */
  ends: Readonly<Record<DefectiveEnd, number>>;
  /** Of those that escaped: caught once and shipped wrong all the same. */
  escapedAfterCatch: number;
  /** Wrong in what shipped although the first draw was right; not among the defective. */
  escapedFromRightDraw: number;
}

/** `untold`: shipped, and no oracle has said whether it is right. */
export type DefectiveEnd = "mended" | "escaped" | "halted" | "failed" | "untold";

export function waterfallOf(arm: string, rows: readonly TrialRow[]): Waterfall {
  const defective = rows.filter((row) => row.defective);
  let left = defective.length;
  const steps = CATCHERS.flatMap((by) => {
    const caught = defective.filter(({ caughtBy }) => caughtBy === by).length;
    left -= caught;
    return caught === 0 ? [] : [{ by, caught, left }];
  });
  const ends = { mended: 0, escaped: 0, halted: 0, failed: 0, untold: 0 };
  for (const row of defective) ends[endOf(row)] += 1;
  return {
    arm,
    defective: defective.length,
    steps,
    uncaught: left,
    ends,
    escapedAfterCatch: defective.filter((row) => row.caughtBy !== null && escaped(row)).length,
    escapedFromRightDraw: rows.filter((row) => !row.defective && escaped(row)).length,
  };
}

function endOf(row: TrialRow): DefectiveEnd {
  if (row.ended === "crashed") return "failed";
  if (!shipped(row)) return "halted";
  const right = rightness(row);
  if (right === null) return "untold";
  return right ? "mended" : "escaped";
}
