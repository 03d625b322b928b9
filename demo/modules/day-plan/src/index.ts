import { parseDuration } from "#modules/parse-duration";

/** Thrown when the plan would run past midnight. */
export class DayTooShort extends Error {}

/** One slot for each duration such as "1h30m", one after the other. */
export function dayPlan(start: number, durations: readonly string[]): { from: number; to: number }[] {
  let free = start;
  return durations.map((duration) => {
    const from = free;
    free = from + parseDuration(duration);
    if (free > 1440) throw new DayTooShort("past midnight with " + duration);
    return { from, to: free };
  });
}
