import { clockTime } from "#modules/clock-time";
import { dayPlan } from "#modules/day-plan";
import { parseDuration } from "#modules/parse-duration";

/** Thrown when there is nothing to do. */
export class NothingToDo extends Error {}

/** The agenda of a day: one line for each item, and the total below. */
export function agenda(start: number, items: readonly { title: string; takes: string }[]): string {
  if (items.length === 0) throw new NothingToDo("an agenda needs something to do");
  const takes = items.map((item) => item.takes);
  const slots = dayPlan(start, takes);
  const lines = slots.map(
    ({ from, to }, index) => clockTime(from) + "-" + clockTime(to) + " " + items[index].title,
  );
  const total = takes.reduce((sum, duration) => sum + parseDuration(duration), 0);
  return [...lines, "total " + total + " minutes"].join("\n");
}
